"""Why a tile cannot be chosen, in the words of a person."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.scene import player_colors


def objection(position: PenguinsPosition, tiles: Sequence[int]) -> str:
    """Return why no penguin is placed by this tile, or moves by these two; empty if one does."""
    *before, tile = tiles
    owner, fish = position.owner(tile), position.fish(tile)
    if not fish:
        return "The ice has melted there"
    if before or position.is_placing:
        if owner is not None:
            return "A penguin stands there"
        if before:
            return "No straight way over free ice leads there"
        return "" if fish == 1 else f"Penguins begin on one fish; here are {fish}"
    if owner is None:
        return "No penguin of yours stands there"
    if owner != position.turn:
        return f"That is a penguin of {player_colors(position.seats)[owner].name}"
    can = any(position.path(move)[0] == tile for move in position.legal_moves())
    return "" if can else "This penguin has nowhere to go"
