"""Results of games for tables and ratings: arrays with a row for each game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from ludograph.arena.arrays import Bools, Floats, Ints, first_places, labels
from ludograph.arena.finished_game import FinishedGame, Row
from ludograph.errors import InvalidInput

Games: TypeAlias = "Results | Iterable[Row]"
"""Results, or rows that :meth:`Results.of` makes into results."""


@dataclass(frozen=True, eq=False)
class Results:
    """Results of games with one number of seats: row n of each array belongs to the same game.

    Attributes
    ----------
    names
        The players; some of them may have no game.
    reasons
        Reasons of forfeits, such as ``timeout``; the first one is empty.
    numbers
        int64[games]: the numbers of the games in a store; 0 for games of no store.
    starts
        int64[games]: the number of the start in the tournament's list of starts.
    lines
        int64[games]: digests of the start and all moves; 0 if it is not known.
    players
        int64[games, seats]: by seat, the place of its player in ``names``.
    ranks
        int64[games, seats]: by seat, from 1, the best; equal seats share the lower number.
    forfeits
        int64[games, seats]: by seat, the place of the reason of its forfeit in ``reasons``; 0 if it
        did not forfeit. If all seats did, no player is better than another.
    scores
        float64[games, seats]: by seat; ratings do not read them.

    Examples
    --------
    >>> games = Results.of([(0, ("ann", "bob"), (1, 2)), (1, ("bob", "ann"), (1, 1))])
    >>> games.points.tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    >>> games[games.starts > 0].seatings
    [('bob', 'ann')]
    """

    names: tuple[str, ...]
    reasons: tuple[str, ...]
    numbers: Ints
    starts: Ints
    lines: Ints
    players: Ints
    ranks: Ints
    forfeits: Ints
    scores: Floats

    @classmethod
    def of(cls, games: Games) -> Results:
        """Return the results of games given as rows; results are returned as they are.

        Parameters
        ----------
        games
            Rows ``(start, seating, ranks)``: the number of the start, and by seat the names of the
            players and their ranks. These may follow: by seat the reasons of forfeits (empty or
            None for a seat without one), and the scores; the line, and the number in a store.

        Raises
        ------
        InvalidInput
            If games have different numbers of seats.
        """
        if isinstance(games, Results):
            return games
        rows = [_complete(*game) for game in games]
        columns: Iterable[Sequence[Any]] = zip(*rows, strict=True) if rows else [()] * 7
        starts, seatings, ranks, forfeits, scores, lines, numbers = columns
        names = tuple(dict.fromkeys(chain.from_iterable(seatings)))
        reasons = tuple(dict.fromkeys(chain([""], chain.from_iterable(forfeits))))
        shape = (len(rows), len(seatings[0]) if rows else 0)
        by_seat = {"players": seatings, "ranks": ranks, "forfeits": forfeits, "scores": scores}
        for what, column in by_seat.items():
            for start, values in zip(starts, column, strict=True):
                if len(values) != shape[1]:
                    told = f"{len(values)} {what} among games of {shape[1]} seats"
                    raise InvalidInput(f"start {start}: {told}")
        return cls(
            names,
            reasons,
            numbers=np.array(numbers, np.int64),
            starts=np.array(starts, np.int64),
            lines=np.array(lines, np.int64),
            players=places(chain.from_iterable(seatings), names).reshape(shape),
            ranks=np.array(ranks, np.int64).reshape(shape),
            forfeits=places(chain.from_iterable(forfeits), reasons).reshape(shape),
            scores=np.array(scores, np.float64).reshape(shape),
        )

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.starts)

    def __getitem__(self, games: slice | Bools | Ints) -> Results:
        """Return some of the games."""
        return replace(self, **{name: getattr(self, name)[games] for name in ARRAYS})

    def __add__(self, other: Results) -> Results:
        """Return these games, then others."""
        names = tuple(dict.fromkeys(self.names + other.names))
        reasons = tuple(dict.fromkeys(self.reasons + other.reasons))
        parts = [
            replace(
                part,
                names=names,
                reasons=reasons,
                players=places(part.names, names)[part.players],
                forfeits=places(part.reasons, reasons)[part.forfeits],
            )
            for part in (self, other)
            if len(part)
        ]
        if len(parts) < 2:
            return parts[0] if parts else self
        both: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS
        }
        return replace(parts[0], **both)

    def among(self, players: Collection[str]) -> Results:
        """Return the games of which all players are among some."""
        known = np.array([name in players for name in self.names], np.bool_)
        return self[np.logical_and.reduce(known[self.players], 1)]

    def renamed(self, called: Callable[[str], str]) -> Results:
        """Return the same games with other names of the players; some may have one in common."""
        new = [called(name) for name in self.names]
        names = tuple(dict.fromkeys(new))
        return replace(self, names=names, players=places(new, names)[self.players])

    def sorted(self) -> Results:
        """Return the games in order of their starts, seatings and ranks."""
        seated = places(self.names, sorted(self.names))[self.players]
        return self[np.lexsort((*self.ranks.T[::-1], *seated.T[::-1], self.starts))]

    def without_repeats(self) -> Results:
        """Return the games without those that repeat an earlier one move by move.

        They have the same players on the same seats. Repetitions give no new information: two
        deterministic players play the same game each time they meet. Games with an unknown line are
        all kept.

        Examples
        --------
        >>> again = [(start, ("ann", "bob"), (1, 2), (), (), 7) for start in range(3)]
        >>> Results.of(again).without_repeats().starts.tolist()
        [0]
        """
        content = [self.lines[:, None], self.players, self.ranks, self.forfeits]
        kind = labels(np.concatenate(content, 1))
        first = first_places(kind, len(kind))[kind]
        return self[(self.lines == 0) | (first == np.arange(len(self)))]

    @property
    def seats(self) -> int:
        """The number of seats of each game."""
        return self.players.shape[1]

    @property
    def seatings(self) -> list[tuple[str, ...]]:
        """For each game, the player on each seat."""
        return [tuple([self.names[player] for player in game]) for game in self.players.tolist()]

    @property
    def keys(self) -> list[tuple[int, tuple[str, ...]]]:
        """For each game its start and its seating: its key in a tournament."""
        return list(zip(self.starts.tolist(), self.seatings, strict=True))

    @property
    def seated(self) -> list[str]:
        """The names of all players with games, in the order in which they come first."""
        first = first_places(self.players.ravel(), len(self.names))
        order = np.argsort(first, kind="stable")[: (first < self.players.size).sum()]
        return [self.names[player] for player in order.tolist()]

    @property
    def is_void(self) -> Bools:
        """bool[games]: whether all seats forfeited: such a game says nothing about strength."""
        return np.logical_and.reduce(self.forfeits > 0, 1)

    @cached_property
    def points(self) -> Floats:
        """float64[games, seats]: the share of the others that a seat beat, ties counting half.

        With two seats that is 1 for a win, 1/2 for a draw, 0 for a loss. If all seats forfeited,
        all have 0 points.
        """
        own, other = self.ranks[:, :, None], self.ranks[:, None, :]
        beaten, tied = (other > own).sum(2), (other == own).sum(2) - 1
        shares = (beaten + tied / 2) / max(self.seats - 1, 1)
        return np.where(self.is_void[:, None], 0.0, shares)

    @property
    def counts(self) -> dict[str, int]:
        """By player: the number of its games."""
        played = np.bincount(self.players.ravel(), minlength=len(self.names))
        return dict(zip(self.names, played.tolist(), strict=True))

    @property
    def totals(self) -> dict[str, float]:
        """By player: the sum of its points, added in the order of the games."""
        sums = np.bincount(self.players.ravel(), self.points.ravel(), len(self.names))
        return dict(zip(self.names, sums.astype(np.float64).tolist(), strict=True))


ARRAYS = tuple(field.name for field in fields(Results) if field.name not in ("names", "reasons"))


def places(texts: Iterable[str], among: Sequence[str]) -> Ints:
    """Return the place of each text among others."""
    place = {text: number for number, text in enumerate(among)}
    return np.array([place[text] for text in texts], np.int64)


class RunningResults:
    """Results of games, to which further ones are added as they end.

    Parameters
    ----------
    most
        The number of the latest games that are held.
    """

    def __init__(self, games: Results, most: int = sys.maxsize) -> None:
        self._games, self._most = games, most
        self._new: list[Row] = []

    def __len__(self) -> int:
        return min(len(self._games) + len(self._new), self._most)

    def add(self, game: FinishedGame) -> None:
        """Add a game that has ended."""
        self._new.append(game.row)

    @property
    def results(self) -> Results:
        """The results so far; arrays grow only when they are asked for."""
        if self._new:
            self._games = (self._games + Results.of(self._new))[-self._most :]
            self._new.clear()
        return self._games


def _complete(
    start: int,
    seating: Sequence[str],
    ranks: Sequence[int],
    forfeits: Sequence[str | None] = (),
    scores: Sequence[float] = (),
    line: int = 0,
    number: int = 0,
) -> Row:
    """Return a row with all of its fields."""
    seats = len(seating)
    reasons = [reason or "" for reason in forfeits] or [""] * seats
    return start, seating, ranks, reasons, scores or [0.0] * seats, line, number


NO_RESULTS = Results.of(())
