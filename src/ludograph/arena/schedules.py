"""Formats of tournaments: pure functions from finished games to those that come next.

Seatings of players on a start are exchanged so that they are fair. In a Swiss tournament round r is
played on start r. So the round under way follows from the finished games, and a tournament that was
killed continues in the middle of a round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from ludograph.arena.arrays import Floats
from ludograph.arena.finished_game import GameKey
from ludograph.arena.overtime import MOST, OVERTIME
from ludograph.arena.results import Games, Results
from ludograph.errors import InvalidInput
from ludograph.formatting import counted


class Pairing(NamedTuple):
    """Players that meet on one start, as many as the game has seats."""

    start: int
    players: tuple[str, ...]


class Schedule(Protocol):
    """A format of tournaments: a pure function from finished games to those that come next.

    Called again with more finished games, in any order, it returns the remaining ones. So a
    tournament can go on after any interruption: its state is the set of finished games.
    """

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return the games that can be played now; none if the tournament is over.

        Games under way are among them, since they are not finished.

        Parameters
        ----------
        finished
            Games of this tournament, as results or as rows for
            :meth:`ludograph.arena.Results.of`; those of other players have no influence.
        """
        ...


def rotations(pairing: Pairing) -> list[GameKey]:
    """Return games in which each player has each seat once.

    Two players exchange seats. Three players and more move on by one seat from game to game; on the
    next start they sit in the reverse order, so that each follows each other equally often.
    """
    order = pairing.players
    if len(order) > 2 and pairing.start % 2:
        order = order[::-1]
    return [GameKey(pairing.start, order[turn:] + order[:turn]) for turn in range(len(order))]


def without(keys: Iterable[GameKey], finished: Games) -> list[GameKey]:
    """Return the keys of games that are not finished."""
    done = set(Results.of(finished).keys)
    return [key for key in keys if key not in done]


def check_players(players: Sequence[str], seats: int) -> None:
    """Raise InvalidInput if a player is there twice, or there are too few for a game."""
    if seats < 2:
        raise InvalidInput(f"a tournament needs a game of two seats or more, not {seats}")
    if len(set(players)) < len(players):
        twice = next(player for player in players if players.count(player) > 1)
        raise InvalidInput(f"player {twice!r} takes part twice")
    if len(players) < seats:
        there = counted(len(players), "player")
        raise InvalidInput(f"{there} for a game of {seats} seats")


def check_number(name: str, value: int) -> None:
    """Raise InvalidInput if a number is below 1."""
    if value < 1:
        raise InvalidInput(f"{name} {value}: 1 at least")


