"""Amazons for human players: the steps of a turn, moves by pointing, illegal moves in words."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.amazons.rules import ARROW, FREE
from ludograph.games.interaction import Interaction


class AmazonsInteraction(Interaction[AmazonsPosition]):
    """The texts of a human player's turn, and the choice of a move by pointing."""

    written_as = "from-to/arrow"

    def tasks(self, position: AmazonsPosition) -> Sequence[str]:  # noqa: ARG002
        """Return the three steps of a turn: pick a queen, its target, and the arrow's tile."""
        return "Pick one of your queens", "Choose where it goes", "Choose where its arrow lands"

    def pointed(self, position: AmazonsPosition, move: int) -> tuple[tuple[int, ...], ...]:
        """Return the source, the target and the arrow's tile of a move."""
        start, end, arrow = tiles(position, move)
        return (start,), (end,), (arrow,)

    def why_not_cells(self, position: AmazonsPosition, cells: Sequence[int]) -> str:
        """Return why no move begins with these tiles: source, target, arrow; empty if one does."""
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
    """Return the source, the target and the arrow's tile of a move."""
    n = position.board.n
    return move // (n * n), move // n % n, move % n
