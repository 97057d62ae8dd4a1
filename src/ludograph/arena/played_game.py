"""A played game for ratings and tables: seating, ranks and forfeits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from ludograph.errors import InvalidInput


class GameKey(NamedTuple):
    """The key that identifies a game of a tournament, played or not.

    Attributes
    ----------
    start
        The number of the start in the tournament's list of starts (seeds, boards, openings).
    seating
        The player on each seat, in turn order.
    """

    start: int
    seating: tuple[str, ...]


class Forfeit(NamedTuple):
    """A seat that lost by a fault, and the reason, such as ``timeout``."""

    seat: int
    reason: str


class PlayedGame(NamedTuple):
    """A finished game.

    Attributes
    ----------
    start, seating
        As in :class:`GameKey`.
    ranks
        One number per seat from 1, the best; equal seats share the lower number.
    scores
        One number per seat, or nothing; ratings do not read them.
    forfeits
        Seats that dropped out. If all did, no player is better than another.
    line
        A digest of the start and all moves; 0 if it is not known.
    """

    start: int
    seating: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[float, ...] = ()
    forfeits: tuple[Forfeit, ...] = ()
    line: int = 0

    @property
    def key(self) -> GameKey:
        """The key under which it was scheduled."""
        return GameKey(self.start, self.seating)

    @property
    def is_void(self) -> bool:
        """Whether all seats forfeited: such a game says nothing about strength."""
        return len(self.forfeits) >= len(self.seating) and (
            len({forfeit.seat for forfeit in self.forfeits}) == len(self.seating)
        )

    @property
    def points(self) -> tuple[float, ...]:
        """Points by seat: the share of the others that it beat, ties counting half.

        With two seats that is 1 for a win, 1/2 for a draw, 0 for a loss. If all seats forfeited,
        all have 0 points.

        Examples
        --------
        >>> PlayedGame(0, ("ann", "bob"), (1, 1)).points
        (0.5, 0.5)
        >>> PlayedGame(0, ("ann", "bob", "cid"), (2, 1, 2)).points
        (0.25, 1.0, 0.25)
        """
        if self.is_void or len(self.ranks) == 1:
            return (0.0,) * len(self.ranks)
        return points_of(self.ranks)


def without_repeats(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """Return games without those that repeat an earlier one move by move, with the same seating.

    Repetitions give no new information: two deterministic players play the same game each time they
    meet. Games with an unknown line are all kept.

    Examples
    --------
    >>> again = [PlayedGame(start, ("ann", "bob"), (1, 2), line=7) for start in range(3)]
    >>> without_repeats(again) == again[:1]
    True
    """
    first: dict[int, PlayedGame] = {}  # by line; few lines have several games
    further: set[tuple[object, ...]] = set()
    found = []
    for game in games:
        line = game.line
        if not line or (same := first.get(line)) is None:
            first[line] = game
            found.append(game)
        elif (what := _content(game)) != _content(same) and what not in further:
            further.add(what)
            found.append(game)
    return found


def _content(game: PlayedGame) -> tuple[object, ...]:
    """Return the content that games share if they repeat each other."""
    return (game.line, game.seating, game.ranks, game.forfeits)


@lru_cache(4096)
def points_of(ranks: tuple[int, ...]) -> tuple[float, ...]:
    """Return points by seat, of two or more: the share of the others that it beat."""
    return tuple(
        (sum(other > own for other in ranks) + (ranks.count(own) - 1) / 2) / (len(ranks) - 1)
        for own in ranks
    )


def check_games(games: Sequence[PlayedGame]) -> int:
    """Return the number of seats of the games; raise InvalidInput if it differs.

    A table of ratings needs games with one number of seats, two at least.
    """
    seatings, ranks = (map(len, map(attrgetter(name), games)) for name in ("seating", "ranks"))
    shapes = set(zip(seatings, ranks, strict=True))
    seats = len(games[0].seating) if games else 0
    if shapes - {(seats, seats)}:
        wrong = next(g for g in games if (len(g.seating), len(g.ranks)) != (seats, seats))
        raise InvalidInput(
            f"start {wrong.start}: {len(wrong.seating)} players and {len(wrong.ranks)} ranks "
            f"among games of {seats} seats"
        )
    if seats == 1:
        raise InvalidInput("games of one seat compare no players, so there is nothing to rate")
    return seats
