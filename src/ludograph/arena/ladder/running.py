"""The loop of a ladder: it enrols players, plays the jobs of its queue, and stores the results.

It runs until it is stopped, so its memory is bounded: it holds the latest games, the present
players, and the pairings of a few rounds. The processes that play are replaced from time to time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from ludograph.arena.executor import Executor, Failure, Jobs
from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.ladder.enrolment import Enrolment
from ludograph.arena.ladder.folder import State, read_state, write_state
from ludograph.arena.ladder.ladder import (
    Ladder,
    adopt_store,
    lock_games,
    open_for_games,
    under_names,
)
from ludograph.arena.ladder.pairing import LadderQueue
from ludograph.arena.ladder.rating_history import Snapshots
from ludograph.arena.ladder.submission import drop_versions
from ludograph.arena.ladder.submission_list import submissions
from ludograph.arena.ladder.suspension import Suspensions
from ludograph.arena.playing import GamePlan, failure_of
from ludograph.arena.store import Store
from ludograph.arena.store.history import (
    latest_games,
    next_start,
    open_starts,
    thin_records,
)
from ludograph.errors import HostFailure, InvalidInput

LOOK_SECONDS = 1.0
"""Seconds between two checks of the players' folder."""

SETTLING_SECONDS = 5.0
"""The time for which the first games wait for files that grow and sources that are compiled."""

IDLE_SECONDS = 0.2

RENEW_GAMES = 5000
"""The number of games after which the processes that play are replaced, which frees their
memory."""

KEEPING_GAMES = 500
"""Games after which old records are dropped."""

VERSIONS = 5
"""The stored copies of each player's file, the present one included."""

PAUSE_SECONDS = 0.02
"""The pause after a void game, times the square of the number of void games in a row: what is
lacking on the machine may be there again later."""

LOSSES = 3
"""The processes that may be lost in a row, without a game in between."""

MakeExecutor = Callable[[Ladder], Executor[GamePlan, FinishedGame]]


