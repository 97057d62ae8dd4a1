"""Why a tile cannot be chosen, in the words of a person."""

from collections.abc import Sequence

from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.amazons.rules import ARROW, FREE


def objection(position: AmazonsPosition, tiles: Sequence[int]) -> str:
    """Return why no move goes by these tiles, from, to and where it shoots; empty if one may."""
    *before, tile = tiles
    there = position.tiles[tile]
    if not before:
        if there == FREE:
            return "No queen of yours stands there"
        if there == ARROW:
            return "An arrow blocks this tile"
        if there - 1 != position.turn:
            return "That is the other side's queen"
        n = position.board.n
        can = any(move // n**2 == tile for move in position.legal_moves())
        return "" if can else "This queen cannot move"
    if there == ARROW:
        return "An arrow blocks this tile"
    if there != FREE and tile not in before:
        return "A queen stands there"
    return "No free straight line leads there"
