"""The templates of players for people who write their own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from ludograph.errors import NotFound
from ludograph.games.registry import declaration, name_of


def template(game_name: str, name: str, path: Path) -> str:
    """Return a game's template, or one of all games, with the player's name in it.

    Parameters
    ----------
    name
        The name of the template, as in ``player.py.txt``.
    path
        The path of the player's file.

    Raises
    ------
    NotFound
        If the game has no template of this name.
    """
    own, shared = declaration(game_name).package, "ludograph.games"
    places = (resources.files(package) / "templates" / name for package in (own, shared))
    found = next((file for file in places if file.is_file()), None)
    if found is None:
        raise NotFound(f"{game_name} has no template for a {path.suffix} player")
    text = found.read_text(encoding="utf-8")
    class_name = "".join(word[:1].upper() + word[1:] for word in path.stem.split("_")) or "Player"
    if not class_name.isidentifier():  # such as _1
        class_name = "Player"
    text = text.replace("@NAME@", path.stem).replace("@CLASS@", class_name)
    return text.replace("@GAME@", game_name).replace("@OPPONENTS@", opponents(game_name))


def opponents(game_name: str) -> str:
    """Return the random players that a game needs as opponents of a new player."""
    fewest, _ = declaration(name_of(game_name)).seats
    return " ".join(["random"] * max(1, fewest - 1))
