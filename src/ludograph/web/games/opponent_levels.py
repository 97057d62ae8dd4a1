"""Three levels of opponents, easy, medium and hard, measured for each game.

They are chosen from ``levels.json`` of the game's package: players with their ratings, the weakest
first. ``benchmarks/levels.py`` measures and writes them; a game without this file has no levels.
"""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

import msgspec

from ludograph.games.declaration import Declaration

FILE = "levels.json"

LEVELS = ("easy", "medium", "hard")
"""The names of the levels, the weakest first."""

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
        Its name in a form, such as ``easy``.
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


def levels_of(game: Declaration) -> list[OpponentLevel]:
    """Return the levels of a game, the weakest first; none if fewer players were measured.

    Of more players the weakest, which hardly plays, is left out.
    """
    players = measured(game.package)
    if len(players) < len(LEVELS):
        return []
    chosen = players[len(players) > len(LEVELS)], players[len(players) // 2], players[-1]
    return [
        OpponentLevel(one.player, one.elo, name, number)
        for number, (one, name) in enumerate(zip(chosen, LEVELS, strict=True), start=1)
    ]
