"""The files that a C source includes from its own folder, and that are compiled with it.

A library is made only from these files, so they also identify the version of a player.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from ludograph.errors import InvalidInput

INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n\0]+)"', re.MULTILINE)
"""A file that is included by name, first searched in the folder of the including file."""

SOURCE_BYTES = 16 << 20
"""The most bytes of a source and all that it includes by name."""


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
                path = Path(os.path.realpath(top / each))
                if each not in found and os.path.isfile(path) and path.is_relative_to(top):
                    found[each] = path.read_bytes()
                    waiting.append(each)
        if sum(map(len, found.values())) > SOURCE_BYTES:
            raise InvalidInput(
                f"the source and what it includes have more than {SOURCE_BYTES >> 20} MiB"
            )
    return found
