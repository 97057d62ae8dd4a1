"""The executor protocol: how a tournament has its games played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, Self

from ludograph.arena.finished import FinishedGame
from ludograph.arena.played import GameKey


class Executor(Protocol):
    """Plays games; a context at whose end nothing of it runs any more.

    It is asked by one process only, which alone writes to the store.
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

    def submit(self, key: GameKey) -> None:
        """Begin to play a game; there must be room for it."""
        ...

    def ended(self) -> Iterator[FinishedGame]:
        """Wait until there is something to say, and yield the games that have ended.

        Raises
        ------
        HostFailure
            If one was lost, played again and lost again.
        """
        ...
