"""Local executors: games are played in this process, or in processes forked from it."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Self

from ludograph.arena.executor.protocol import Executor, Failure, OnOutput, Result, Task
from ludograph.errors import HostFailure, InvalidInput
from ludograph.rules.announcer import announcer
from ludograph.workers import STOPS, Done, Tell, work

END_SECONDS = 2.0

Play = Callable[[Task, OnOutput | None], Result | Failure]
"""Plays a game; calls the other argument with each line that a player prints."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def local_executor(
    play: Play[Task, Result],
    jobs: int,
    prepare: Callable[[], None],
    on_output: OnOutput | None = None,
) -> Executor[Task, Result]:
    """Return an executor on this machine.

    Parameters
    ----------
    jobs
        The number of games at a time.
    prepare
        Called before processes are forked, so that they share what it compiles or loads.
    on_output
        Called in this process with a player's name, its seat and a line that it has printed.
    """
    if jobs < 2:
        return InProcess(play, on_output)
    return LocalProcesses(play, jobs, prepare, on_output)


class InProcess(Generic[Task, Result]):
    """Plays one game after the other, in this process."""

    def __init__(self, play: Play[Task, Result], on_output: OnOutput | None = None) -> None:
        self._play, self._on_output = play, on_output
        self._waiting: list[Task] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._waiting.clear()

    threads = 1
    """The number of games that are played at a time."""

    @property
    def free(self) -> int:
        """1 if no game waits, else 0."""
        return 1 - len(self._waiting)

    def submit(self, task: Task) -> None:
        """Take a game, which is played when :meth:`ended` is called."""
        self._waiting.append(task)

    def ended(self) -> Iterator[tuple[Task, Result | Failure]]:
        """Play the game, if there is one."""
        if self._waiting:
            task = self._waiting.pop()
            yield task, self._play(task, self._on_output)


class LocalProcesses(Generic[Task, Result]):
    """Plays games in processes that are forked when the context begins.

    The processes share what was compiled or loaded before; each has its own fork servers for
    players. They end with this process in any case. If one dies, a new one takes its place and
    plays its game again, once.
    """

    def __init__(
        self,
        play: Play[Task, Result],
        jobs: int,
        prepare: Callable[[], None],
        on_output: OnOutput | None = None,
    ) -> None:
        self._play, self.threads, self._prepare = play, jobs, prepare
        self._on_output = on_output
        self._processes: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, Task] = {}
        self._lost: set[Task] = set()  # games under way whose first process has died

    def __enter__(self) -> Self:
        self._prepare()
        for number in range(self.threads):
            self._fork(speaks=number == 0)
        return self

    def _fork(self, *, speaks: bool) -> None:
        """Start a process."""
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        arguments = (theirs, self._play, os.getpid(), speaks, self._on_output is not None)
        process = context.Process(target=_play_games, args=arguments, daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until the process has its own
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self._processes[ours] = process

    def __exit__(self, *raised: object) -> None:
        for process in self._processes.values():
            process.kill()  # supervisors notice it, and end the players
        for line, process in self._processes.items():
            process.join(END_SECONDS)
            line.close()

    @property
    def free(self) -> int:
        """The number of idle processes."""
        return len(self._processes) - len(self._busy)

    def submit(self, task: Task) -> None:
        """Give a game to an idle process."""
        line = next(line for line in self._processes if line not in self._busy)
        self._busy[line] = task
        try:
            with suppress(OSError):  # it has died, which the next recv notices
                line.send(task)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise InvalidInput(
                "a game that cannot be sent to another process is played by one process alone "
                f"(jobs 1): {error}"
            ) from error

    def ended(self) -> Iterator[tuple[Task, Result | Failure]]:
        """Wait for messages of processes; yield the games that have ended."""
        for line in wait(list(self._busy)):
            assert isinstance(line, Connection)
            try:
                message = line.recv()
            except (EOFError, OSError):
                self._replace(line)
                continue
            if isinstance(message, Done):
                task = self._busy.pop(line)
                self._lost.discard(task)
                if message.error is not None:
                    raise message.error
                yield task, message.value
            elif self._on_output is not None:
                self._on_output(*message)

    def _replace(self, line: Connection) -> None:
        """Let a new process take the place of one that has died, and play its game again.

        Raises
        ------
        HostFailure
            If it is the second one for this game.
        """
        task, process = self._busy.pop(line), self._processes.pop(line)
        process.join(END_SECONDS)
        how = _how_it_died(process.exitcode)
        process.kill()  # it may have closed its connection only
        process.join(END_SECONDS)
        line.close()
        if task in self._lost:
            raise HostFailure(f"a process that played game {task} {how}")
        self._lost.add(task)
        self._fork(speaks=False)
        self.submit(task)


def _how_it_died(code: int | None) -> str:
    if code is None:
        return "has ended"
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited, {code}"


def _play_games(
    line: Connection, play: Play[Any, Any], parent: int, speaks: bool, listens: bool
) -> None:
    """Play games in this forked process until the connection ends."""
    announcer.enabled = announcer.enabled and speaks  # one process announces what is being compiled

    def do(task: Any, tell: Tell) -> Any:
        return play(task, (lambda *printed: tell(printed)) if listens else None)

    work(line, do, parent)
