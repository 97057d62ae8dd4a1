"""Hex: two players join their own two borders of a graph with stones of their color."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.games.hex.game import Hex, hex
    from ludograph.games.hex.layouts import hex_board

_HOMES = {"Hex": "game", "hex": "game", "hex_board": "layouts"}

__all__ = ["Hex", "hex", "hex_board"]

__getattr__ = look_up(__name__, _HOMES)
