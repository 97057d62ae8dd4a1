"""Ludograph: board games on any graph.

Write a strategy in Python or C, play it, watch it, rank it.

>>> from ludograph import boards, flood, play_match
>>> position = flood.position(boards.hatched(12), colors=6, coloring="blocks", seed=7)
>>> result = play_match(position, ["greedy", "random"])

Names are looked up when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ludograph import boards
    from ludograph.arena.series import play_series
    from ludograph.boards import Board
    from ludograph.errors import IllegalMove, InvalidInput, LudographError
    from ludograph.games import Outcome, Position, TimeLeft
    from ludograph.games.amazons import amazons
    from ludograph.games.bulk import Playouts, RandomGames, playouts, random_games
    from ludograph.games.carcassonne import carcassonne
    from ludograph.games.flood import flood
    from ludograph.games.hex import hex
    from ludograph.games.penguins import penguins
    from ludograph.referee import Clock, MatchResult, play_match, read_record
    from ludograph.version import VERSION

    __version__ = VERSION

_HOMES = {
    "arena.series": ("play_series",),
    "errors": ("IllegalMove", "InvalidInput", "LudographError"),
    "games": ("Outcome", "Position", "TimeLeft"),
    "games.bulk": ("Playouts", "RandomGames", "playouts", "random_games"),
    "referee": ("Clock", "MatchResult", "play_match", "read_record"),
}

__all__ = [
    "Clock",
    "IllegalMove",
    "InvalidInput",
    "LudographError",
    "MatchResult",
    "Outcome",
    "Playouts",
    "Position",
    "RandomGames",
    "TimeLeft",
    "amazons",
    "boards",
    "carcassonne",
    "flood",
    "hex",
    "make",
    "penguins",
    "play_match",
    "play_series",
    "playouts",
    "random_games",
    "read_record",
]


def make(
    name: str,
    board: Board | str | int | None = None,
    *,
    seats: int | None = None,
    seed: int = 0,
    **options: Any,
) -> Position:
    """Return the start of a game by the game's name.

    Parameters
    ----------
    name
        A name in the list of ``ludograph games``.
    board, seats, seed, options
        See :meth:`ludograph.games.Game.position`; ``ludograph NAME --help`` lists the options.

    Examples
    --------
    >>> make("hex", size=5)
    <hex on hexagonal:5, ply 0, seat 0>
    """
    from ludograph.games import registry

    return registry.game(name).position(board, seats=seats, seed=seed, **options)


def __getattr__(name: str) -> Any:
    import importlib

    if name == "__version__":
        return importlib.import_module("ludograph.version").VERSION
    if name == "boards":
        return importlib.import_module("ludograph.boards")
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"ludograph.{module}"), name)
    from ludograph.games import registry

    if name in registry.names():
        return registry.game(name)
    raise AttributeError(f"module 'ludograph' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
