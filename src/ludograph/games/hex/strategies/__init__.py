"""The strategies of Hex: its own ones, and the generic searches."""

from __future__ import annotations

from dataclasses import replace

from ludograph.games.hex.strategies.connex import Connex
from ludograph.games.hex.strategies.resistance import Resistance
from ludograph.games.hex.strategies.searches import (
    HEX_EXPLORATION,
    OFF,
    ON,
    RAVE,
    HexMcts,
    HexMinimax,
)
from ludograph.games.options import Number, Option, Whole, Word
from ludograph.games.searching import GENERIC, TIME, mcts_options
from ludograph.games.strategy import Strategy

__all__ = ["STRATEGIES", "Connex", "HexMcts", "HexMinimax", "Resistance"]

STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    "mcts": replace(
        GENERIC["mcts"],
        make=HexMcts,
        options=(
            *mcts_options(HEX_EXPLORATION),
            Option("rave", Number(0.0, 1e9), RAVE, "visits that outweigh shared ones"),
            Option(
                "connections",
                Word((ON, OFF)),
                ON,
                "on or off: whether virtual connections are looked for",
            ),
            Option(
                "patterns",
                Word((ON, OFF)),
                ON,
                "on or off: whether moves are considered by how they look, too",
            ),
            Option(
                "network",
                Word((ON, OFF)),
                ON,
                "on or off: whether a network judges positions, where patterns are on",
            ),
            Option(
                "solver",
                Word((ON, OFF)),
                ON,
                "on or off: whether an exact solver works beside the search",
            ),
            Option(
                "openings",
                Word((ON, OFF)),
                ON,
                "on or off: whether first moves and swaps that are known need no search",
            ),
        ),
    ),
    "minimax": replace(
        GENERIC["minimax"],
        summary="alpha-beta search on both shortest paths",
        make=HexMinimax,
    ),
    "connex": Strategy("connex", "where both shortest paths meet", Connex),
    "resistance": Strategy(
        "resistance",
        "the board as an electric circuit: least resistance against the opponent's",
        Resistance,
        options=(
            replace(TIME, summary="seconds per move at most"),
            Option("width", Whole(1, 100_000), 24, "moves looked at"),
            Option("depth", Whole(1, 10), 1, "plies to look ahead"),
        ),
    ),
}
