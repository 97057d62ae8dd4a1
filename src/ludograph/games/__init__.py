"""The games: each in a folder of its own, with the same file names in each."""

from __future__ import annotations

import importlib

from ludograph.errors import InvalidInput
from ludograph.games.game import Game
from ludograph.games.outcome import Outcome
from ludograph.games.position import Position
from ludograph.games.strategy import Option, Strategy
from ludograph.games.timing import TimeLeft

GAMES = ("carcassonne", "flood", "hex", "penguins")
"""The names of all games."""


def game(name: str) -> Game:
    """Return a game by name.

    Raises
    ------
    InvalidInput
        If there is none of that name.
    """
    if name not in GAMES:
        raise InvalidInput(f"no game {name[:40]!r}; there are {', '.join(GAMES)}")
    found: Game = getattr(importlib.import_module(f"ludograph.games.{name}"), name)
    return found


__all__ = ["GAMES", "Game", "Option", "Outcome", "Position", "Strategy", "TimeLeft", "game"]
