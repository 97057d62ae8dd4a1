"""The executor protocol: where games are played; and the loop that plays those of a queue."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Protocol, Self, TypeVar

Key = TypeVar("Key")
"""What says which game is to be played: the key of a tournament's game, a number in a series."""

Game = TypeVar("Game")
"""What comes of a game that was played."""

Key_co = TypeVar("Key_co", covariant=True)
Key_contra = TypeVar("Key_contra", contravariant=True)
Game_co = TypeVar("Game_co", covariant=True)
Game_contra = TypeVar("Game_contra", contravariant=True)

OnOutput = Callable[[int, int, str], None]
"""Hears a player's place, its seat and a line that it has printed."""


class Executor(Protocol[Key_contra, Game_co]):
    """Plays games; a context at whose end nothing of it runs any more.

    It is asked by one process only, which alone writes to a store or a file.
    """

    def __enter__(self) -> Self:
        """Begin."""
        ...

    def __exit__(self, *raised: object) -> None:
        """End, and all games under way with it."""
        ...

    @property
    def free(self) -> int:
        """How many more games can be under way."""
        ...

    def submit(self, key: Key_contra, /) -> None:
        """Begin to play a game; there must be room for it."""
        ...

    def ended(self) -> Iterator[Game_co]:
        """Wait until there is something to say, and yield the games that have ended.

        Raises
        ------
        HostFailure
            If one was lost, played again and lost again.
        """
        ...


class Queue(Protocol[Key_co, Game_contra]):
    """Games that wait to be played, and those under way."""

    @property
    def is_over(self) -> bool:
        """Whether no game under way is waited for any more."""
        ...

    def next(self) -> Key_co | None:
        """Return a game that can be played now, which is under way then; None if there is none."""
        ...

    def end(self, game: Game_contra, /) -> None:
        """Take notice of a game that has ended."""
        ...


class ListedGames(Generic[Key]):
    """A queue of games that are known beforehand, whatever comes of them."""

    def __init__(self, keys: Iterable[Key]) -> None:
        self._waiting = deque(keys)
        self._under_way = 0

    @property
    def is_over(self) -> bool:
        """Whether no game is under way."""
        return not self._under_way

    def next(self) -> Key | None:
        """Return the first game that waits."""
        if not self._waiting:
            return None
        self._under_way += 1
        return self._waiting.popleft()

    def end(self, _: object) -> None:
        """Count a game that has ended."""
        self._under_way -= 1


def play_all(executor: Executor[Key, Game], queue: Queue[Key, Game]) -> Iterator[Game]:
    """Play the games of a queue, as many at a time as there is room for; yield them as they end.

    This is the loop of series, tournaments and proofs of first moves. The next games are asked
    for when the caller is done with those that have ended.

    Raises
    ------
    HostFailure
        If the executor loses a game.
    """
    while True:
        while executor.free and (key := queue.next()) is not None:
            executor.submit(key)
        if queue.is_over:
            return
        for game in executor.ended():
            queue.end(game)
            yield game
