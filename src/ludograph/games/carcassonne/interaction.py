"""Carcassonne for human players: the steps of a turn, moves by pointing, illegal moves in words."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.games.carcassonne import illegal_moves
from ludograph.games.carcassonne.claims import action
from ludograph.games.carcassonne.position import CarcassonnePosition
from ludograph.games.carcassonne.setup import NO_MEEPLE
from ludograph.games.carcassonne.spots import spots
from ludograph.games.interaction import Interaction
from ludograph.views import Spot


class CarcassonneInteraction(Interaction[CarcassonnePosition]):
    """The texts of a human player's turn, and the choice of a move by pointing."""

    written_as = (
        "x,y of a cell (up is y + 1), rN for N quarter turns clockwise, mV for a meeple on vertex V"
    )

    def tasks(self, position: CarcassonnePosition) -> Sequence[str]:
        """Return the steps of a turn: put the tile, claim a part of it, confirm."""
        put = "Put the tile on a dashed place"
        if position.setup.mode == NO_MEEPLE or position.meeples(position.turn or 0) == 0:
            return put, "Place it here"
        then = "Claim a free part, or place it without a meeple"
        return put, then, "Confirm, or choose another move"

    def action(self, position: CarcassonnePosition, move: int) -> str:
        """Return the claim of a placement's meeple, or that the tile is placed without one."""
        return action(position, move) or super().action(position, move)

    def hint(self, position: CarcassonnePosition, move: int) -> str:
        """Return the effect of a placement; its place is visible in the picture."""
        text = self.action(position, move)
        return f"{text[:1].lower()}{text[1:]}"

    def spots(self, position: CarcassonnePosition, move: int) -> Sequence[Spot]:
        """Return the spots of a placement: the cell, the rotation, and the meeple."""
        return spots(position, move)

    def why_not_at(self, position: CarcassonnePosition, point: tuple[float, float]) -> str:
        """Return why the dealt tile cannot be placed at a point: the cell is taken, or no fit."""
        return illegal_moves.why_not_at(position, point)

    def why_not_move(self, position: CarcassonnePosition, move: int) -> str:
        """Return why a placement is not legal: its cell, a side, or the meeple."""
        return illegal_moves.why_not_move(position, move)
