"""C sources of a player: several files named in one text, and compiled into one library."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.games import AnyGame


def joined_sources(words: list[str]) -> list[str]:
    """Return the words of a command line, with successive C sources joined into one word.

    Examples
    --------
    >>> joined_sources(["player.c", "my list.c", "flood", "bot.c"])
    ["player.c 'my list.c'", 'flood', 'bot.c']
    >>> joined_sources(["my bot.c", "flood"])
    ['my bot.c', 'flood']
    """
    found: list[list[str]] = []
    for word in words:
        if found and is_source(word) and is_source(found[-1][-1]):
            found[-1].append(word)
        else:
            found.append([word])
    return [each[0] if len(each) == 1 else shlex.join(each) for each in found]


def is_source(word: str) -> bool:
    """Tell whether a word names a C source."""
    return word.endswith(".c") and not word.startswith("-")


def sources_of(player: str) -> list[str]:
    """Return the files that a player is compiled from; nothing if it is no C source."""
    if not player.endswith((".c", ".c'")):
        return []
    return [player] if os.path.isfile(player) else shlex.split(player)


def compile_player(player: str, game: AnyGame, folder: Path, *, sanitized: bool) -> str:
    """Compile a player's C sources into a folder; return the path of the library.

    Raises
    ------
    InvalidInput
        If the game has no C interface, a source does not exist, or the compiler rejects one.
    """
    from ludograph.hosting import debug_tools

    library = game.interop.library
    if library is None:
        raise InvalidInput(f"player {player!r}: {game.name} has no C interface")
    sources = sources_of(player)
    for source in sources:
        if not os.path.isfile(source):
            raise InvalidInput(f"player {player!r}: {source} does not exist")
    paths, usable = [Path(source) for source in sources], [*library.needs, *library.wants]
    return str(debug_tools.compiled(paths, library.header, folder, usable, sanitized=sanitized))