@dataclass(frozen=True, slots=True)
class Series:
    """Games of all players, with numbers from 0: each start is played with every seating.

    Attributes
    ----------
    players
        As many as the game has seats, with different names.
    games
        Their number; the last start may have fewer seatings.
    starter
        The place of the player on seat 0, or a function of the game's number that returns it. Each
        game then has a start of its own. None: the players begin in turn.

    Raises
    ------
    InvalidInput
        If a player is there twice.

    Examples
    --------
    >>> [tuple(key) for key in Series(("ann", "bob"), 3).remaining(())]
    [(0, ('ann', 'bob')), (0, ('bob', 'ann')), (1, ('ann', 'bob'))]
    """

    players: tuple[str, ...]
    games: int
    starter: int | Callable[[int], int] | None = None

    def __post_init__(self) -> None:
        """Check the names; raise InvalidInput."""
        if len(set(self.players)) < len(self.players):
            raise InvalidInput(f"players must have different names, got {', '.join(self.players)}")

    def key(self, number: int) -> GameKey:
        """Return the key of a game by its number."""
        count, starter = len(self.players), self.starter
        start, first = divmod(number, count)
        if starter is not None:
            start, first = number, (starter(number) if callable(starter) else starter) % count
        return GameKey(start, self.players[first:] + self.players[:first])

    def number(self, key: GameKey) -> int:
        """Return the number of a game."""
        if self.starter is not None:
            return key.start
        return key.start * len(self.players) + self.players.index(key.seating[0])

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return all games that are not finished, in the order of their numbers."""
        return without(map(self.key, range(self.games)), Results.of(finished))


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


@dataclass(frozen=True, slots=True)
class Swiss:
    """Players with similar points meet, and meet new opponents as far as possible.

    All players play in each round. If their number is no multiple of the seats, the last ones in
    points among those that rested least have a bye, which counts like wins.

    Attributes
    ----------
    rounds
        The binary logarithm of the number of players is enough to find a winner; more rounds make a
        table.
    seed
        Decides between equal points, and the first round.

    Raises
    ------
    InvalidInput
        If a number is below 1, a player is there twice, or too few are there.
    """

    players: tuple[str, ...]
    rounds: int
    seats: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the fields; raise InvalidInput."""
        check_players(self.players, self.seats)
        check_number("rounds", self.rounds)

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return the remaining games of the round under way, or those of the next round."""
        games = Results.of(finished).among(self.players).sorted()
        count = Counter(games.starts.tolist())
        whole = len(self.players) // self.seats * self.seats
        number = next((number for number in range(self.rounds) if count[number] < whole), None)
        if number is None:
            return []
        pairings = self.pair(number, games[games.starts < number])
        keys = (key for pairing in pairings for key in rotations(pairing))
        return without(keys, games)

    def pair(self, number: int, before: Results) -> list[Pairing]:
        """Return the pairings of a round, given the games of the rounds before."""
        order = Random(f"{self.seed} {number}").sample(self.players, len(self.players))
        tables = Counter(player for start in _tables(before) for player in start[1])
        totals, gained = before.totals, {}
        for player in self.players:
            rest = (number - tables[player]) * self.seats  # for rounds of rest
            gained[player] = totals.get(player, 0.0) + rest
        order.sort(key=lambda player: -gained[player])
        return _matched(number, order, tables, _met(before), self.seats)


def most_valuable(
    value: Floats,
    players: Sequence[str],
    start: int,
    seats: int = 2,
    tables: Counter[str] | None = None,
) -> list[Pairing]:
    """Return tables at which each player sits once, the most valuable ones first.

    Parameters
    ----------
    value
        float64[players, players]: of each pair of players.
    players
        In the order that decides between equal values.
    tables
        How often each player has played. If their number is no multiple of the seats, those that
        played most rest.
    """
    count = tables or Counter()
    resting = len(players) % seats
    free = set(range(len(players)))
    if resting:
        most = sorted(free, key=lambda one: count[players[one]])
        free -= set(most[-resting:])
    pairings = []
    ones, others = np.triu_indices(len(players), 1)
    order = np.argsort(-value[ones, others], kind="stable")
    for one, other in zip(ones[order].tolist(), others[order].tolist(), strict=True):
        if not free:
            break
        if one not in free or other not in free:
            continue
        table = [one, other]
        free -= {one, other}
        while len(table) < seats:
            best = max(sorted(free), key=lambda player: sum(value[player, table]))
            table.append(best)
            free.remove(best)
        pairings.append(Pairing(start, tuple(players[player] for player in table)))
    return pairings


def _tables(games: Results) -> set[tuple[int, frozenset[str]]]:
    return {(start, frozenset(seating)) for start, seating in games.keys}


def _met(games: Results) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(pair)
        for _, table in sorted((start, sorted(table)) for start, table in _tables(games))
        for pair in combinations(table, 2)
    )


def _matched(
    number: int,
    order: Sequence[str],
    tables: Counter[str],
    met: Counter[frozenset[str]],
    seats: int,
) -> list[Pairing]:
    """Fill tables from the top; each player meets the nearest of those it has met least."""
    left = list(order)
    for _ in range(len(order) % seats):
        most = max(tables[player] for player in left)
        resting = next(player for player in reversed(left) if tables[player] == most)
        left.remove(resting)
    filled: list[list[str]] = []
    while left:
        table = [left.pop(0)]
        while len(table) < seats:
            other = min(left, key=lambda one: sum(met[frozenset((one, at))] for at in table))
            left.remove(other)
            table.append(other)
        filled.append(table)
    if seats == 2:
        _mend(filled, met)
    return [Pairing(number, tuple(table)) for table in filled]


def _mend(tables: list[list[str]], met: Counter[frozenset[str]]) -> None:
    """Exchange opponents between pairs, the nearest first, so that fewer players meet again.

    Filling tables from the top may leave players for the last tables that have met before.
    """
    for place in reversed(range(len(tables))):
        again = met[frozenset(tables[place])]
        for other in sorted(range(len(tables)), key=lambda one: abs(one - place)):
            if not again or other == place:
                continue
            (a, b), (c, d) = tables[place], tables[other]
            now = again + met[frozenset((c, d))]
            for pairs in (((a, c), (b, d)), ((a, d), (b, c))):
                if sum(met[frozenset(pair)] for pair in pairs) < now:
                    tables[place], tables[other] = list(pairs[0]), list(pairs[1])
                    again = met[frozenset(pairs[0])]
                    break


@dataclass(frozen=True, slots=True)
class Duel:
    """A match of the bracket.

    Attributes
    ----------
    players
        None for a player that is not known yet, and for a bye: then the other player advances.
    open
        Games that can be played now.
    winner
        None while the match is not decided.
    points
        The points of each player, in the games that count so far.
    overtime
        The number of pairs of games after a tie, the one under way included.
    """

    players: tuple[str | None, str | None]
    open: tuple[GameKey, ...]
    winner: str | None
    points: tuple[float, float] = (0.0, 0.0)
    overtime: int = 0

    @property
    def decided_by(self) -> Literal["points", "seed", "bye"] | None:
        """The reason of the win; after a tie in all overtime the higher seed wins."""
        if self.winner is None:
            return None
        if None in self.players:
            return "bye"
        return "seed" if self.points[0] == self.points[1] else "points"


@dataclass(frozen=True, slots=True)
class Knockout:
    """A bracket of matches between two players; games of two seats only.

    Players are seeded in the given order. The best players meet late: one half of the
    bracket holds the first seed, the other half the second, and so on. If their number is no power
    of two, the first seeds skip the first round. The player with more points in a match advances.
    After a tie, pairs of games on further starts are played, ``overtime`` at most, until one player
    is ahead; otherwise the higher seed advances.

    Attributes
    ----------
    starts
        The number of starts of each match, with two games on each.
    overtime
        The most pairs of games after a tie, from 0 to 500.

    Raises
    ------
    InvalidInput
        If a number is below 1, a player is there twice, or fewer than two are there.
    """

    players: tuple[str, ...]
    starts: int
    overtime: int = OVERTIME

    def __post_init__(self) -> None:
        """Check the fields; raise InvalidInput."""
        check_players(self.players, 2)
        check_number("starts", self.starts)
        if not 0 <= self.overtime <= MOST:
            raise InvalidInput(f"overtime {self.overtime}: 0 to {MOST} pairs")

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return the games of all matches whose players are known and that are not decided."""
        return [key for row in self.bracket(finished) for duel in row for key in duel.open]

    def bracket(self, finished: Games) -> list[list[Duel]]:
        """Return the matches, round by round; the last round is the final."""
        finished, seeded = Results.of(finished), self.players
        place = {player: number for number, player in enumerate(seeded)}
        size = 1 << (len(seeded) - 1).bit_length()
        slots: list[str | None] = [
            seeded[number] if number < len(seeded) else None for number in bracket_order(size)
        ]
        rounds = []
        first = True
        while len(slots) > 1:
            pairs = zip(slots[::2], slots[1::2], strict=True)
            duels = [self._duel(one, other, finished, place, byes=first) for one, other in pairs]
            rounds.append(duels)
            slots = [duel.winner for duel in duels]
            first = False
        return rounds

    def winner(self, finished: Games) -> str | None:
        """Return the winner of the tournament; None while it goes on."""
        return self.bracket(finished)[-1][0].winner

    def _duel(
        self,
        one: str | None,
        other: str | None,
        finished: Results,
        place: dict[str, int],
        *,
        byes: bool,
    ) -> Duel:
        if one is None or other is None:
            return Duel((one, other), (), (one or other) if byes else None)
        pair = (one, other)
        mine = finished.among(pair)
        regular = mine[mine.starts < self.starts]
        keys = [key for start in range(self.starts) for key in rotations(Pairing(start, pair))]
        left, pairs = without(keys, regular), 0
        total = {player: regular.totals.get(player, 0.0) for player in pair}
        while not left and total[one] == total[other] and pairs < self.overtime:
            start, pairs = self.starts + pairs, pairs + 1
            played = mine[mine.starts == start]
            left = without(rotations(Pairing(start, pair)), played)
            for player in pair:
                total[player] += played.totals.get(player, 0.0)
        counted = (total[one], total[other])
        if left:
            return Duel(pair, tuple(left), None, counted, pairs)
        if total[one] != total[other]:
            return Duel(pair, (), max(pair, key=total.__getitem__), counted, pairs)
        return Duel(pair, (), min(pair, key=place.__getitem__), counted, pairs)


def knockout_of(declaration: Mapping[str, Any]) -> Knockout | None:
    """Return the bracket of a tournament as the store declares it; None of another format."""
    if declaration["format"] != "knockout":
        return None
    overtime = declaration.get("overtime", OVERTIME)
    return Knockout(
        tuple(declaration["names"]),
        declaration["games"] // declaration["seats"],
        overtime if isinstance(overtime, int) else MOST,  # it was "until-decided" in old stores
    )


def round_name(matches: int) -> str:
    """Return the name of a round with this number of matches.

    Examples
    --------
    >>> [round_name(matches) for matches in (1, 2, 4, 8)]
    ['final', 'semifinals', 'quarterfinals', 'round of 16']
    """
    names = {1: "final", 2: "semifinals", 4: "quarterfinals"}
    return names.get(matches, f"round of {2 * matches}")


def bracket_order(size: int) -> list[int]:
    """Return the seeds from top to bottom of a bracket of a power of two.

    Examples
    --------
    >>> bracket_order(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < size:
        last = 2 * len(order) - 1
        order = [seed for one in order for seed in (one, last - one)]
    return order
