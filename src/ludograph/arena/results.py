"""Results of games for tables and ratings: arrays with a row for each game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ludograph.arena.arrays import Bools, Floats, Ints, first_places, labels
from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.arena.finished_game import FinishedGame

Row = tuple[Any, ...]
"""A game as ``(start, seating, ranks)``; see :meth:`Results.of` for what may follow."""

Games: TypeAlias = "Results | Iterable[Row]"
"""Results, or rows that :meth:`Results.of` makes into results."""


@dataclass(frozen=True, eq=False)
class Results:
    """Results of games: row n of each array belongs to the same game.

    Arrays by seat have as many columns as the game with most seats.

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
        int64[games, seats]: by seat, the place of its player in ``names``; -1 for no seat.
    ranks
        int64[games, seats]: by seat, from 1, the best; equal seats share the lower number; 0 for no
        seat.
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
            If a game has not one rank for each player.
        """
        if isinstance(games, Results):
            return games
        rows = [_complete(*game) for game in games]
        columns: Iterable[Sequence[Any]] = zip(*rows, strict=True) if rows else [()] * 7
        starts, seatings, ranks, forfeits, scores, lines, numbers = columns
        names = tuple(dict.fromkeys(chain.from_iterable(seatings)))
        reasons = tuple(dict.fromkeys(("", *filter(None, chain.from_iterable(forfeits)))))
        place = {name: number for number, name in enumerate(names)}
        code = {None: 0, **{reason: number for number, reason in enumerate(reasons)}}
        players = [[place[name] for name in seating] for seating in seatings]
        codes = [[code[reason] for reason in game] for game in forfeits]
        seats = max(map(len, seatings), default=0)
        return cls(
            names,
            reasons,
            numbers=np.array(numbers, np.int64),
            starts=np.array(starts, np.int64),
            lines=np.array(lines, np.int64),
            players=_by_seat(players, seats, -1),
            ranks=_by_seat(ranks, seats, 0),
            forfeits=_by_seat(codes, seats, 0),
            scores=_by_seat(scores, seats, 0.0),
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
        seats = max(self.players.shape[1], other.players.shape[1])
        parts = [each._widened(names, reasons, seats) for each in (self, other)]
        columns = ([getattr(part, name) for part in parts] for name in ARRAYS)
        joined: Iterable[Any] = map(np.concatenate, columns)
        return replace(parts[0], **dict(zip(ARRAYS, joined, strict=True)))

    def _widened(self, names: tuple[str, ...], reasons: tuple[str, ...], seats: int) -> Results:
        """Return the same games, with further players, reasons and seats."""
        missing = ((0, 0), (0, seats - self.players.shape[1]))
        players = places(self.names, names)[self.players]
        forfeits = places(self.reasons, reasons)[self.forfeits]
        return replace(
            self,
            names=names,
            reasons=reasons,
            players=np.pad(players, missing, constant_values=-1),
            ranks=np.pad(self.ranks, missing),
            forfeits=np.pad(forfeits, missing),
            scores=np.pad(self.scores, missing),
        )

    def among(self, players: Collection[str]) -> Results:
        """Return the games of which all players are among some."""
        known = np.array([*(name in players for name in self.names), True])  # -1: no seat
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
    def seatings(self) -> list[tuple[str, ...]]:
        """For each game, the player on each seat."""
        return [
            tuple([self.names[player] for player in game if player >= 0])
            for game in self.players.tolist()
        ]

    @property
    def keys(self) -> list[tuple[int, tuple[str, ...]]]:
        """For each game its start and its seating: its key in a tournament."""
        return list(zip(self.starts.tolist(), self.seatings, strict=True))

    @property
    def seated(self) -> list[str]:
        """The names of all players with games, in the order in which they come first."""
        players = self.players[self.players >= 0]
        first = first_places(players, len(self.names))
        order = np.argsort(first, kind="stable")[: (first < len(players)).sum()]
        return [self.names[player] for player in order.tolist()]

    @property
    def seats(self) -> Ints:
        """int64[games]: the number of seats."""
        return (self.players >= 0).sum(1)

    @property
    def is_void(self) -> Bools:
        """bool[games]: whether all seats forfeited: such a game says nothing about strength."""
        out: Bools = (self.forfeits > 0) | (self.players < 0)
        return np.logical_and.reduce(out, 1)

    @cached_property
    def points(self) -> Floats:
        """float64[games, seats]: the share of the others that a seat beat, ties counting half.

        With two seats that is 1 for a win, 1/2 for a draw, 0 for a loss. If all seats forfeited,
        all have 0 points.
        """
        own, other = self.ranks[:, :, None], self.ranks[:, None, :]
        beaten, tied = (other > own).sum(2), (other == own).sum(2) - 1
        others = np.maximum(self.seats - 1, 1)[:, None]
        counts = (self.players >= 0) & ~self.is_void[:, None]
        return np.where(counts, (beaten + tied / 2) / others, 0.0)

    @property
    def counts(self) -> dict[str, int]:
        """By player: the number of its games."""
        played = np.bincount(self.players[self.players >= 0], minlength=len(self.names))
        return dict(zip(self.names, played.tolist(), strict=True))

    @property
    def totals(self) -> dict[str, float]:
        """By player: the sum of its points, added in the order of the games."""
        there = self.players >= 0
        sums = np.bincount(self.players[there], self.points[there], len(self.names))
        return dict(zip(self.names, sums.astype(np.float64).tolist(), strict=True))


ARRAYS = tuple(field.name for field in fields(Results) if field.name not in ("names", "reasons"))


def places(texts: Iterable[str], among: Sequence[str]) -> Ints:
    """Return the place of each text among others; then -1, so that -1 has the place -1."""
    place = {text: number for number, text in enumerate(among)}
    return np.array([*map(place.__getitem__, texts), -1], np.int64)


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
    """Return a row with all of its fields; raise InvalidInput if one has not a value for a seat."""
    seats = len(seating)
    for name, values in (("ranks", ranks), ("forfeits", forfeits), ("scores", scores)):
        if len(values) != seats and (len(values) or name == "ranks"):
            raise InvalidInput(f"start {start}: {seats} players and {len(values)} {name}")
    return start, seating, ranks, forfeits, scores, line, number


def _by_seat(rows: Sequence[Sequence[Any]], seats: int, fill: float) -> Any:
    """Return an array [games, seats], with a number where a row is too short."""
    filled = [(*row, *[fill] * (seats - len(row))) for row in rows]
    return np.array(filled, type(fill)).reshape(len(rows), seats)
