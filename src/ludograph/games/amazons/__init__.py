"""Amazons: slide a queen and shoot an arrow; who cannot move any more has lost."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludograph.games.amazons.game import Amazons, amazons

_HOMES = {"Amazons": "game", "amazons": "game"}

__all__ = ["Amazons", "amazons"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
