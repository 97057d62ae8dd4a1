"""The outcome of a game for all seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game.

    Attributes
    ----------
    scores
        One number per seat, more is better.
    ranks
        One number per seat from 1, the best; equal seats share the lower number.
    """

    scores: tuple[float, ...]
    ranks: tuple[int, ...]

    @classmethod
    def from_scores(cls, scores: Iterable[float], left: Mapping[int, int] | None = None) -> Outcome:
        """Rank the seats by score; those that left the game come after all others.

        Parameters
        ----------
        left
            Eliminated seats, each with its ply: the earlier, the lower its rank.

        Examples
        --------
        >>> Outcome.from_scores([3.0, 5.0, 5.0]).ranks
        (3, 1, 1)
        >>> Outcome.from_scores([9.0, 5.0, 6.0], left={0: 12}).ranks
        (3, 2, 1)
        """
        scores = tuple(scores)
        left = left or {}
        keys = [(seat not in left, left.get(seat, score)) for seat, score in enumerate(scores)]
        ranks = tuple(1 + sum(other > own for other in keys) for own in keys)
        return cls(scores, ranks)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1; several of them share a draw."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    @property
    def winner(self) -> int | None:
        """The only seat of rank 1, or None for a draw."""
        return self.winners[0] if len(self.winners) == 1 else None
