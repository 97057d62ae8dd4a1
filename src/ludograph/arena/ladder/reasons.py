"""Reasons for a player's rank in a ladder: forfeits, worst losses, closest losses."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ludograph.arena.store import KeptGame

SHOWN = 3
"""The number of notable games of each sort."""


class NotableGame(NamedTuple):
    """A game that explains a rank, from the point of view of one player.

    Attributes
    ----------
    number
        In the store.
    opponents
        Their names.
    margin
        The score of the best opponent, less that of the player.
    what
        The message of the player's forfeit, else the result in a sentence.
    """

    number: int
    opponents: tuple[str, ...]
    seat: int
    margin: float
    moves: int
    what: str


@dataclass(slots=True)
class Reasons:
    """The record of one version of a player: games, forfeits, losses.

    Attributes
    ----------
    forfeits
        The number of forfeits by reason.
    failed
        The latest forfeits of each reason.
    worst, closest
        Losses that were played out, with the greatest and with the smallest margin; where all
        margins are equal, the shortest and the longest games.
    """

    games: int = 0
    wins: int = 0
    losses: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)
    failed: dict[str, Sequence[NotableGame]] = field(default_factory=dict)
    worst: Sequence[NotableGame] = ()
    closest: Sequence[NotableGame] = ()

    @property
    def draws(self) -> int:
        """The number of games that were not won, lost or forfeited."""
        return self.games - self.wins - self.losses - self.forfeits.total()

    @property
    def numbers(self) -> list[int]:
        """The numbers of all notable games."""
        games = [*self.worst, *self.closest]
        games += [game for group in self.failed.values() for game in group]
        return sorted({game.number for game in games})


def reasons_of(games: Iterable[KeptGame], name: str, shown: int = SHOWN) -> Reasons:
    """Return the record of a version of a player.

    Parameters
    ----------
    games
        Those of this version, in the order in which they ended.
    shown
        The number of notable games of each sort, at most.
    """
    reasons = Reasons()
    failed: dict[str, deque[NotableGame]] = {}
    lost: list[NotableGame] = []
    for game in games:
        seat = next(place for place, one in enumerate(game.seats) if one.player == name)
        own = game.seats[seat]
        reasons.games += 1
        others = [one for number, one in enumerate(game.seats) if number != seat]
        margin = max(one.score for one in others) - own.score if others else 0.0
        names = tuple(one.player for one in others)
        what = own.message if own.forfeit and own.message else game.sentence
        notable = NotableGame(game.number, names, seat, margin, game.move_count, what)
        if own.forfeit:
            reasons.forfeits[own.forfeit] += 1
            failed.setdefault(own.forfeit, deque(maxlen=shown)).append(notable)
        elif own.rank > 1:
            reasons.losses += 1
            lost.append(notable)
        elif all(one.rank > 1 for one in others):
            reasons.wins += 1
    reasons.failed = {reason: list(group) for reason, group in sorted(failed.items())}
    reasons.worst = heapq.nsmallest(shown, lost, key=lambda one: (-one.margin, one.moves))
    worst = {one.number for one in reasons.worst}
    rest = [one for one in lost if one.number not in worst]
    reasons.closest = heapq.nsmallest(shown, rest, key=lambda one: (one.margin, -one.moves))
    return reasons
