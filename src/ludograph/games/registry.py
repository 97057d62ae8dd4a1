"""The registry of all games: those of Ludograph, and those of installed packages.

A package brings a game by an entry point in the group ``ludograph.games``, which names its
:class:`~ludograph.games.declaration.Declaration`::

    [project.entry-points."ludograph.games"]
    snort = "snort:DECLARATION"
"""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING

from ludograph.errors import InvalidInput, did_you_mean
from ludograph.games.declaration import Declaration
from ludograph.quoting import described

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from ludograph.games.game import AnyGame

GROUP = "ludograph.games"

OURS = ("amazons", "carcassonne", "flood", "hex", "penguins")


@functools.cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # it takes longer than all else here

    return {point.name: point for point in entry_points(group=GROUP) if point.name not in OURS}


def names() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(sorted((*OURS, *_installed())))


def is_game(name: str) -> bool:
    """Tell whether there is a game of a name; quick for ours."""
    return name in OURS or name in _installed()


@functools.cache
def declaration(name: str) -> Declaration:
    """Return the declaration of a game.

    Raises
    ------
    InvalidInput
        If there is no game of that name, or its package does not bring what it says.
    """
    if name in OURS:
        ours: Declaration = importlib.import_module(f"ludograph.games.{name}.options").DECLARATION
        return ours
    point = _installed().get(name)
    if point is None:
        meant = did_you_mean(str(name), names())
        raise InvalidInput(f"no game {described(name)}; there are {', '.join(names())}{meant}")
    try:
        loaded = point.load()
    except Exception as error:
        raise InvalidInput(
            f"game {name}: its entry point {point.value!r} raises {type(error).__name__}: {error}"
        ) from error
    if not isinstance(loaded, Declaration) or loaded.name != name:
        raise InvalidInput(
            f"game {name}: its entry point {point.value!r} is no Declaration of this name"
        )
    return loaded


def game(name: str) -> AnyGame:
    """Return a game by name; raise InvalidInput if there is none."""
    return declaration(name).game()
