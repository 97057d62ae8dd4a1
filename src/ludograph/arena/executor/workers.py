"""A pool of processes, forked from this one, that play games.

The processes share what was compiled or loaded before they were forked; each has its own fork
servers for players. They end with this process in any case.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, Self, TypeVar

from ludograph.arena.executor.protocol import OnOutput
from ludograph.errors import HostFailure, shortage
from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl
from ludograph.rules.announcer import announcer

Task = TypeVar("Task")
Played = TypeVar("Played")
END_SECONDS = 2.0
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ended(NamedTuple):
    """The message of a process that a game has ended."""

    played: Any


class Workers(Generic[Task, Played]):
    """Processes that play games; a context manager that kills them at the end.

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
        self._busy: dict[Connection, Task] = {}
        self._processes: dict[Connection, Any] = {}
        self._losses: Counter[Task] = Counter()
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

    def give(self, task: Task) -> None:
        """Let an idle process play a game."""
        line = next(line for line in self._processes if line not in self._busy)
        self._busy[line] = task
        with suppress(OSError):  # it has died, which the next recv notices
            line.send(task)

    def ended(self) -> Iterator[tuple[Task, Played]]:
        """Wait for messages of processes; yield the games that have ended, with their tasks.

        Raises
        ------
        HostFailure
            If a process died, and its game has no repetitions left.
        """
        ready = set(wait(list(self._busy)))
        for line in [line for line in self._busy if line in ready]:
            ended = self._receive(line)
            if ended is not None:
                yield self._busy.pop(line), ended.played

    def _receive(self, line: Connection) -> Ended | None:
        """Receive a message; return it if a game has ended, None if it was a player's output."""
        try:
            message = line.recv()
        except (EOFError, OSError):
            self._replace(line)
            return None
        if isinstance(message, BaseException):
            raise message
        if isinstance(message, Ended):
            return message
        if self._on_output is not None:
            self._on_output(*message)
        return None

    def _replace(self, line: Connection) -> None:
        """Let a new process play the game of one that died.

        Raises
        ------
        HostFailure
            If the game has no repetitions left.
        """
        why = self._how_it_died(line)
        task = self._busy.pop(line)
        self._losses[task] += 1
        if self._losses[task] > self._replays:
            raise HostFailure(why)
        self._processes.pop(line).kill()  # it may have closed its connection only
        line.close()
        self._fork(speaks=False)
        self.give(task)

    def _how_it_died(self, line: Connection) -> str:
        process = self._processes[line]
        process.join(END_SECONDS)
        code = process.exitcode
        how = "has ended"
        if code is not None:
            how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited, {code}"
        return f"a process that played game {self._busy[line]} {how}"


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
