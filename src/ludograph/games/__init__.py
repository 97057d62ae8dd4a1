"""The games: each in its own folder, with the same file names.

Names are looked up when they are first used: a game's declaration is read without the rest of the
game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.lazy import look_up

if TYPE_CHECKING:
    from ludograph.games.declaration import Declaration
    from ludograph.games.game import AnyGame, Game
    from ludograph.games.options import Option, OptionType
    from ludograph.games.outcome import Outcome
    from ludograph.games.position import Position
    from ludograph.games.strategy import Strategy
    from ludograph.games.timing import TimeLeft
    from ludograph.games.vertex_game import VertexGame

_HOMES = {
    "AnyGame": "game",
    "Declaration": "declaration",
    "Game": "game",
    "Option": "options",
    "OptionType": "options",
    "Outcome": "outcome",
    "Position": "position",
    "Strategy": "strategy",
    "TimeLeft": "timing",
    "VertexGame": "vertex_game",
}

__all__ = [
    "AnyGame",
    "Declaration",
    "Game",
    "Option",
    "OptionType",
    "Outcome",
    "Position",
    "Strategy",
    "TimeLeft",
    "VertexGame",
]

__getattr__ = look_up(__name__, _HOMES)
