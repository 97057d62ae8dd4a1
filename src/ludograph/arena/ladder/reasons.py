"""Reasons for a player's rank in a ladder: forfeits, worst losses, closest losses."""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ludograph.arena.finished_game import FinishedGame, SeatResult

SHOWN = 3
"""The number of notable games of each sort."""


@dataclass(slots=True)
class Reasons:
    """The record of one version of a player: games, forfeits, losses.

    Attributes
    ----------
    player
        Its name.
    forfeits
        The number of forfeits by reason.
    failed
        The latest forfeits of each reason.
    worst, closest
        Losses that were played out, with the greatest and with the smallest margin; where all
        margins are equal, the shortest and the longest games.
    """

    player: str
    games: int = 0
    wins: int = 0
    losses: int = 0
    forfeits: Counter[str] = field(default_factory=Counter)
    failed: dict[str, Sequence[FinishedGame]] = field(default_factory=dict)
    worst: Sequence[FinishedGame] = ()
    closest: Sequence[FinishedGame] = ()

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

    def opponents(self, game: FinishedGame) -> list[str]:
        """Return the names of the player's opponents in a game."""
        return [one.player for one in self.seats(game)[1]]

    def told(self, game: FinishedGame) -> str:
        """Return the message of the player's forfeit, else the result in a sentence."""
        own, _ = self.seats(game)
        return own.message if own.forfeit and own.message else game.sentence

    def margin(self, game: FinishedGame) -> float:
        """Return the score of the best opponent, less that of the player."""
        own, others = self.seats(game)
        return max(one.score for one in others) - own.score if others else 0.0

    def seats(self, game: FinishedGame) -> tuple[SeatResult, list[SeatResult]]:
        """Return the player's seat, the first one if it has several, and the other seats."""
        place = game.key.seating.index(self.player)
        return game.seats[place], [*game.seats[:place], *game.seats[place + 1 :]]


def reasons_of(games: Iterable[FinishedGame], name: str, shown: int = SHOWN) -> Reasons:
    """Return the record of a version of a player.

    Parameters
    ----------
    games
        Those of this version, in the order in which they ended.
    shown
        The number of notable games of each sort, at most.
    """
    reasons = Reasons(name)
    failed: dict[str, deque[FinishedGame]] = {}
    lost: list[FinishedGame] = []
    for game in games:
        own, others = reasons.seats(game)
        reasons.games += 1
        if own.forfeit:
            reasons.forfeits[own.forfeit] += 1
            failed.setdefault(own.forfeit, deque(maxlen=shown)).append(game)
        elif own.rank > 1:
            reasons.losses += 1
            lost.append(game)
        elif all(one.rank > 1 for one in others):
            reasons.wins += 1
    reasons.failed = {reason: list(group) for reason, group in sorted(failed.items())}
    size = {game.number: (reasons.margin(game), -game.move_count) for game in lost}
    reasons.worst = heapq.nlargest(shown, lost, key=lambda one: size[one.number])
    rest = [one for one in lost if one not in reasons.worst]
    reasons.closest = heapq.nsmallest(shown, rest, key=lambda one: size[one.number])
    return reasons
