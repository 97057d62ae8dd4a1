"""Pairings for the next games of a ladder, and further anchors that bound open intervals."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence, Set
from itertools import chain, combinations, permutations
from operator import attrgetter
from random import Random
from typing import NamedTuple

import numpy as np

from ludograph.arena.played_game import PlayedGame, check_games, without_repeats
from ludograph.arena.ratings.fit import closure, scored
from ludograph.arena.ratings.model import Floats, arrays, stages
from ludograph.arena.schedules import Pairing
from ludograph.arena.schedules.information import pair_values
from ludograph.arena.schedules.rounds import most_valuable
from ludograph.games.declaration import Declaration

SHARE = 0.02
"""Pairings are planned for this share of the games so far, since planning takes time."""

FEW_TABLES = 4
"""The least number of tables that are planned at a time, where there are few players."""

FIRST_ROUNDS = 3
"""Opponents that a version without enough games is given at a time, at most."""

DIGITS = 9
"""Values are rounded to this number of digits: further digits, and so pairings, depend on the
processor."""

PAST = 100
"""The most versions that no longer play, in the games that ratings are computed from."""


def next_pairings(
    players: Sequence[str],
    games: Sequence[PlayedGame],
    start: int,
    seats: int = 2,
    first_games: int = 0,
    suspects: Set[str] = frozenset(),
) -> list[Pairing]:
    """Return the next pairings, each on a start of its own.

    If some players have fewer than ``first_games`` games and are no suspects, each table has such a
    player; otherwise all players play in each round. Games with the highest expected information
    come first, see :func:`~ludograph.arena.schedules.information.pair_values`. A pairing that was
    chosen in one round has a lower value in the next, and so have two players that mostly repeat
    their games.

    Parameters
    ----------
    players
        Labels of those that play.
    games
        The latest ones of these players, and of others that have left.
    start
        The number of the first start; it also decides between equal values.
    suspects
        Players whose games are void. Their opponents are drawn, since values follow from results;
        and games of others show whether they are the cause.
    """
    if len(players) < seats:
        return []
    drawn = Random(f"ladder {start}")
    order = drawn.sample(sorted(players), len(players))
    count = Counter(chain.from_iterable(map(attrgetter("seating"), games)))
    fresh = {one for one in players if count[one] < first_games and one not in suspects}
    tables = len(fresh) if fresh else len(players) // seats
    rounds = max(1, round(SHARE * len(games) / (tables * seats)), FEW_TABLES // tables)
    rounds = min(rounds, FIRST_ROUNDS) if fresh else rounds
    distinct = without_repeats(games)
    values = (pair_values(order, distinct) * novelty(order, distinct, games)).round(DIGITS)
    place = {player: number for number, player in enumerate(order)}
    for suspect in sorted(place.keys() & suspects):
        values[place[suspect]] = values[:, place[suspect]] = [drawn.random() for _ in order]
    pairings: list[Pairing] = []
    for _ in range(rounds):
        for table in most_valuable(values, order, start, seats, count):
            for player in table.players:
                count[player] += seats
            for one, other in combinations((place[player] for player in table.players), 2):
                values[one, other] /= 2
                values[other, one] /= 2
            if not fresh or fresh.intersection(table.players):
                pairings.append(Pairing(start + len(pairings), table.players))
    return pairings


def novelty(
    players: Sequence[str], distinct: Sequence[PlayedGame], games: Sequence[PlayedGame]
) -> Floats:
    """Return float64[players, players]: the probability that two players' next game is a new one.

    It is estimated as (distinct games + 1) / (games + 1), by Laplace's rule: 1 for two players that
    never met.

    Parameters
    ----------
    distinct
        The games without those that repeat earlier ones.
    """
    place = {player: number for number, player in enumerate(players)}
    counts = np.ones((2, len(players), len(players)))
    for count, played in zip(counts, (distinct, games), strict=True):
        for seating, times in Counter(map(attrgetter("seating"), played)).items():
            seated = [place[player] for player in seating if player in place]
            for one, other in permutations(seated, 2):
                count[one, other] += times
    return np.asarray(counts[0] / counts[1])


class Basis(NamedTuple):
    """The games that ratings are computed from.

    Attributes
    ----------
    games
        Those between players that take part now and a bounded number of earlier versions.
    past
        The earlier versions.
    """

    games: list[PlayedGame]
    past: set[str]


def basis(games: Iterable[PlayedGame], present: Collection[str], most_past: int = PAST) -> Basis:
    """Return the games from which players that take part now are rated.

    Games against a version that has left still count while they are among the latest. The number
    of such versions is bounded, so that ratings take no longer from week to week.
    """
    games = list(games)
    known = set(present)
    seated = set(chain.from_iterable(map(attrgetter("seating"), games)))
    if len(seated - known) < most_past:  # then no player is left out
        return Basis(games, seated - known)
    past: dict[str, None] = {}
    for game in reversed(games):
        for player in game.seating:
            if player not in known and len(past) < most_past:
                past[player] = None
    known |= past.keys()
    return Basis([game for game in games if known.issuperset(game.seating)], set(past))


class OwnFaults:
    """Forfeits of players in their latest games.

    A game that a player did not forfeit counts only if an opponent played it to its end, too:
    otherwise two players that always fail would win by each other's forfeits.

    Parameters
    ----------
    patience
        This number of own forfeits in a row is too many. So are forfeits in three fourths of twice
        as many games.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._latest: dict[str, deque[str]] = {}  # reasons of forfeits; empty where there was none

    def add(self, game: PlayedGame, players: Collection[str] | None = None) -> None:
        """Add a game, later than all before, for some of its players or for all."""
        reasons = dict(game.forfeits)
        sound = len(game.seating) - len(reasons)
        for seat, player in enumerate(game.seating):
            if players is not None and player not in players:
                continue
            if seat in reasons or sound > 1:
                latest = self._latest.setdefault(player, deque(maxlen=2 * self._patience))
                latest.append(reasons.get(seat, ""))

    def too_many(self, player: str) -> str:
        """Return how often a player has forfeited, if that is too often; else an empty text."""
        latest = list(self._latest.get(player, ()))
        row = 0
        for reason in reversed(latest):
            if not reason:
                break
            row += 1
        if row >= self._patience:
            return f"{row} forfeits in a row, {latest[-1]}"
        count = sum(map(bool, latest))
        if latest and latest[-1] and 4 * count >= 3 * 2 * self._patience:
            return f"forfeits in {count} of the latest {len(latest)} games, {latest[-1]}"
        return ""

    def forget(self, player: str) -> None:
        """Forget the games of a player."""
        self._latest.pop(player, None)

    def keep(self, players: Collection[str]) -> None:
        """Forget all other players."""
        self._latest = {one: latest for one, latest in self._latest.items() if one in players}


