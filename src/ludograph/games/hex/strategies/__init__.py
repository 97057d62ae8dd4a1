"""The strategies of Hex: its own strategies, and the generic searches."""

from __future__ import annotations

from dataclasses import replace

from ludograph.games.hex.strategies.connex import Connex
from ludograph.games.hex.strategies.resistance import Resistance
from ludograph.games.hex.strategies.searches import (
    EXPLORATION,
    NETWORK_EXPLORATION,
    OFF,
    ON,
    HexMcts,
    HexMinimax,
)
from ludograph.games.options import Option, Whole, Word
from ludograph.games.searching import GENERIC, TIME, mcts_options
from ludograph.games.strategy import Strategy

__all__ = ["STRATEGIES", "Connex", "HexMcts", "HexMinimax", "Resistance"]

PARTS = {
    "connections": "search for virtual connections",
    "patterns": "prefer moves by local patterns",
    "network": "evaluate positions by a network; needs patterns",
    "solver": "run an exact solver beside the search",
    "openings": "play known first moves and swaps without a search",
}
"""What ``mcts`` adds to a tree search, each an option of its own."""

STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    "mcts": replace(
        GENERIC["mcts"],
        make=HexMcts,
        options=(
            *mcts_options(f"{NETWORK_EXPLORATION}, without the network {EXPLORATION}"),
            *(
                Option(name, Word((ON, OFF)), ON, f"on or off: {what}")
                for name, what in PARTS.items()
            ),
        ),
    ),
    "minimax": replace(
        GENERIC["minimax"],
        summary="alpha-beta search on both shortest paths",
        make=HexMinimax,
    ),
    "connex": Strategy("connex", "a cell on the shortest paths of both players", Connex),
    "resistance": Strategy(
        "resistance",
        "the board as an electric circuit: compares the resistance for both players",
        Resistance,
        options=(
            replace(TIME, summary="seconds per move at most"),
            Option("width", Whole(1, 100_000), 24, "number of moves to compare"),
        ),
    ),
}
