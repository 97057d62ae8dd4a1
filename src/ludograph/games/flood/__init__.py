"""Flood: each move recolors a zone, which grows by the adjacent vertices of that color."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.games.flood.game import Flood, flood
    from ludograph.games.flood.position import FloodPosition, gain

_HOMES = {"Flood": "game", "FloodPosition": "position", "flood": "game", "gain": "position"}

__all__ = ["Flood", "FloodPosition", "flood", "gain"]

__getattr__ = look_up(__name__, _HOMES)
