"""Carcassonne for people who play: the next step, moves by pointing, reasons against one."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.games.carcassonne import refusals
from ludograph.games.carcassonne.claims import action
from ludograph.games.carcassonne.position import CarcassonnePosition
from ludograph.games.carcassonne.setup import NO_MEEPLE
from ludograph.games.carcassonne.spots import spots
from ludograph.games.interaction import Interaction
from ludograph.views import Spot


class CarcassonneInteraction(Interaction[CarcassonnePosition]):
    """What people read when they are to move, and how they choose a move."""

    written_as = (
        "x,y of a cell (up is y + 1), rN for N quarters clockwise, mV for a meeple on vertex V"
    )

    def tasks(self, position: CarcassonnePosition) -> Sequence[str]:
        """Return that the tile is to be placed, then claimed in part, and confirmed."""
        put = "Put the tile on a dashed place"
        if position.setup.mode == NO_MEEPLE or position.meeples(position.turn or 0) == 0:
            return put, "Place it here"
        then = "Claim a free part, or place it without a meeple"
        return put, then, "Confirm, or choose otherwise"

    def action(self, position: CarcassonnePosition, move: int) -> str:
        """Return what a meeple claims, or that the tile is placed without one."""
        return action(position, move) or super().action(position, move)

    def hint(self, position: CarcassonnePosition, move: int) -> str:
        """Return what the placement does: where it goes is shown."""
        told = self.action(position, move)
        return f"{told[:1].lower()}{told[1:]}"

    def spots(self, position: CarcassonnePosition, move: int) -> Sequence[Spot]:
        """Return the cell, the way the tile is turned, and where the meeple stands."""
        return spots(position, move)

    def objection_at(self, position: CarcassonnePosition, point: tuple[float, float]) -> str:
        """Return why the tile in hand cannot go to a place: it is taken, or no side fits."""
        return refusals.objection_at(position, point)

    def reason_against(self, position: CarcassonnePosition, move: int) -> str:
        """Return why a placement is not legal: the cell, a side that does not match, a meeple."""
        return refusals.reason_against(position, move)
