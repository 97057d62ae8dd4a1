"""Local executors: games are played in this process, or in processes forked from it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Generic, Self

from ludograph.arena.executor.protocol import Executor, Failure, OnOutput, Result, Task
from ludograph.arena.executor.workers import Workers

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

    If a process dies, a new one takes its place and plays its game again, once.
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

    def __enter__(self) -> Self:
        self._prepare()
        self._workers: Workers[Task, Result | Failure] = Workers(
            self._play, self.threads, self._on_output, replays=1
        )
        return self

    def __exit__(self, *raised: object) -> None:
        self._workers.__exit__(*raised)

    @property
    def free(self) -> int:
        """The number of idle processes."""
        return self._workers.idle

    def submit(self, task: Task) -> None:
        """Give a game to an idle process."""
        self._workers.give(task)

    def ended(self) -> Iterator[tuple[Task, Result | Failure]]:
        """Wait for games to end, and yield them."""
        return self._workers.ended()
