"""Flood: each move recolors a zone, which grows by all that it touches of that color."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludograph.games.flood.game import Flood, flood
    from ludograph.games.flood.position import FloodPosition

_HOMES = {"Flood": "game", "FloodPosition": "position", "flood": "game"}

__all__ = ["Flood", "FloodPosition", "flood"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
