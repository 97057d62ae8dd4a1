"""Round-robin and gauntlet: all players meet each other, or one of them meets all others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random

from ludograph.arena.finished_game import GameKey
from ludograph.arena.results import Games
from ludograph.arena.schedules.seatings import (
    Pairing,
    check_number,
    check_players,
    rotations,
    without,
)
from ludograph.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """All combinations of players on each start, those with a challenger, or a balanced sample.

    Attributes
    ----------
    starts
        The number of starts.
    seats
        The number of seats of the game.
    sample
        On each start each player plays at one table only, with opponents that it has met least,
        drawn among equals. For games of three seats and more, which have too many combinations.
    seed
        The seed of the sample.
    challenger
        The player of a gauntlet that sits at each table; None: all combinations are played.

    Raises
    ------
    InvalidInput
        If a number is below 1, a player is there twice, too few are there, or the challenger is not
        one of them.

    Examples
    --------
    >>> [key.seating for key in RoundRobin(("ann", "bob", "cid"), starts=1).remaining(())]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('ann', 'bob'), ('bob', 'ann'), ('ann', 'cid'), ('cid', 'ann'),
     ('bob', 'cid'), ('cid', 'bob')]
    """

    players: tuple[str, ...]
    starts: int
    seats: int = 2
    sample: bool = False
    seed: int = 0
    challenger: str | None = None

    def __post_init__(self) -> None:
        """Check the fields; raise InvalidInput."""
        check_players(self.players, self.seats)
        check_number("starts", self.starts)
        if self.challenger not in (None, *self.players):
            raise InvalidInput(f"challenger {self.challenger!r} does not take part")

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return all games that are not finished, start by start."""
        keys = (key for pairing in self.pairings() for key in rotations(pairing))
        return without(keys, finished)

    def pairings(self) -> Iterator[Pairing]:
        """Yield the pairings, start by start."""
        if self.sample:
            yield from sampled(self.players, self.starts, self.seats, self.seed)
            return
        for start in range(self.starts):
            for table in combinations(self.players, self.seats):
                if self.challenger is None or self.challenger in table:
                    yield Pairing(start, table)


def sampled(players: tuple[str, ...], starts: int, seats: int, seed: int) -> Iterator[Pairing]:
    """Yield tables at which each player sits once on each start, with opponents it has met least.

    If the number of players is no multiple of the seats, those rest that have rested least.
    """
    random = Random(seed)
    met: dict[frozenset[str], int] = {}
    rests = dict.fromkeys(players, 0)
    for start in range(starts):
        order = random.sample(players, len(players))
        order.sort(key=lambda player: -rests[player])  # those that rested most play first
        playing = len(players) - len(players) % seats
        for player in order[playing:]:
            rests[player] += 1
        left = random.sample(order[:playing], playing)
        while left:
            table = [left.pop()]
            while len(table) < seats:
                fewest = min(left, key=lambda other: _meetings(met, table, other))
                left.remove(fewest)
                table.append(fewest)
            for pair in map(frozenset, combinations(table, 2)):
                met[pair] = met.get(pair, 0) + 1
            yield Pairing(start, tuple(table))


def _meetings(met: dict[frozenset[str], int], table: list[str], other: str) -> int:
    return sum(met.get(frozenset((one, other)), 0) for one in table)
