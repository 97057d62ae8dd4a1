"""Seatings: the seats of players in the games on one start, exchanged so that they are fair."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ludograph.arena.finished_game import GameKey
from ludograph.arena.results import Games, Results
from ludograph.errors import InvalidInput
from ludograph.formatting import counted


class Pairing(NamedTuple):
    """Players that meet on one start, as many as the game has seats."""

    start: int
    players: tuple[str, ...]


class Schedule(Protocol):
    """A format of tournaments: a pure function from finished games to those that come next.

    Called again with more finished games, in any order, it returns the remaining ones. So a
    tournament can go on after any interruption: its state is the set of finished games.
    """

    def remaining(self, finished: Games) -> list[GameKey]:
        """Return the games that can be played now; none if the tournament is over.

        Games under way are among them, since they are not finished.

        Parameters
        ----------
        finished
            Games of this tournament, as results or as rows for
            :meth:`ludograph.arena.Results.of`; those of other players have no influence.
        """
        ...


def rotations(pairing: Pairing) -> list[GameKey]:
    """Return games in which each player has each seat once.

    Two players exchange seats. Three players and more move on by one seat from game to game; on the
    next start they sit in the reverse order, so that each follows each other equally often.
    """
    order = pairing.players
    if len(order) > 2 and pairing.start % 2:
        order = order[::-1]
    return [GameKey(pairing.start, order[turn:] + order[:turn]) for turn in range(len(order))]


def without(keys: Iterable[GameKey], finished: Games) -> list[GameKey]:
    """Return the keys of games that are not finished."""
    done = set(Results.of(finished).keys)
    return [key for key in keys if key not in done]


def check_players(players: Sequence[str], seats: int) -> None:
    """Raise InvalidInput if a player is there twice, or there are too few for a game."""
    if seats < 2:
        raise InvalidInput(f"a tournament needs a game of two seats or more, not {seats}")
    if len(set(players)) < len(players):
        twice = next(player for player in players if players.count(player) > 1)
        raise InvalidInput(f"player {twice!r} takes part twice")
    if len(players) < seats:
        there = counted(len(players), "player")
        raise InvalidInput(f"{there} for a game of {seats} seats")


def check_number(name: str, value: int) -> None:
    """Raise InvalidInput if a number is below 1."""
    if value < 1:
        raise InvalidInput(f"{name} {value}: 1 at least")


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
