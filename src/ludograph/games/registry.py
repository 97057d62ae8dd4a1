"""The registry of all games: those of Ludograph, and those of installed packages.

A package adds a game by an entry point in the group ``ludograph.games``, which names its
:class:`~ludograph.games.declaration.Declaration`::

    [project.entry-points."ludograph.games"]
    snort = "snort:DECLARATION"
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ludograph.documents import read_text, toml
from ludograph.errors import InvalidInput, did_you_mean
from ludograph.formatting import described
from ludograph.games.declaration import Declaration

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from ludograph.games.game import AnyGame

GROUP = "ludograph.games"

PROJECT_LIMIT = 1 << 20
"""The greatest size of a ``pyproject.toml`` in bytes."""

OURS = ("amazons", "carcassonne", "flood", "hex", "penguins")


@functools.cache
def _installed() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # this import is slow

    return {point.name: point for point in entry_points(group=GROUP) if point.name not in OURS}


def names() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(sorted((*OURS, *_installed())))


def is_game(name: str) -> bool:
    """Tell whether there is a game of a name; quick for Ludograph's own."""
    return name in OURS or name in _installed()


def home(name: str) -> str:
    """Return the name of the module with the declaration of a game; empty for Ludograph's own."""
    return "" if name in OURS or name not in _installed() else _installed()[name].module


@functools.cache
def declaration(name: str) -> Declaration:
    """Return the declaration of a game.

    Raises
    ------
    InvalidInput
        If there is no game of that name, or its package does not contain the declared one.
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


def add_from(path: Path) -> str:
    """Add a game that is not installed, only in this process; return its name.

    Parameters
    ----------
    path
        A folder with a ``pyproject.toml`` that names the game; or a package or a ``.py`` file with
        the game's ``DECLARATION``.

    Raises
    ------
    InvalidInput
        If there is no game, or several.
    """
    from importlib.metadata import EntryPoint

    path = path.resolve()
    project = path / "pyproject.toml"
    if project.is_file():
        data = toml(project, read_text(project, "project file", PROJECT_LIMIT))
        try:
            found = dict(data["project"]["entry-points"][GROUP])
        except (ValueError, KeyError, TypeError):
            found = {}
        if len(found) != 1:
            raise InvalidInput(
                f"{project}: it must name one game in [project.entry-points.{GROUP!r}], "
                f"and names {len(found)}"
            )
        ((name, home),) = found.items()
        roots = [path, path / "src"]
    elif (path.suffix == ".py" and path.is_file()) or (path / "__init__.py").is_file():
        module, roots = path.stem, [path.parent]
        sys.path.insert(0, str(path.parent))
        try:
            declared = getattr(importlib.import_module(module), "DECLARATION", None)
        except Exception as error:
            raise InvalidInput(
                f"{path}: its DECLARATION cannot be read: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(declared, Declaration):
            raise InvalidInput(f"{path}: this is not a game: it has no DECLARATION")
        name, home = declared.name, f"{module}:DECLARATION"
    else:
        raise InvalidInput(
            f"{path}: this is not a game: it must be a folder with a pyproject.toml, a package, or "
            "a .py file"
        )
    if name in OURS:
        raise InvalidInput(f"{path}: its game must have another name than {name}")
    sys.path[:0] = [str(root) for root in roots if root.is_dir() and str(root) not in sys.path]
    _installed()[name] = EntryPoint(name, str(home), GROUP)
    return name


def name_of(text: str) -> str:
    """Return the name of a game that is not installed if a text is its path; else the text."""
    is_path = "/" in text or text.endswith(".py") or os.path.isdir(text)
    return add_from(Path(text)) if is_path and not is_game(text) else text


def is_by_path(name: str) -> bool:
    """Tell whether a game is not installed: only this process knows it, by its path."""
    return name not in OURS and name in _installed() and _installed()[name].dist is None


def game(name: str) -> AnyGame:
    """Return a game by name; raise InvalidInput if there is none."""
    return load(declaration(name))


def declarations() -> list[Declaration]:
    """Return the declarations of all games, in the order that these declare."""
    return sorted(map(declaration, names()), key=lambda one: (one.order, one.name))


def load(declared: Declaration) -> AnyGame:
    """Return the game that a declaration declares.

    Raises
    ------
    InvalidInput
        If its module cannot be imported, for example because a rule is missing, or if the name in
        it is not a game.
    CannotCompile
        If a rule is refused when the module is imported.
    """
    module, _, name = declared.home.partition(":")
    at = f"game {declared.name}: its home {declared.home!r}"
    try:
        found: AnyGame = getattr(importlib.import_module(module), name)
    except Exception as error:
        from ludograph.rules.compile_errors import CannotCompile

        if isinstance(error, CannotCompile):  # it names file, line and rule
            raise
        raise InvalidInput(f"{at} raises {type(error).__name__}: {error}") from error
    from ludograph.games.game import Game

    if not isinstance(found, Game):
        kind = f"the class {name}" if isinstance(found, type) else described(found)
        raise InvalidInput(f"{at} is {kind}, not an object of a class derived from Game")
    return found
