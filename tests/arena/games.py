"""Games for the tests of the arena, as the rows that ratings, tables and schedules take."""

from typing import NamedTuple

WON, LOST, DRAWN = (1, 2), (2, 1), (1, 1)


class Row(NamedTuple):
    """A row for :meth:`ludograph.arena.Results.of`."""

    start: int
    seating: tuple[str, ...]
    ranks: tuple[int, ...] = WON
    forfeits: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    line: int = 0

    @property
    def key(self):
        return self.start, self.seating

    @property
    def points(self):
        """Points by seat, counted pair by pair."""
        if self.forfeits and all(self.forfeits):
            return [0.0] * len(self.ranks)
        return [
            sum((other > own) + (other == own) / 2 for m, other in enumerate(self.ranks) if m != n)
            / (len(self.ranks) - 1)
            for n, own in enumerate(self.ranks)
        ]


def game(start, seating, ranks=WON, *forfeits):
    """``game(0, "ab")``: a beat b; forfeits are seats with their reasons."""
    reasons = dict(forfeits)
    by_seat = tuple(reasons.get(seat, "") for seat in range(len(seating))) if reasons else ()
    return Row(start, tuple(seating), ranks, by_seat)


def rows(results):
    """The games of results, one by one."""
    columns = (results.ranks, results.forfeits, results.scores, results.lines)
    return [
        Row(
            start,
            seating,
            tuple(ranks),
            tuple(results.reasons[one] for one in forfeits) if any(forfeits) else (),
            tuple(scores),
            line,
        )
        for (start, seating), ranks, forfeits, scores, line in zip(
            results.keys, *(column.tolist() for column in columns), strict=True
        )
    ]


def match(one, other, wins, draws, losses, first=0):
    """Games on starts of their own, with seats that take turns."""
    results = [2] * wins + [1] * draws + [0] * losses
    games = []
    for number, points in enumerate(results):
        seating = (one, other) if number % 2 else (other, one)
        own = points if number % 2 else 2 - points
        games.append(game(first + number, seating, (LOST, DRAWN, WON)[own]))
    return games


def by_name(keys, strength=None):
    """Play games: the stronger one wins, or else the one that is first in the alphabet."""
    worth = (lambda name: (strength[name], name)) if strength else (lambda name: (name,))
    order = {key: sorted(key.seating, key=worth, reverse=strength is not None) for key in keys}
    return [
        Row(key.start, key.seating, tuple(order[key].index(name) + 1 for name in key.seating))
        for key in keys
    ]
