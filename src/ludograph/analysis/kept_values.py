"""The players' own values of their positions, stored in the record of a game."""

from __future__ import annotations

from typing import NamedTuple

from ludograph.games.analysis_info import AnalysisInfo
from ludograph.games.from_search import WIN
from ludograph.referee.record import Record

HALF = 0.5


class KeptValue(NamedTuple):
    """A player's value of the position before its move.

    Attributes
    ----------
    value
        The value for the player itself: 0 is lost, 1 is won.
    proven
        Whether the player marked it as certain.
    """

    value: float
    proven: bool

    @property
    def verdict(self) -> str | None:
        """``won`` or ``lost`` if that is proven; else None."""
        if not self.proven or self.value == HALF:
            return None
        return "won" if self.value > HALF else "lost"


def kept_values(record: Record) -> list[KeptValue | None]:
    """Return the stored value of each move of a seat, in order; None if there is none.

    Values with another measure than chances to win are left out.
    """
    found: list[KeptValue | None] = []
    for event in record.events:
        if event.move is None or event.seat is None:
            continue
        found.append(None if event.thoughts is None else _kept(event.thoughts))
    return found


def _kept(info: AnalysisInfo) -> KeptValue | None:
    if info.measure != WIN or info.value is None or not 0.0 <= info.value <= 1.0:
        return None
    return KeptValue(info.value, info.proven)
