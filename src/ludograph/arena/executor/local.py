"""Games on the cores of this machine: in this process, or in several that are forked from it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from typing import Self

from ludograph.arena.executor.protocol import Executor
from ludograph.arena.executor.workers import Workers
from ludograph.arena.finished import FinishedGame
from ludograph.arena.played import GameKey

Play = Callable[[GameKey], FinishedGame]


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def local_executor(play: Play, jobs: int, prepare: Callable[[], None]) -> Executor:
    """Return what plays so many games at a time.

    Parameters
    ----------
    prepare
        Called before processes are forked, so that they have what is compiled then.
    """
    return InProcess(play) if jobs < 2 else LocalProcesses(play, jobs, prepare)


class InProcess:
    """Plays one game after the other, here."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._waiting: deque[GameKey] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._waiting.clear()

    @property
    def free(self) -> int:
        """Whether there is none."""
        return 1 - len(self._waiting)

    def submit(self, key: GameKey) -> None:
        """Take a game, which is played when its end is asked for."""
        self._waiting.append(key)

    def ended(self) -> Iterator[FinishedGame]:
        """Play the game."""
        while self._waiting:
            yield self._play(self._waiting.popleft())


class LocalProcesses:
    """Plays in processes that are forked when the context begins.

    The game of one that dies is played again, once; another one takes its place.
    """

    def __init__(self, play: Play, jobs: int, prepare: Callable[[], None]) -> None:
        self._play, self._jobs, self._prepare = play, jobs, prepare

    def __enter__(self) -> Self:
        self._prepare()
        self._workers: Workers[GameKey, FinishedGame] = Workers(
            lambda key, _: self._play(key), self._jobs, replays=1
        )
        return self

    def __exit__(self, *raised: object) -> None:
        self._workers.__exit__(*raised)

    @property
    def free(self) -> int:
        """How many processes have nothing to do."""
        return self._workers.idle

    def submit(self, key: GameKey) -> None:
        """Have an idle process play a game."""
        self._workers.give(key)

    def ended(self) -> Iterator[FinishedGame]:
        """Wait for processes that have played a game."""
        for _, game in self._workers.ended():
            yield game
