"""Versions that play no more, and why; versions that pause because they start slowly."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from ludograph.arena.finished import FinishedGame
from ludograph.arena.ladder.ladder import VOID, Ladder
from ludograph.arena.ladder.pairing import OwnFaults
from ludograph.arena.ladder.state import State, write_state
from ludograph.arena.played import PlayedGame
from ludograph.errors import HostFailure
from ludograph.players import Reason
from ludograph.quoting import one_line

VOID_LIMIT = 30
"""Games in a row without a result after which the machine is at fault, and no player."""

VOIDS_OF_ONE = 6
"""Games of a player in a row that cannot begin, after which it is set aside."""


class Suspensions:
    """The faults of active players, and the suspension of those that have too many.

    Parameters
    ----------
    say
        Hears who is set aside, in one line.
    """

    def __init__(self, ladder: Ladder, state: State, say: Callable[[str], None]) -> None:
        self.ladder, self.state, self._say = ladder, state, say
        self._anchors = {spec.text for spec in (*ladder.anchors, *ladder.steps)}
        self._faults = OwnFaults(ladder.patience)
        self._voids: Counter[str] = Counter()
        self._void_run = 0

    def remember(self, game: PlayedGame, since: set[str]) -> None:
        """Count a game of an earlier run for those that have played it as they are now."""
        self._faults.add(game, since)

    def change(self, before: set[str], active: set[str]) -> None:
        """Take notice that others take part now; who comes begins anew."""
        for label in active - before:
            self._faults.forget(label)
        self._voids = Counter({one: self._voids[one] for one in active & before})
        self._faults.keep(active)

    def ended(self, game: FinishedGame) -> None:
        """Count a game that had a result; set players aside that do not start or always forfeit.

        Who fails to start may cost its start clock each time, and would fail again.
        """
        self._void_run = 0
        for label in game.key.seating:
            self._voids.pop(label, None)
        self._faults.add(game.played)
        for seat in game.seats:
            if seat.forfeit == Reason.NO_START and seat.player not in self._anchors:
                self._set_aside(seat.player, f"it did not start: {seat.message}")
                continue
            reason = self._faults.too_many(seat.player)
            if reason and seat.player not in self._anchors:
                told = f": {seat.message}" if seat.message else ""
                self._set_aside(seat.player, f"{reason}{told}")

    def void(self, game: FinishedGame) -> bool:
        """Count a game without a result; return whether it is to be played again.

        Raises
        ------
        HostFailure
            If there was none in many games.
        """
        self._void_run += 1
        if self._void_run >= VOID_LIMIT:
            raise HostFailure(f"{VOID_LIMIT} games in a row had no result: {game.sentence}")
        if game.reason == VOID:
            return True
        for label in game.key.seating:
            self._voids[label] += 1
            if self._voids[label] >= VOIDS_OF_ONE and label not in self._anchors:
                self._set_aside(label, f"cannot be played here: {game.sentence}")
        return False

    def _set_aside(self, label: str, reason: str) -> None:
        """Let a version play no more, until there is another one or its file was out and in."""
        entrant = next((one for one in self.state.entrants if one.label == label), None)
        if entrant is None or label in self.state.suspended:
            return
        self.state.suspended[label] = reason = one_line(reason, 200)
        folder = self.ladder.folder
        write_state(folder, self.state)
        name = one_line(entrant.name)
        self._say(f"{name} is set aside: {reason}")
        folder.write_report(
            entrant.name,
            f"{name}, version {entrant.version[:8]}, is set aside: {reason}\n\n"
            "Put a mended file in its place, and it plays again.\n",
        )


FREE_SECONDS = 1.0
"""A start that takes no more needs no rest."""

TIMES = 9
"""A rest takes this many times as long as the start: starts are a tenth of a player's time."""


class SlowStarters:
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
