"""Amazons for people who play: the next step, moves by pointing, reasons against a move."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.amazons.rules import ARROW, FREE
from ludograph.games.interaction import Interaction


class AmazonsInteraction(Interaction[AmazonsPosition]):
    """What people read when they are to move, and how they choose a move."""

    written_as = "from-to/arrow"

    def tasks(self, position: AmazonsPosition) -> Sequence[str]:  # noqa: ARG002
        """Return what the three parts of a move are."""
        return "Pick one of your queens", "Choose where it goes", "Choose where its arrow lands"

    def pointed(self, position: AmazonsPosition, move: int) -> tuple[tuple[int, ...], ...]:
        """Return from, to and the arrow."""
        start, end, arrow = tiles(position, move)
        return (start,), (end,), (arrow,)

    def objection(self, position: AmazonsPosition, cells: Sequence[int]) -> str:
        """Return why no move goes by these tiles: from, to, where it shoots; empty if one may."""
        *before, tile = cells
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


def tiles(position: AmazonsPosition, move: int) -> tuple[int, int, int]:
    """Return from where and to where a queen goes, and where its arrow lands."""
    n = position.board.n
    return move // (n * n), move // n % n, move % n
