"""Versions that start slowly rest between their games, so that the games of others go on.

The start of a player is no thinking time, and is needed: a Python player may have to compile its
functions. But it comes with each game, and a new version plays before all others. So who takes long
to start pays for it with a rest, and a version that has not ended a game yet plays one at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable

from ludograph.arena.finished import FinishedGame

FREE_SECONDS = 1.0
"""A start that takes no more needs no rest."""

TIMES = 9
"""A rest takes this many times as long as the start: starts are a tenth of a player's time."""


class Resting:
    """Which versions rest, and until when.

    Parameters
    ----------
    say
        Hears which version rests, in one line, once.
    clock
        In seconds.
    """

    def __init__(
        self, say: Callable[[str, float], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._say, self._clock = say, clock
        self._until: dict[str, float] = {}
        self._tried: set[str] = set()
        self._first: set[str] = set()  # who is in its first game

    def remember(self, players: Iterable[str]) -> None:
        """Take notice of versions that have ended a game in an earlier run."""
        self._tried.update(players)

    def began(self, players: Iterable[str]) -> None:
        """Take notice of a game that begins."""
        self._first.update(set(players) - self._tried)

    def void(self, players: Iterable[str]) -> None:
        """Take notice of a game that has ended without a result."""
        self._first.difference_update(players)

    def ended(self, game: FinishedGame) -> None:
        """Have those rest that have started slowly in a game."""
        now, players = self._clock(), game.key.seating
        self._first.difference_update(players)
        self._tried.update(players)
        for seat, seconds in zip(game.seats, game.starts, strict=False):
            if seconds > FREE_SECONDS:
                if seat.player not in self._until:
                    self._say(seat.player, seconds)
                self._until[seat.player] = max(self._until.get(seat.player, 0.0), now)
                self._until[seat.player] += TIMES * seconds

    def ready(self, files: Collection[str]) -> set[str]:
        """Return those of the players with files that can play now; all where none could."""
        now = self._clock()
        found = {label for label in files if self._until.get(label, 0.0) <= now}
        return (found - self._first) or set(files)

    def keep(self, players: Collection[str]) -> None:
        """Forget all others."""
        self._until = {one: until for one, until in self._until.items() if one in players}
        self._tried.intersection_update(players)
