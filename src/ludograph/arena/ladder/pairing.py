"""The next pairings of a ladder, and the further anchors that close open intervals."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

import numpy as np

from ludograph.arena.played import PlayedGame, check_games, without_repeats
from ludograph.arena.ratings.fit import closure, scored
from ludograph.arena.ratings.model import Floats, arrays, stages
from ludograph.arena.schedules import Pairing
from ludograph.arena.schedules.information import pair_values
from ludograph.arena.schedules.rounds import most_valuable
from ludograph.games.declaration import Declaration

SHARE = 0.02
"""New pairings are thought of when the games have grown by so much: that takes its time."""

FEW_TABLES = 4
"""The least number of tables that are planned at a time, where there are few players."""

FIRST_ROUNDS = 3
"""Opponents that a version without enough games is given at a time, at most."""

DIGITS = 9
"""Of values that are compared: beyond these processors differ, and so would who meets whom."""

PAST = 100
"""Versions that no longer play, of those that are in the games that ratings stand on."""


def next_pairings(
    players: Sequence[str],
    games: Sequence[PlayedGame],
    start: int,
    seats: int = 2,
    first_games: int = 0,
) -> list[Pairing]:
    """Return pairings for the time to come, on starts of their own.

    Where players have fewer games than the first ones, only tables with such a player; otherwise
    rounds in which everybody plays. Those meet whose game promises most, see
    :func:`~ludograph.arena.schedules.information.pair_values`; what was chosen once is worth less
    in the next round, and so is a game of two players that mostly repeat the games they have
    played.

    Parameters
    ----------
    players
        Labels.
    games
        Of these, and of others that have left.
    start
        The number of the first start; also decides between equal values.
    """
    if len(players) < seats:
        return []
    order = Random(f"ladder {start}").sample(sorted(players), len(players))
    count = Counter(player for game in games for player in game.seating)
    fresh = {player for player in players if count[player] < first_games}
    tables = len(fresh) if fresh else len(players) // seats
    rounds = max(1, round(SHARE * len(games) / (tables * seats)), FEW_TABLES // tables)
    rounds = min(rounds, FIRST_ROUNDS) if fresh else rounds
    values = (pair_values(order, without_repeats(games)) * novelty(order, games)).round(DIGITS)
    place = {player: number for number, player in enumerate(order)}
    found: list[Pairing] = []
    for _ in range(rounds):
        for table in most_valuable(values, order, start, seats, count):
            for player in table.players:
                count[player] += seats
            for one, other in combinations((place[player] for player in table.players), 2):
                values[one, other] /= 2
                values[other, one] /= 2
            if not fresh or fresh.intersection(table.players):
                found.append(Pairing(start + len(found), table.players))
    return found


def novelty(players: Sequence[str], games: Sequence[PlayedGame]) -> Floats:
    """Return float64[players, players]: how likely the next game of two players is a new one.

    It is estimated as (distinct games + 1) / (games + 1), by Laplace's rule: 1 for who never met.
    """
    place = {player: number for number, player in enumerate(players)}
    counts = np.ones((2, len(players), len(players)))
    for count, played in zip(counts, (without_repeats(games), games), strict=True):
        for game in played:
            seated = [place[player] for player in game.seating if player in place]
            for one, other in permutations(seated, 2):
                count[one, other] += 1
    return np.asarray(counts[0] / counts[1])


class Basis(NamedTuple):
    """What ratings stand on.

    Attributes
    ----------
    games
        Those of players that are there, and of a bounded number of earlier versions.
    past
        These versions.
    """

    games: list[PlayedGame]
    past: set[str]


def basis(games: Iterable[PlayedGame], present: Collection[str], most_past: int = PAST) -> Basis:
    """Return the games that tell something about players that are there.

    What others have done against a version that has left still counts, as long as its games are
    among the latest; the number of such versions is bounded, so that ratings take no longer from
    week to week.
    """
    games = list(games)
    known = set(present)
    past: dict[str, None] = {}
    for game in reversed(games):
        for player in game.seating:
            if player not in known and len(past) < most_past:
                past[player] = None
    known |= past.keys()
    return Basis([game for game in games if known.issuperset(game.seating)], set(past))


class OwnFaults:
    """Whether players forfeited in the latest of their games that tell whether they are sound.

    A game that a player has not lost by a fault of its own tells that only if an opponent has
    played it to its end, too: two that always fail win by each other's forfeits.

    Parameters
    ----------
    patience
        The number of own forfeits in a row that is too many; so are three fourths of twice as many
        games.
    """

    def __init__(self, patience: int) -> None:
        self._patience = patience
        self._latest: dict[str, deque[str]] = {}  # reasons of forfeits; empty where there was none

    def add(self, game: PlayedGame, players: Collection[str] | None = None) -> None:
        """Look at a game, later than all before; at what some players did in it, or all."""
        reasons = dict(game.forfeits)
        sound = len(game.seating) - len(reasons)
        for seat, player in enumerate(game.seating):
            if players is not None and player not in players:
                continue
            if seat in reasons or sound > 1:
                latest = self._latest.setdefault(player, deque(maxlen=2 * self._patience))
                latest.append(reasons.get(seat, ""))

    def too_many(self, player: str) -> str:
        """Return that a player has forfeited too often, and why at last; empty if it has not."""
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
        """Begin anew with a player."""
        self._latest.pop(player, None)

    def keep(self, players: Collection[str]) -> None:
        """Forget all others."""
        self._latest = {one: latest for one, latest in self._latest.items() if one in players}


FEWEST_GAMES = 10
"""Games that players on both sides of a gap must have before it is filled."""

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
    """Return the step that most players with an open interval need; None if none needs one.

    Parameters
    ----------
    steps
        Built-in players, the weakest first.
    anchors
        Those that take part already, the one with the fixed rating first.
    players
        The others.
    first_games
        Nothing is said about a player with fewer games, nor about a gap beside an anchor with
        fewer.
    """
    if not games:
        return None
    enough = max(first_games, FEWEST_GAMES)
    count = Counter(player for game in games for player in game.seating)
    if any(count[anchor] < enough for anchor in anchors):
        return None
    names = sorted(count)
    place = {name: number for number, name in enumerate(names)}
    found, _ = stages(arrays(games, place, check_games(games), forfeits=True))
    reaches = closure(scored(found, len(names)))
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
