"""Carcassonne: lay tiles so that they fit, and close castles, roads and fields."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludograph.games.carcassonne.game import Carcassonne, carcassonne

_HOMES = {"Carcassonne": "game", "carcassonne": "game"}

__all__ = ["Carcassonne", "carcassonne"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
