"""Landlock: the files that a process may open, independent of its user's rights."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable

from ludograph.hosting.sandbox.syscalls import (
    LANDLOCK_ADD_RULE,
    LANDLOCK_CREATE_RULESET,
    LANDLOCK_RESTRICT_SELF,
    system_call,
)

EXECUTE, WRITE, READ, READ_FOLDER = 1, 2, 4, 8
SINCE = {1: 13, 2: 14, 3: 15, 5: 16}
"""The number of rights over files since each version."""

NETWORK_SINCE, SIGNALS_SINCE = 4, 6
BELOW_PATH = 1
RULE = struct.Struct("<Qi")


def version() -> int:
    """Return the version of Landlock in this kernel; 0 if it has none or it is switched off."""
    try:
        return system_call("landlock", LANDLOCK_CREATE_RULESET, 0, 0, 1)
    except OSError:
        return 0


def restrict(readable: Iterable[str], writable: Iterable[str], workspace: str = "") -> None:
    """Forbid this process, and all that it starts, to open any other files.

    Parameters
    ----------
    readable
        Files and folders that may be read and executed, with their contents. A folder with a slash
        at its end may only be listed, and so may the folders within it.
    writable
        Files that may also be written to.
    workspace
        A folder with all rights; empty for none.

    Raises
    ------
    OSError
        If the kernel cannot do it.
    """
    now = version()
    files = (1 << max(count for since, count in SINCE.items() if since <= max(now, 1))) - 1
    network = 3 if now >= NETWORK_SINCE else 0
    scoped = 3 if now >= SIGNALS_SINCE else 0
    size = 24 if scoped else 16 if network else 8
    handled = struct.pack("<QQQ", files, network, scoped)[:size]
    ruleset = system_call("landlock", LANDLOCK_CREATE_RULESET, handled, size, 0)
    try:
        rights = dict.fromkeys(readable, READ | READ_FOLDER | EXECUTE)
        rights |= {path: READ_FOLDER for path in rights if path.endswith("/")}
        rights |= dict.fromkeys(writable, READ | WRITE)
        if workspace:
            rights[workspace] = files
        for path, allowed in rights.items():
            _allow(ruleset, path, allowed)
        system_call("landlock", LANDLOCK_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, allowed: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return  # not on this system
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            allowed &= ~READ_FOLDER
        rule = RULE.pack(allowed, place)
        system_call("landlock", LANDLOCK_ADD_RULE, ruleset, BELOW_PATH, rule, 0)
    finally:
        os.close(place)