class LadderRun:
    """A ladder while this process runs it; its folder must be locked.

    Parameters
    ----------
    make_executor
        Returns an executor; called again from time to time, while the store is closed.
    say
        Called with a line for each event.
    on_game
        Called with each game after it was stored, under the players' names.
    workers
        The number of games at a time, for the pages; 0 if it is not known.
    """

    _queue: LadderQueue
    _jobs: Jobs[GamePlan]  # of the processes that play now

    def __init__(
        self,
        ladder: Ladder,
        make_executor: MakeExecutor,
        say: Callable[[str], None] = lambda _: None,
        on_game: Callable[[FinishedGame], None] = lambda _: None,
        workers: int = 0,
    ) -> None:
        self.ladder, self._make_executor = ladder, make_executor
        self._say, self._on_game = say, on_game
        self.state: State = read_state(ladder.folder)
        self._workers = workers
        self.played = 0
        self._enrolment = Enrolment(ladder, self.state, say)
        self._suspensions = Suspensions(ladder, self.state, say)
        self._snapshots = Snapshots(ladder.folder)
        self._versions: dict[int, dict[str, str]] = {}  # of players, by their start under way
        self._losses = 0
        self._last = 0
        self._pause_until = 0.0
        self._looked = -LOOK_SECONDS
        self._waits_for = ""
        self._limits = RunLimits()

    def run(self, limits: RunLimits | None = None) -> int:
        """Run the ladder until a limit is reached; return the number of games played.

        Raises
        ------
        HostFailure
            If the folder vanishes, or no game comes to a result.
        OSError
            If the disk is full. Finished games are stored in all these cases.
        """
        self._limits = limits or RunLimits()
        try:
            self._begin()
            while not self._segment():
                pass
        except BaseException:
            with suppress(OSError):  # the first error is the one to report
                self._close()
            raise
        self._close()
        return self.played

    def _begin(self) -> None:
        """Read the state of the ladder from the store."""
        ladder, state = self.ladder, self.state
        has_moved = adopt_store(ladder, state)
        with open_for_games(ladder, state) as store:
            store.check_pages()
            if has_moved:
                write_state(ladder.folder, state)  # before the mark is in the store
            mark = {"mark": state.mark} if state.mark else {}  # on a server
            number = store.enroll(ladder.key, ladder.game.name, ladder.declaration | mark)
            lock_games(store, number)
            is_another = state.number not in ((0,) if has_moved else (0, number))
            state.number = number
            ladder.folder.draw_secret()
            kept = store.secret(number, ladder.secret)
            self.ladder = replace(ladder, secret=ladder.folder.luck(kept))
            self._tidy(store)
            if (saved := store.compact()) is not None:
                self._say(
                    f"games.db: compacted from {saved.before >> 20} MiB to {saved.after >> 20} MiB"
                )
            latest = latest_games(store, number, ladder.rated_games)
            left = groupby(open_starts(store, number, ladder.seats), attrgetter("start"))
            unfinished = [list(keys) for _, keys in left]
            start = next_start(store, number)
            self._queue = LadderQueue(
                self.ladder, state, self._suspensions, start, latest, unfinished
            )
        if is_another:
            self._say(_changed_settings(len(latest)))
            for one in state.entrants:
                if state.suspended.pop(one.label, ""):
                    ladder.folder.write_report(one.name, "")  # it says that the player is suspended
            state.broken.clear()  # another game has another header
        self._suspensions.remember(latest)
        self._last = int(latest.numbers.max(initial=0))
        self._enrolment.anchors()
        if is_another or state.workers != self._workers:
            state.workers = self._workers
            write_state(ladder.folder, state)  # even if no player comes or goes

    def _segment(self) -> bool:
        """Play until the processes must be replaced; return whether the run is over."""
        if not self._settle():
            return True
        with ExitStack() as stack:
            executor = stack.enter_context(self._make_executor(self.ladder))
            store = stack.enter_context(open_for_games(self.ladder, self.state))
            lock_games(store, self.state.number)
            self._jobs = Jobs(executor, self._is_needed)
            fresh = self.played
            while True:
                renew = self.played - fresh >= RENEW_GAMES
                self._look()
                while not renew and executor.free and (keys := self._next()):
                    self._begin_job(keys)
                if self._jobs.under_way:
                    try:
                        ended = list(executor.ended())
                    except HostFailure as error:
                        self._lose(error)
                        return False
                    for plan, result in ended:
                        if isinstance(result, FinishedGame):
                            self._end(result, store)
                        else:
                            self._void(plan.key, result)
                    for plan, _ in ended:
                        self._queue.put_back([one.key for one in self._jobs.go_on(plan)])
                elif renew:
                    return False
                elif self._is_over():
                    return True
                else:
                    time.sleep(IDLE_SECONDS)

    def _settle(self) -> bool:
        """Enrol players before processes are forked; return False if the run is over already."""
        self._look()
        deadline = time.monotonic() + SETTLING_SECONDS
        enrolment = self._enrolment
        while not self._are_enough or enrolment.waiting or enrolment.compiling.is_busy:
            unsettled = enrolment.waiting or enrolment.compiling.is_busy
            settling = unsettled and time.monotonic() < deadline
            if not settling and self._are_enough:
                break
            if not settling:
                text = self.state.waits_for(self.ladder.seats)
                if text != self._waits_for:
                    self._say(text)
                self._waits_for = text
                if self._is_over():
                    return False
            time.sleep(IDLE_SECONDS)
            self._look()
        self._waits_for = ""
        return True

    @property
    def _are_enough(self) -> bool:
        """Whether there are enough players for a game, and not only built-in ones."""
        return not self.state.waits_for(self.ladder.seats)

    def _is_over(self) -> bool:
        """Tell whether the run is over; called while no game is under way."""
        limits = self._limits
        if not limits.in_time:
            return True
        if limits.games is not None and self.played >= limits.games:
            return True
        if (limits.games is None and not limits.once) or self._enrolment.compiling.is_busy:
            return False
        done = limits.once and self._queue.plans and not self._queue
        return bool(done) or not self._are_enough

    def _look(self) -> None:
        """Check the players' folder, unless the last check was a moment ago."""
        now = time.monotonic()
        enrolment = self._enrolment
        soon = enrolment.waiting or enrolment.compiling.is_busy
        if now - self._looked < (IDLE_SECONDS if soon else LOOK_SECONDS):
            return
        self._looked = now
        before = {one.label for one in self.state.active}
        if not enrolment.look(self._last):
            return
        active = {one.label for one in self.state.active}
        if before != active:
            self._suspensions.change(before, active)
            self._queue.change()
        write_state(self.ladder.folder, self.state)

    def _next(self) -> list[GameKey]:
        """Return the next job that can begin now; an empty one if there is none."""
        limits, left = self._limits, None
        if limits.games is not None:
            left = limits.games - self.played - sum(map(len, self._jobs.unfinished()))
        if left == 0 or time.monotonic() < self._pause_until or not limits.in_time:
            return []
        plans, under_way = self._queue.plans, (plan.key for plan in self._jobs.under_way)
        job = self._queue.next(under_way, once=limits.once)
        if self._queue.plans > plans:
            self._snapshots.due(self.state, self._queue.games, self.ladder)
        return job[:left]

    def _is_needed(self, plan: GamePlan) -> bool:
        """Tell whether a job goes on with a game: in time, and while its players are active."""
        if time.monotonic() < self._pause_until or not self._limits.in_time:
            return False
        return {one.label for one in self.state.active}.issuperset(plan.key.seating)

    def _begin_job(self, keys: list[GameKey]) -> None:
        """Begin a job, and note the versions of its players, which may leave meanwhile."""
        try:
            plans = [self.ladder.plan(key) for key in keys]
        except (OSError, InvalidInput) as error:
            self._void(keys[0], failure_of(error))
            self._queue.put_back(keys[1:])
            return
        entrants = {one.label: one for one in self.state.entrants}
        seated = [entrants[label] for label in keys[0].seating]
        starts = {plan.key.start for plan in self._jobs.under_way}
        self._versions = {start: kept for start, kept in self._versions.items() if start in starts}
        self._versions[keys[0].start] = {one.name: one.version for one in seated if one.version}
        self._jobs.begin(plans)

    def _lose(self, error: HostFailure) -> None:
        """Schedule the jobs under way once more, after a process was lost."""
        self._losses += 1
        if self._losses > LOSSES:
            raise error
        self._say(f"{error}; it is played again")
        for plans in self._jobs.unfinished():
            self._queue.put_back([plan.key for plan in plans])

    def _void(self, key: GameKey, error: Failure) -> None:
        """Count a game without a result."""
        self._queue.void(key, again=self._suspensions.void(key, error))
        if isinstance(error, HostFailure):
            pause = PAUSE_SECONDS * self._suspensions.void_run**2
            self._pause_until = time.monotonic() + pause

    def _end(self, game: FinishedGame, store: Store) -> None:
        """Store a game that has ended, and count it."""
        game = self.ladder.without_copies(game)
        self._losses = 0
        kept = under_names(game)
        self._last = store.add(self.state.number, kept, self._versions[game.start])
        self.played += 1
        self._queue.end(game)
        self._suspensions.ended(game)
        self._on_game(kept)
        if self.played % KEEPING_GAMES == 0:
            self._tidy(store)

    def _tidy(self, store: Store) -> None:
        """Drop old records of games, and old versions of players."""
        thin_records(store, self.state.number, self.ladder.records)
        players = [(one.name, one.version) for one in self.state.entrants if one.version]
        for versions in self._versions.values():
            players += versions.items()
        players += self._enrolment.compiling.sources
        listed = submissions(self.ladder, self.state)
        players += [(row.event.file, row.event.version) for row in listed if row.counts]
        drop_versions(self.ladder.folder, players, VERSIONS)

    def _close(self) -> None:
        """End compilations and write a last snapshot of the ratings."""
        self._enrolment.compiling.close()
        if self.played and self.ladder.folder.players.is_dir():
            self._snapshots.take(self.state, self._queue.games.results, self.ladder)


