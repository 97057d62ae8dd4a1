"""Penguins: slide over ice that melts behind you, and collect more fish than anybody else."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludograph.games.penguins.game import Penguins, penguins
    from ludograph.games.penguins.position import PenguinsPosition

_HOMES = {"Penguins": "game", "PenguinsPosition": "position", "penguins": "game"}

__all__ = ["Penguins", "PenguinsPosition", "penguins"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
