"""Games on the cores of this machine: in this process, or in several that are forked from it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, Self

from ludograph.arena.executor.protocol import Executor, Game, Key, OnOutput
from ludograph.arena.executor.workers import Workers

Play = Callable[[Key, OnOutput | None], Game]
"""Plays a game; lines that players print go to the other argument."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def local_executor(
    play: Play[Key, Game],
    jobs: int,
    prepare: Callable[[], None],
    on_output: OnOutput | None = None,
) -> Executor[Key, Game]:
    """Return an executor for a number of games at a time.

    Parameters
    ----------
    prepare
        Called before processes are forked, so that they have what is compiled then.
    on_output
        Called in this process with a player's place, its seat and a line that it has printed.
    """
    if jobs < 2:
        return InProcess(play, on_output)
    return LocalProcesses(play, jobs, prepare, on_output)


class InProcess(Generic[Key, Game]):
    """Plays one game after the other, here."""

    def __init__(self, play: Play[Key, Game], on_output: OnOutput | None = None) -> None:
        self._play, self._on_output = play, on_output
        self._waiting: deque[Key] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._waiting.clear()

    @property
    def free(self) -> int:
        """Whether there is none."""
        return 1 - len(self._waiting)

    def submit(self, key: Key) -> None:
        """Take a game, which is played when its end is asked for."""
        self._waiting.append(key)

    def ended(self) -> Iterator[Game]:
        """Play the game."""
        while self._waiting:
            yield self._play(self._waiting.popleft(), self._on_output)


class LocalProcesses(Generic[Key, Game]):
    """Plays in processes that are forked when the context begins.

    The game of one that dies is played again, once; another one takes its place.
    """

    def __init__(
        self,
        play: Play[Key, Game],
        jobs: int,
        prepare: Callable[[], None],
        on_output: OnOutput | None = None,
    ) -> None:
        self._play, self._jobs, self._prepare = play, jobs, prepare
        self._on_output = on_output

    def __enter__(self) -> Self:
        self._prepare()
        self._workers: Workers[Key, Game] = Workers(
            self._play, self._jobs, self._on_output, replays=1
        )
        return self

    def __exit__(self, *raised: object) -> None:
        self._workers.__exit__(*raised)

    @property
    def free(self) -> int:
        """How many processes have nothing to do."""
        return self._workers.idle

    def submit(self, key: Key) -> None:
        """Have an idle process play a game."""
        self._workers.give(key)

    def ended(self) -> Iterator[Game]:
        """Wait for processes that have played a game."""
        for _, game in self._workers.ended():
            yield game
