"""Seatings: the seats of players in the games on one start, exchanged so that they are fair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
