"""The files of a C player: its sources in a command, and what a source includes from its folder.

A library is made only from these files, so they also identify the version of a player.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable
from pathlib import Path

from ludograph.errors import InvalidInput

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n\0]+)"', re.MULTILINE)
"""A file that is included by name, first searched in the folder of the including file."""

SOURCE_BYTES = 16 << 20
"""The most bytes of a source and all that it includes by name."""


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


def included(source: Path) -> dict[str, bytes]:
    """Return the content of a source and of the files that it includes by name.

    The keys are their paths from the source's folder. Missing files, and those outside of the
    folder, are left to the compiler.

    Raises
    ------
    InvalidInput
        If they have more than 16 MiB together.
    OSError
        If one cannot be read.
    """
    top = Path(os.path.realpath(source.parent))
    found = {source.name: source.read_bytes()}
    waiting = [source.name]
    while waiting:
        name = waiting.pop()
        for word in INCLUDE.findall(found[name]):
            beside = os.path.join(os.path.dirname(name), os.fsdecode(word))
            for each in (os.path.normpath(beside), os.path.normpath(os.fsdecode(word))):
                path = top / each
                if each in found or not os.path.isfile(path):  # of a loop of links, neither
                    continue
                real = Path(os.path.realpath(path))
                if real.is_relative_to(top):
                    found[each] = real.read_bytes()
                    waiting.append(each)
        if sum(map(len, found.values())) > SOURCE_BYTES:
            raise InvalidInput(
                f"the source and what it includes have more than {SOURCE_BYTES >> 20} MiB"
            )
    return found


def laid_out(source: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the places of a source's files in any folder, by their names in `included`.

    Copied to these places, the files include each other as they do beside the source: a name such
    as ``../bot/list.h`` needs the end of the source's own path, too. A name that leads to no place
    in the folder, such as an absolute path, has none.

    Examples
    --------
    >>> laid_out(Path("/own/bot/bot.c"), ["bot.c", "parts/list.h", "/own/bot/list.h"])
    {'bot.c': 'bot.c', 'parts/list.h': 'parts/list.h'}
    >>> laid_out(Path("/own/bot/bot.c"), ["bot.c", "../bot/list.h"])
    {'bot.c': 'bot/bot.c', '../bot/list.h': 'bot/list.h'}
    """
    above = Path(os.path.realpath(source.parent)).parts[1:]
    climbs = {name: Path(name).parts.count("..") for name in names if not os.path.isabs(name)}
    climbs = {name: steps for name, steps in climbs.items() if steps <= len(above)}
    beside = above[len(above) - max(climbs.values(), default=0) :]
    return {name: os.path.normpath(os.path.join(*beside, name)) for name in climbs}