def _changed_settings(games: int) -> str:
    """Return the sentence for a ladder whose game or settings have changed.

    Parameters
    ----------
    games
        The number of games that were played with these settings earlier.
    """
    if not games:
        return "the game or its settings have changed: ratings start again"
    amount = "1 game" if games == 1 else f"{games} games"
    return f"this game with these settings was played before: ratings continue from {amount}"


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits at which a run ends by itself; without any it does not.

    Attributes
    ----------
    games
        The number of games.
    until
        A reading of :func:`time.monotonic`; games under way then are played to their end.
    once
        Whether the run ends when all games of the first plan were played.
    """

    games: int | None = None
    until: float | None = None
    once: bool = False

    @property
    def in_time(self) -> bool:
        """Whether the time is not over."""
        return self.until is None or time.monotonic() < self.until


LIMIT = 1 << 20
"""The size of a journal in bytes; then it is renamed to ``*.1``, and a new one begins."""


class Journal:
    """A log file whose lines begin with the time."""

    def __init__(self, path: Path, limit: int = LIMIT, zone: tzinfo = UTC) -> None:
        self._path, self._limit, self._zone = path, limit, zone

    def add(self, line: str) -> None:
        """Write a line."""
        when = datetime.now(self._zone).isoformat(timespec="seconds")
        try:
            with self._path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(f"{when} {line}\n")
                full = file.tell() > self._limit
            if full:
                self._path.replace(self._path.with_name(f"{self._path.name}.1"))
        except OSError as error:
            raise type(error)(error.errno, error.strerror, str(self._path)) from None
