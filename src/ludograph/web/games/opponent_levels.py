"""Levels of opponents, from beginner to best, measured for each game.

They are in ``levels.json`` of the game's package: players with their ratings, the weakest first.
``benchmarks/levels.py`` measures and writes them; a game without this file has no levels.
"""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import msgspec

from ludograph.games.declaration import Declaration

FILE = "levels.json"

FIRST, LAST = "beginner", "best"

CHOICE = "level:"
"""The beginning of the choice of a level in forms."""


class Measured(msgspec.Struct, frozen=True):
    """A player of the file."""

    player: str
    elo: int


class OpponentLevel(NamedTuple):
    """An opponent.

    Attributes
    ----------
    player
        Its name on the command line.
    elo
        Its rating relative to the game's first anchor, which has 1000.
    name
        Its name in a form.
    number
        Its place, from 1 for the weakest.
    """

    player: str
    elo: int
    name: str
    number: int

    @property
    def choice(self) -> str:
        """Its value in a form, different from any strategy's name."""
        return f"{CHOICE}{self.number}"

    @property
    def strategy(self) -> str:
        """The name of its strategy, without options."""
        return self.player.partition(":")[0]


def measured(package: str) -> list[Measured]:
    """Return the players in a package's file; none without a file."""
    try:
        content = (files(package) / FILE).read_bytes()
    except FileNotFoundError:
        return []
    return msgspec.json.decode(content, type=list[Measured])


def usual_level(game: Declaration) -> OpponentLevel | None:
    """Return the level in the middle of those of a game; None if it has no levels."""
    levels = levels_of(game)
    return levels[len(levels) // 2] if levels else None


def levels_of(game: Declaration) -> list[OpponentLevel]:
    """Return the levels of a game, the weakest first."""
    players = measured(game.package)
    words = {1: FIRST, len(players): LAST}
    return [
        OpponentLevel(
            one.player,
            one.elo,
            f"level {number}{f', {words[number]}' if number in words else ''}",
            number,
        )
        for number, one in enumerate(players, start=1)
    ]
