"""Hex: two players join their own two borders of a graph with stones of their color."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.games.hex.evaluation.distances import stones_needed
    from ludograph.games.hex.game import Hex, hex
    from ludograph.games.hex.layouts import hex_board
    from ludograph.games.hex.position import HexPosition, black_seat
    from ludograph.games.hex.setup import BLACK, NOBODY, WHITE

_HOMES = {
    "BLACK": "setup",
    "NOBODY": "setup",
    "WHITE": "setup",
    "Hex": "game",
    "HexPosition": "position",
    "hex": "game",
    "hex_board": "layouts",
    "black_seat": "position",
    "stones_needed": "evaluation.distances",
}

__all__ = [
    "BLACK",
    "NOBODY",
    "WHITE",
    "Hex",
    "HexPosition",
    "black_seat",
    "hex",
    "hex_board",
    "stones_needed",
]

__getattr__ = look_up(__name__, _HOMES)
