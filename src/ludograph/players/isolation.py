"""The levels of isolation as an option of a match, and the limits of a player."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from ludograph.errors import InvalidInput

VARIABLE = "LUDOGRAPH_ISOLATION"
"""The environment variable with the default level."""

GIB = 1 << 30
MEMORY = 2 * GIB
"""The default limit of the resident memory of a player and its processes, in bytes."""

LEAST_MEMORY = 1 << 24
"""The least limit with which a game can be played."""


class Level(StrEnum):
    """The level of a player's isolation from the rest of the machine."""

    STRICT = "strict"
    """Namespaces of its own: user, processes, files, network, and messages between processes."""
    BASIC = "basic"
    """Landlock and a filter of system calls, if there are no namespaces."""
    NONE = "none"
    """Only a process of its own: never the default."""


STRONGEST_FIRST = (Level.STRICT, Level.BASIC)
"""The levels to try by default: never ``none``."""

PASSED = (
    "PATH",
    "HOME",
    "LD_LIBRARY_PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "PYTHONPATH",
    "XDG_CACHE_HOME",
)
PASSED_PREFIXES = (
    "LC_",
    "LUDOGRAPH_CACHE",
    "LUDOGRAPH_PLAYER_",
    "MKL_NUM_",
    "NUMBA_",
    "OMP_",
    "OPENBLAS_",
)
"""Variables that isolated players see, beside those that their host needs."""


@dataclass(frozen=True, slots=True)
class Isolation:
    """The requested isolation.

    Attributes
    ----------
    level
        The level; None for the strongest that works on this machine.
    memory
        Bytes of resident memory that a player and all its processes may have together.
    """

    level: Level | None = None
    memory: int = MEMORY

    @classmethod
    def chosen(cls, level: str | Level | None = None, memory: int | None = None) -> Isolation:
        """Return the requested isolation; without a level, the one in ``LUDOGRAPH_ISOLATION``.

        Raises
        ------
        InvalidInput
            If there is no such level, or the memory is too small.
        """
        named = level or os.environ.get(VARIABLE) or None
        words = ", ".join(Level)
        if named is not None and named not in list(Level):
            raise InvalidInput(f"isolation must be one of {words}, got {named!r}")
        if memory is not None and memory < LEAST_MEMORY:
            raise InvalidInput(f"memory must be at least {LEAST_MEMORY} bytes, got {memory}")
        return cls(None if named is None else Level(named), MEMORY if memory is None else memory)

    @property
    def wish(self) -> str:
        """The level's name; empty for the strongest."""
        return "" if self.level is None else str(self.level)


def environment(wish: str) -> dict[str, str]:
    """Return the variables that players see: without isolation, all of this process."""
    if wish == Level.NONE:
        return dict(os.environ)
    return {name: value for name, value in os.environ.items() if is_passed(name)}


def is_passed(name: str) -> bool:
    """Tell whether isolated players see a variable."""
    return name in PASSED or name.startswith(PASSED_PREFIXES)


def own(variables: Mapping[str, str], cache: str) -> dict[str, str]:
    """Return the variables of an isolated player: its home is the folder that it may write to."""
    found = {name: value for name, value in variables.items() if name != "XDG_CACHE_HOME"}
    found |= {"HOME": "/tmp", "NUMBA_CACHE_DIR": "/tmp/numba"}
    return found | ({"LUDOGRAPH_CACHE": cache} if cache else {})
