"""Local executors: games are played in this process, or in processes forked from it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, Self

from ludograph.arena.executor.protocol import Executor, Game, Key, OnOutput
from ludograph.arena.executor.workers import Workers

Play = Callable[[Key, OnOutput | None], Game]
"""Plays the game of a key; calls the other argument with each line that a player prints."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def local_executor(
    play: Play[Key, Game],
    jobs: int,
    prepare: Callable[[], None],
    on_output: OnOutput | None = None,
) -> Executor[Key, Game]:
    """Return an executor on this machine.

    Parameters
    ----------
    jobs
        The number of games at a time.
    prepare
        Called before processes are forked, so that they share what it compiles or loads.
    on_output
        Called in this process with a player's place, its seat and a line that it has printed.
    """
    if jobs < 2:
        return InProcess(play, on_output)
    return LocalProcesses(play, jobs, prepare, on_output)


class InProcess(Generic[Key, Game]):
    """Plays one game after the other, in this process."""

    def __init__(self, play: Play[Key, Game], on_output: OnOutput | None = None) -> None:
        self._play, self._on_output = play, on_output
        self._waiting: deque[Key] = deque()

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

    def submit(self, key: Key) -> None:
        """Take a game, which is played when :meth:`ended` is called."""
        self._waiting.append(key)

    def ended(self) -> Iterator[Game]:
        """Play the game."""
        while self._waiting:
            yield self._play(self._waiting.popleft(), self._on_output)


class LocalProcesses(Generic[Key, Game]):
    """Plays games in processes that are forked when the context begins.

    If a process dies, a new one takes its place and plays its game again, once.
    """

    def __init__(
        self,
        play: Play[Key, Game],
        jobs: int,
        prepare: Callable[[], None],
        on_output: OnOutput | None = None,
    ) -> None:
        self._play, self.threads, self._prepare = play, jobs, prepare
        self._on_output = on_output

    def __enter__(self) -> Self:
        self._prepare()
        self._workers: Workers[Key, Game] = Workers(
            self._play, self.threads, self._on_output, replays=1
        )
        return self

    def __exit__(self, *raised: object) -> None:
        self._workers.__exit__(*raised)

    @property
    def free(self) -> int:
        """The number of idle processes."""
        return self._workers.idle

    def submit(self, key: Key) -> None:
        """Give a game to an idle process."""
        self._workers.give(key)

    def ended(self) -> Iterator[Game]:
        """Wait for games to end, and yield them."""
        for _, game in self._workers.ended():
            yield game
