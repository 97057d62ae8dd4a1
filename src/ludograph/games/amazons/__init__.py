"""Amazons: slide a queen and shoot an arrow; who cannot move any more has lost."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludograph.games.amazons.game import Amazons, amazons
    from ludograph.games.amazons.position import AmazonsPosition

__all__ = ["Amazons", "AmazonsPosition", "amazons"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.game"), name)
