"""The time that a player has left, by the referee."""

from __future__ import annotations

from typing import NamedTuple


class TimeLeft(NamedTuple):
    """Seconds left to the player to move; None without a limit."""

    move: float | None = None
    """For this move alone."""
    game: float | None = None
    """For all its remaining moves, this one included."""
    increment: float = 0.0
    """Added to ``game`` after each move."""

    @property
    def allowed(self) -> float | None:
        """The seconds for this move, the lower of its limits; None without one."""
        return min((limit for limit in (self.move, self.game) if limit is not None), default=None)

    def budget(self, wanted: float | None, moves_left: int = 30) -> float | None:
        """Return the seconds for this move: the wanted ones, within a safe limit.

        Parameters
        ----------
        wanted
            Seconds by the player's own options; None: as many as the clock allows.
        moves_left
            An estimate of the player's own remaining moves, which share ``game``.
        """
        limits = [] if wanted is None else [wanted]
        if self.move is not None:
            limits.append(0.85 * self.move - 0.005)
        if self.game is not None:
            share = self.game / max(1, moves_left) + 0.8 * self.increment
            limits.append(min(share, 0.5 * self.game) - 0.002)
        return max(0.001, min(limits)) if limits else None


UNLIMITED = TimeLeft()
