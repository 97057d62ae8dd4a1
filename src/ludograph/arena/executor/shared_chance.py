"""The chance of the games under way: games that share it are played one after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key")
"""The key of a game."""


class SharedChance(Generic[Key]):
    """The chance of the games under way, of which no two share it.

    The same players play a start with all seatings, and chance brings the same in all these games.
    Isolated players that run at the same time can still exchange short messages. So a player in two
    such games at once could learn in one what chance will bring in the other.

    Parameters
    ----------
    chance_of
        Returns what the chance of a game follows from; equal for games that share it.
    """

    def __init__(self, chance_of: Callable[[Key], Hashable]) -> None:
        self._chance_of = chance_of
        self._under_way: set[Hashable] = set()

    def is_free(self, key: Key) -> bool:
        """Tell whether a game may begin: no game under way shares its chance."""
        return self._chance_of(key) not in self._under_way

    def begin(self, key: Key) -> None:
        """Count a game as under way."""
        self._under_way.add(self._chance_of(key))

    def end(self, key: Key) -> None:
        """Count a game as ended."""
        self._under_way.discard(self._chance_of(key))

    def take(self, waiting: deque[Key]) -> Key | None:
        """Remove the first waiting game that may begin, and begin it; None if there is none."""
        for place, key in enumerate(waiting):
            if self.is_free(key):
                del waiting[place]
                self.begin(key)
                return key
        return None
