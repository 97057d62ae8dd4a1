"""A pool of processes, forked from this one, that play games.

The processes share what was compiled or loaded before they were forked; each has its own fork
servers for players. They end with this process in any case.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from time import monotonic
from typing import Any, Generic, NamedTuple, Self, TypeVar

from ludograph.arena.executor.protocol import OnOutput
from ludograph.errors import HostFailure, InvalidInput, shortage
from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl
from ludograph.rules.announcer import announcer

Task = TypeVar("Task")
Played = TypeVar("Played")
END_SECONDS = 2.0
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ended(NamedTuple):
    """The message of a process that a game has ended."""

    played: Any


class TaskStopped(Exception):
    """A task was stopped, at its deadline or by :meth:`Workers.stop`; the message says which."""


@dataclass(slots=True)
class Given(Generic[Task]):
    """A task under way in a process.

    Attributes
    ----------
    deadline
        The time by :func:`time.monotonic` at which it is stopped.
    lost
        The number of processes that died of themselves while they played it.
    stopped
        Set when its process was killed to stop it.
    """

    task: Task
    deadline: float
    lost: int = 0
    stopped: TaskStopped | None = None


class Workers(Generic[Task, Played]):
    """Processes that play games; a context manager that kills them at the end.

    One thread gives tasks and waits for them. A task ends with what ``play`` returns, or, if its
    deadline has passed or :meth:`stop` was called, with :class:`TaskStopped`: its process is
    killed, and a new one takes its place. Such a task is not repeated.

    Parameters
    ----------
    play
        Plays the game of a task; called in the processes. It calls the other argument with each
        line that a player prints.
    count
        The number of processes.
    on_output
        Called in this process with a player's name, its seat and a line that it has printed.
    replays
        The number of repetitions of a game whose process died. A new process replaces it.
    """

    def __init__(
        self,
        play: Callable[[Task, OnOutput | None], Played],
        count: int,
        on_output: OnOutput | None = None,
        *,
        replays: int = 0,
    ) -> None:
        self._play, self._on_output, self._replays = play, on_output, replays
        self._busy: dict[Connection, Given[Task]] = {}
        self._processes: dict[Connection, Any] = {}
        self._lock = threading.Lock()  # of changes to _busy, so that stop kills no later task
        for worker in range(count):
            self._fork(speaks=worker == 0)

    def _fork(self, *, speaks: bool) -> None:
        """Start a process."""
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        arguments = (theirs, self._play, os.getpid(), speaks, self._on_output is not None)
        process = context.Process(target=_work, args=arguments, daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until the process has its own
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self._processes[ours] = process

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        for process in self._processes.values():
            process.kill()  # supervisors notice it, and end the players
        for line, process in self._processes.items():
            process.join(END_SECONDS)
            line.close()

    @property
    def idle(self) -> int:
        """The number of processes without a game."""
        return len(self._processes) - len(self._busy)

    def give(self, task: Task, seconds: float = math.inf) -> None:
        """Let an idle process play a game; :meth:`ended` stops it after some seconds."""
        self._give(Given(task, monotonic() + seconds))

    def _give(self, given: Given[Task]) -> None:
        line = next(line for line in self._processes if line not in self._busy)
        with self._lock:
            self._busy[line] = given
        try:
            with suppress(OSError):  # it has died, which the next recv notices
                line.send(given.task)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise InvalidInput(
                "a game that cannot be sent to another process is played by one process alone "
                f"(jobs 1): {error}"
            ) from error

    def stop(self, task: Task) -> None:
        """Stop a task that nobody waits for any more; any thread may call it.

        :meth:`ended` yields the task as stopped, or its result if it has ended just now. If the
        task is not under way, nothing happens.
        """
        with self._lock:
            for line, given in self._busy.items():
                if given.task == task and given.stopped is None:
                    self._kill(line, given, "was stopped")

    def _kill(self, line: Connection, given: Given[Task], why: str) -> None:
        """Kill the process of a task; what it has sent before and the end of its line follow."""
        given.stopped, given.deadline = TaskStopped(why), math.inf
        self._processes[line].kill()  # supervisors notice it, and end the players

    def ended(self) -> Iterator[tuple[Task, Played]]:
        """Wait for messages of processes; yield the games that have ended, with their tasks.

        It waits until the nearest deadline at most. A task that was stopped comes with
        :class:`TaskStopped` as its result; ``Played`` includes this type if tasks have deadlines.

        Raises
        ------
        HostFailure
            If a process died, and its game has no repetitions left.
        """
        nearest = min((given.deadline for given in self._busy.values()), default=math.inf)
        left = None if nearest == math.inf else max(nearest - monotonic(), 0)
        ready = set(wait(list(self._busy), left))
        for line in [line for line in self._busy if line in ready]:
            ended = self._receive(line)
            if ended is not None:
                yield ended
        now = monotonic()
        with self._lock:
            for line, given in self._busy.items():
                if given.deadline <= now:
                    self._kill(line, given, "took too long and was stopped")

    def _receive(self, line: Connection) -> tuple[Task, Any] | None:
        """Receive a message; return a task that has ended, None if a player printed a line."""
        try:
            message = line.recv()
        except (EOFError, OSError):
            return self._lose(line)
        if isinstance(message, BaseException):
            raise message
        if isinstance(message, Ended):
            given = self._end(line)
            if given.stopped is not None:
                self._renew(line)
            return given.task, message.played
        if self._on_output is not None:
            self._on_output(*message)
        return None

    def _end(self, line: Connection) -> Given[Task]:
        """Note that a process plays its task no longer; it cannot be stopped any more."""
        with self._lock:
            return self._busy.pop(line)

    def _lose(self, line: Connection) -> tuple[Task, Any] | None:
        """Replace a process that has ended; return its task if it was stopped, else repeat it.

        Raises
        ------
        HostFailure
            If the game has no repetitions left.
        """
        given = self._end(line)
        if given.stopped is not None:
            self._renew(line)
            return given.task, given.stopped
        given.lost += 1
        if given.lost > self._replays:
            raise HostFailure(f"a process that played game {given.task} {self._how_it_died(line)}")
        self._renew(line)
        self._give(given)
        return None

    def _renew(self, line: Connection) -> None:
        """Let a new process take the place of one that has ended."""
        process = self._processes.pop(line)
        process.kill()  # it may have closed its connection only
        process.join(END_SECONDS)
        line.close()
        self._fork(speaks=False)

    def _how_it_died(self, line: Connection) -> str:
        process = self._processes[line]
        process.join(END_SECONDS)
        code = process.exitcode
        if code is None:
            return "has ended"
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited, {code}"


def _work(
    line: Connection,
    play: Callable[[Any, OnOutput | None], Any],
    parent: int,
    speaks: bool,
    listens: bool,
) -> None:
    """Play games in this forked process until the connection ends."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, lambda *_: None)  # for the parent; players do not inherit this
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    announcer.enabled = announcer.enabled and speaks  # one process announces what is being compiled

    def printed(player: str, seat: int, text: str) -> None:
        line.send((player, seat, text))

    while True:
        try:
            task = line.recv()
        except EOFError:
            return
        try:
            line.send(Ended(play(task, printed if listens else None)))
        except Exception as error:  # noqa: BLE001  (the parent raises it)
            line.send(shortage(error) or error)  # what led to an error is not sent with it
            return
