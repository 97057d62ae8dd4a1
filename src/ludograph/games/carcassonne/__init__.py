"""Carcassonne: lay tiles so that they fit, and close castles, roads and fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.games.carcassonne.game import Carcassonne, carcassonne

_HOMES = {"Carcassonne": "game", "carcassonne": "game"}

__all__ = ["Carcassonne", "carcassonne"]

__getattr__ = look_up(__name__, _HOMES)
