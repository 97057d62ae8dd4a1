"""Hex: two players join their own two borders of a graph with stones of their color."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludograph.games.hex.boards.layouts import hex_board
    from ludograph.games.hex.game import Hex, hex
    from ludograph.games.hex.position import HexPosition
    from ludograph.games.hex.setup import BLACK, NOBODY, WHITE

_HOMES = {
    "BLACK": "setup",
    "NOBODY": "setup",
    "WHITE": "setup",
    "Hex": "game",
    "HexPosition": "position",
    "hex": "game",
    "hex_board": "boards.layouts",
}

__all__ = ["BLACK", "NOBODY", "WHITE", "Hex", "HexPosition", "hex", "hex_board"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
