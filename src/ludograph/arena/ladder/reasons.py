"""Reasons for a player's rank in a ladder: forfeits, worst losses, closest losses."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ludograph.arena.store import KeptGame

SHOWN = 3
"""Games of each sort."""


class Told(NamedTuple):
    """A game from the point of view of a player.

    Attributes
    ----------
    number
        In the store.
    opponents
        Their names.
    margin
        By how much the best of them had more points.
    what
        Of a forfeit what there is to say of it, else the result in a sentence.
    """

    number: int
    opponents: tuple[str, ...]
    seat: int
    margin: float
    plies: int
    what: str


@dataclass(slots=True)
class Reasons:
    """The record of one version of a player: games, forfeits, losses.

    Attributes
    ----------
    forfeits
        How many there are, by reason.
    failed
        The latest of each reason.
    worst, closest
        Of the losses that were played out: by the greatest and by the smallest margin; where all
        have the same the shortest and the longest games.
    """

    games: int = 0
    wins: int = 0
    losses: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)
    failed: dict[str, Sequence[Told]] = field(default_factory=dict)
    worst: Sequence[Told] = ()
    closest: Sequence[Told] = ()

    @property
    def told(self) -> list[int]:
        """The numbers of all games that are named."""
        named = [*self.worst, *self.closest]
        named += [one for group in self.failed.values() for one in group]
        return sorted({one.number for one in named})


def reasons_of(games: Iterable[KeptGame], name: str, shown: int = SHOWN) -> Reasons:
    """Return what games say of a version of a player.

    Parameters
    ----------
    games
        Of this version, in the order in which they ended.
    """
    found = Reasons()
    failed: dict[str, deque[Told]] = {}
    lost: list[Told] = []
    for game in games:
        seat = next(place for place, one in enumerate(game.seats) if one.player == name)
        own = game.seats[seat]
        found.games += 1
        others = [one for number, one in enumerate(game.seats) if number != seat]
        margin = max(one.score for one in others) - own.score if others else 0.0
        names = tuple(one.player for one in others)
        what = own.message if own.forfeit and own.message else game.sentence
        told = Told(game.number, names, seat, margin, game.plies, what)
        if own.forfeit:
            found.forfeits[own.forfeit] += 1
            failed.setdefault(own.forfeit, deque(maxlen=shown)).append(told)
        elif own.rank > 1:
            found.losses += 1
            lost.append(told)
        elif all(one.rank > 1 for one in others):
            found.wins += 1
    found.failed = {reason: list(group) for reason, group in sorted(failed.items())}
    found.worst = heapq.nsmallest(shown, lost, key=lambda one: (-one.margin, one.plies))
    worst = {one.number for one in found.worst}
    rest = [one for one in lost if one.number not in worst]
    found.closest = heapq.nsmallest(shown, rest, key=lambda one: (one.margin, -one.plies))
    return found
