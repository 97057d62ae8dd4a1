"""A series: all players sit at one table, in game after game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludograph.arena.finished_game import GameKey
from ludograph.arena.results import Games, Results
from ludograph.arena.schedules.seatings import without
from ludograph.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Series:
    """Games of all players, with numbers from 0: each start is played with every seating.

    Attributes
    ----------
    players
        As many as the game has seats, with different names.
    games
        Their number; the last start may have fewer seatings.
    starter
        The place of the player on seat 0, or a function of the game's number that returns it. Each
        game then has a start of its own. None: the players begin in turn.

    Raises
    ------
    InvalidInput
        If a player is there twice.

    Examples
    --------
    >>> [tuple(key) for key in Series(("ann", "bob"), 3).remaining(())]
    [(0, ('ann', 'bob')), (0, ('bob', 'ann')), (1, ('ann', 'bob'))]
    """

    players: tuple[str, ...]
    games: int
    starter: int | Callable[[int], int] | None = None

    def __post_init__(self) -> None:
        """Check the names; raise InvalidInput."""
        if len(set(self.players)) < len(self.players):
            raise InvalidInput(f"players must have different names, got {', '.join(self.players)}")

    def key(self, number: int) -> GameKey:
        """Return the key of a game by its number."""
        count, starter = len(self.players), self.starter
        start, first = divmod(number, count)
        if starter is not None:
            start, first = number, (starter(number) if callable(starter) else starter) % count
        return GameKey(start, self.players[first:] + self.players[:first])

    def number(self, key: GameKey) -> int:
        """Return the number of a game."""
        if self.starter is not None:
            return key.start
        return key.start * len(self.players) + self.players.index(key.seating[0])

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return all games that are not finished, in the order of their numbers."""
        return without(map(self.key, range(self.games)), Results.of(finished))
