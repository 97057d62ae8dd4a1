"""Amazons: slide a queen and shoot an arrow; a player that cannot move has lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.games.amazons.game import Amazons, amazons
    from ludograph.games.amazons.position import AmazonsPosition, is_free, queen_tile

_HOMES = {
    "Amazons": "game",
    "AmazonsPosition": "position",
    "amazons": "game",
    "is_free": "position",
    "queen_tile": "position",
}

__all__ = ["Amazons", "AmazonsPosition", "amazons", "is_free", "queen_tile"]

__getattr__ = look_up(__name__, _HOMES)
