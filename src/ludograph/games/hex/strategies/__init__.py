"""Hex's own strategies, and the generic searches as it plays them."""

from __future__ import annotations

from dataclasses import replace

from ludograph.games.hex.strategies.connex import DISTANCE, RESISTANCE, Connex
from ludograph.games.hex.strategies.resistance import Resistance
from ludograph.games.hex.strategies.searches import (
    BRIDGES,
    CIRCUIT,
    HEX_EXPLORATION,
    OFF,
    ON,
    PATTERNS,
    RAVE,
    HexMcts,
    HexMinimax,
)
from ludograph.games.searching import GENERIC, TIME, mcts_options
from ludograph.games.strategy import Option, Strategy, number_between, one_of

__all__ = ["STRATEGIES", "Connex", "HexMcts", "HexMinimax", "Resistance"]

STRATEGIES: dict[str, Strategy] = {
    **GENERIC,
    "mcts": replace(
        GENERIC["mcts"],
        make=HexMcts,
        options=(
            *mcts_options(HEX_EXPLORATION),
            Option("rave", number_between(0.0, 1e9), RAVE, "visits that outweigh shared ones"),
            Option(
                "connections",
                one_of(ON, OFF),
                ON,
                "on or off: whether virtual connections are looked for",
                words=(ON, OFF),
            ),
            Option(
                "patterns",
                one_of(ON, OFF),
                ON,
                "on or off: whether moves are considered by how they look, too",
                words=(ON, OFF),
            ),
            Option(
                "network",
                one_of(ON, OFF),
                ON,
                "on or off: whether a network judges positions, where patterns are on",
                words=(ON, OFF),
            ),
            Option(
                "playouts",
                one_of(PATTERNS, BRIDGES),
                BRIDGES,
                "patterns or bridges: what random games answer the last move by",
                words=(PATTERNS, BRIDGES),
            ),
            Option(
                "solver",
                one_of(ON, OFF),
                ON,
                "on or off: whether an exact solver works beside the search",
                words=(ON, OFF),
            ),
            Option(
                "openings",
                one_of(ON, OFF),
                ON,
                "on or off: whether first moves and swaps that are known need no search",
                words=(ON, OFF),
            ),
        ),
    ),
    "minimax": replace(
        GENERIC["minimax"],
        summary="alpha-beta search on both shortest paths or both resistances",
        make=HexMinimax,
        options=(
            *GENERIC["minimax"].options,
            Option(
                "evaluate",
                one_of(DISTANCE, CIRCUIT),
                DISTANCE,
                "distance or circuit: what positions are valued by",
                words=(DISTANCE, CIRCUIT),
            ),
        ),
    ),
    "connex": Strategy(
        "connex",
        "where both shortest paths, or both currents, meet",
        Connex,
        options=(
            Option(
                "metric",
                one_of(DISTANCE, RESISTANCE),
                DISTANCE,
                "distance or resistance: what both colors' ways are measured by",
                words=(DISTANCE, RESISTANCE),
            ),
        ),
    ),
    "resistance": Strategy(
        "resistance",
        "the board as an electric circuit: least resistance against the opponent's",
        Resistance,
        options=(
            replace(TIME, summary="seconds per move at most"),
            Option("width", number_between(1, 100_000, whole=True), 24, "moves looked at"),
            Option("depth", number_between(1, 10, whole=True), 1, "plies to look ahead"),
        ),
    ),
}
