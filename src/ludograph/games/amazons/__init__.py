"""Amazons: slide a queen and shoot an arrow; who cannot move any more has lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.games.amazons.game import Amazons, amazons
    from ludograph.games.amazons.position import AmazonsPosition

_HOMES = {"Amazons": "game", "AmazonsPosition": "position", "amazons": "game"}

__all__ = ["Amazons", "AmazonsPosition", "amazons"]

__getattr__ = look_up(__name__, _HOMES)
