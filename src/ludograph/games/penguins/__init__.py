"""Penguins: slide over ice that melts behind you, and collect more fish than anybody else."""

from ludograph.games.penguins.game import Penguins, penguins

__all__ = ["Penguins", "penguins"]
