"""Looking at the folder of the players: what is there, and since when it has been the same."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ludograph.arena.ladder.folder import SUFFIXES, unusable
from ludograph.quoting import one_line

SETTLE = 1.0
"""Seconds for which a file must have stayed as it is: until then it may be half copied."""


NO_FILE = "it is no file: put the file itself here"


class Stamp(NamedTuple):
    """What changes when a file does."""

    size: int
    modified: int
    changed: int
    inode: int

    @classmethod
    def of(cls, found: os.stat_result) -> Stamp:
        """Return the stamp of a file."""
        return cls(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


class Look(NamedTuple):
    """What a look at the folder has found.

    Attributes
    ----------
    settled
        Files that can be taken, with their stamps.
    waiting
        Files that still grow, or may do so.
    troubles
        Why something in the folder cannot be a player, by name.
    """

    settled: dict[str, Stamp]
    waiting: set[str]
    troubles: dict[str, str]

    @property
    def names(self) -> set[str]:
        """All files that are or will be players."""
        return {*self.settled, *self.waiting}


@dataclass
class Watcher:
    """Looks at a folder again and again.

    Attributes
    ----------
    clock
        Seconds since 1970, as the file system counts them; another one in tests.
    """

    folder: Path
    clock: Callable[[], float] = time.time
    _since: dict[str, tuple[Stamp, float]] = field(default_factory=dict)

    def look(self) -> Look:
        """Look once.

        A file has settled if it was last changed a while ago, or stayed the same for as long
        where the clock of the file system is another.

        Raises
        ------
        OSError
            If the folder cannot be read.
        """
        now = self.clock()
        found = Look({}, set(), {})
        since: dict[str, tuple[Stamp, float]] = {}
        with os.scandir(self.folder) as entries:
            for entry in entries:
                if entry.name.startswith(".") or not entry.name.endswith(SUFFIXES):
                    continue
                trouble = unusable(entry.name)
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue  # it was taken out at this very moment
                except OSError as error:
                    found.troubles[shown(entry.name)] = str(error.strerror)
                    continue
                if trouble or not stat.S_ISREG(status.st_mode):
                    found.troubles[shown(entry.name)] = trouble or NO_FILE
                    continue
                stamp = Stamp.of(status)
                known, first = self._since.get(entry.name, (None, now))
                first = first if known == stamp else now
                since[entry.name] = stamp, first
                age = now - max(stamp.changed, stamp.modified) / 1e9
                if age >= SETTLE or now - first >= SETTLE:
                    found.settled[entry.name] = stamp
                else:
                    found.waiting.add(entry.name)
        self._since = since
        return found


def shown(name: str) -> str:
    """Return the name of a file in the folder, whatever it is, as one that can be shown."""
    return one_line(name if name.isprintable() else ascii(name)[1:-1])
