"""Penguins: slide over ice that melts behind you, and collect more fish than anybody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.games.penguins.game import Penguins, penguins
    from ludograph.games.penguins.position import PenguinsPosition, reach

_HOMES = {
    "Penguins": "game",
    "PenguinsPosition": "position",
    "penguins": "game",
    "reach": "position",
}

__all__ = ["Penguins", "PenguinsPosition", "penguins", "reach"]

__getattr__ = look_up(__name__, _HOMES)
