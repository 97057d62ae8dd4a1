"""The protocols of executors and game queues, and the loop that plays a queue to its end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, Protocol, Self, TypeVar

from ludograph.arena.executor.shared_chance import SharedChance

Key = TypeVar("Key")
"""The key of a game: a :class:`GameKey` in a tournament, a number in a series."""

Game = TypeVar("Game")
"""The result of a game."""

Key_co = TypeVar("Key_co", covariant=True)
Key_contra = TypeVar("Key_contra", contravariant=True)
Game_co = TypeVar("Game_co", covariant=True)
Game_contra = TypeVar("Game_contra", contravariant=True)

OnOutput = Callable[[int, int, str], None]
"""Called with the place and the seat of a player, and a line that it has printed."""


class Executor(Protocol[Key_contra, Game_co]):
    """Plays games; a context manager that ends all its games and processes at the end.

    Only one process calls it, and only that process writes to a store or a file.
    """

    def __enter__(self) -> Self:
        """Start processes, or connect to them."""
        ...

    def __exit__(self, *raised: object) -> None:
        """End all games under way, and the processes that play them."""
        ...

    @property
    def threads(self) -> int:
        """The number of games that are played at a time."""
        ...

    @property
    def free(self) -> int:
        """The number of games that can be submitted now."""
        ...

    def submit(self, key: Key_contra, /) -> None:
        """Take a game to play; ``free`` must be above 0."""
        ...

    def ended(self) -> Iterator[Game_co]:
        """Wait for games to end, and yield them.

        It may yield nothing, for instance when a player has printed a line.

        Raises
        ------
        HostFailure
            If a game was lost, played again and lost again.
        """
        ...


class Queue(Protocol[Key_co, Game_contra]):
    """Games that wait to be played, and those under way."""

    @property
    def is_over(self) -> bool:
        """Whether the loop may stop, though games may still be under way."""
        ...

    def next(self) -> Key_co | None:
        """Return the next game and count it as under way; None if none can be played now."""
        ...

    def end(self, game: Game_contra, /) -> None:
        """Record that a game has ended."""
        ...


class ListedGames(Generic[Key, Game]):
    """A queue of games that do not depend on the results of others.

    Parameters
    ----------
    key_of
        Returns the key of a game that has ended.
    chance_of
        See :class:`SharedChance`.
    """

    def __init__(
        self,
        keys: Iterable[Key],
        key_of: Callable[[Game], Key],
        chance_of: Callable[[Key], Hashable],
    ) -> None:
        self._waiting = deque(keys)
        self._key_of = key_of
        self._chance = SharedChance(chance_of)
        self._under_way = 0

    @property
    def is_over(self) -> bool:
        """Whether no game is under way."""
        return not self._under_way

    def next(self) -> Key | None:
        """Return the first waiting game that can be played now; None if there is none."""
        key = self._chance.take(self._waiting)
        self._under_way += key is not None
        return key

    def end(self, game: Game) -> None:
        """Count a game that has ended."""
        self._chance.end(self._key_of(game))
        self._under_way -= 1


def play_all(executor: Executor[Key, Game], queue: Queue[Key, Game]) -> Iterator[Game]:
    """Play the games of a queue, as many at a time as the executor can; yield them as they end.

    This is the loop of series, tournaments and proofs of first moves. The queue is asked for the
    next games after the caller has handled those that ended.

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