FEWEST_GAMES = 10
"""The games that players on both sides of a gap must have before an anchor is added."""

SHARES = (0.75, 0.5, 0.25)
"""Shares of random moves in the weaker forms of an anchor, where a game declares no steps."""


def steps_of(declared: Declaration) -> tuple[str, ...]:
    """Return built-in players of a game that differ in strength, the weakest first."""
    if declared.steps:
        return declared.steps
    first = declared.anchors[0]
    weaker = [f"{first}{',' if ':' in first else ':'}random={share}" for share in SHARES]
    return tuple(dict.fromkeys(["random", *weaker, first] if first != "random" else ["random"]))


def further_anchor(
    games: Sequence[PlayedGame],
    steps: Sequence[str],
    anchors: Sequence[str],
    players: Collection[str],
    first_games: int = 0,
) -> str | None:
    """Return the step that bounds the most open intervals; None if none would.

    Parameters
    ----------
    steps
        Built-in players, the weakest first.
    anchors
        Built-in players that take part already, the one with the fixed rating first.
    players
        Labels of the other players.
    first_games
        Players with fewer games are not considered; with an anchor that has fewer, None is
        returned.
    """
    if not games:
        return None
    enough = max(first_games, FEWEST_GAMES)
    count = Counter(player for game in games for player in game.seating)
    if any(count[anchor] < enough for anchor in anchors):
        return None
    names = sorted(count)
    place = {name: number for number, name in enumerate(names)}
    distinct, _ = stages(arrays(games, place, check_games(games), forfeits=True))
    reaches = closure(scored(distinct, len(names)))
    fixed = place[anchors[0]]
    there = [number for number, step in enumerate(steps) if step in anchors]
    wanted: Counter[str] = Counter()
    for player in players:
        if count[player] < enough:
            continue
        own = place[player]
        if not reaches[own, fixed]:
            worse = [number for number in there if reaches[own, place[steps[number]]]]
            wanted.update(_above(steps, there, max(worse, default=-1)))
        if not reaches[fixed, own]:
            better = [number for number in there if reaches[place[steps[number]], own]]
            wanted.update(_below(steps, there, min(better, default=len(steps))))
    return max(wanted, key=lambda step: (wanted[step], -steps.index(step)), default=None)


def _above(steps: Sequence[str], there: Sequence[int], last: int) -> Sequence[str]:
    """Return the middle of the gap above a step, as a sequence of one; nothing if it is closed."""
    following = min((number for number in there if number > last), default=len(steps))
    gap = steps[last + 1 : following]
    if following == len(steps):
        return gap[:1]  # stronger than all that take part: the next one will do
    return gap[len(gap) // 2 :][:1] if last >= 0 else gap[-1:]


def _below(steps: Sequence[str], there: Sequence[int], first: int) -> Sequence[str]:
    """Return the middle of the gap below a step; above all that take part the next one."""
    before = max((number for number in there if number < first), default=-1)
    gap = steps[before + 1 : first]
    return gap[:1] if first == len(steps) else gap[len(gap) // 2 :][:1]
