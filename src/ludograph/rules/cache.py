"""Machine code on disk: one file for each kernel and types of arguments, never stale.

A file's name holds a digest of everything that its machine code was made from (see
:mod:`ludograph.rules.fingerprint`), so nothing has to be compared when it is found, and all
checkouts of one user share one folder: ``$LUDOGRAPH_CACHE``, else ``ludograph/kernels`` among the
user's caches (``$XDG_CACHE_HOME``, else ``~/.cache``). A file begins with its checksum: one
that was cut short or changed is removed and made again. If Numba makes no kernel of one that is as
it was written, it is kept, and :mod:`ludograph.rules._numba.insides` falls back.

The process of a player may read a second folder, which holds what was compiled for this player
alone: see :data:`own` and :mod:`ludograph.hosting.player_kernels`. Behind both there may be files
that came with the package: see :mod:`ludograph.rules.precompiled`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import tempfile
import time
from pathlib import Path

from ludograph.documents import replacing

VARIABLE = "LUDOGRAPH_CACHE"
SUFFIX = ".kernel"
CHECKSUM_BYTES = hashlib.sha256().digest_size

OWN_BYTES = 32 << 20
"""Bytes that the kernels of one player may have together."""


def folder() -> Path:
    """Return the folder of the user's kernels; it may not exist yet."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "ludograph" / "kernels"


@functools.cache
def can_keep() -> bool:
    """Tell whether files can be made in the folder."""
    try:
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        tempfile.TemporaryFile(dir=folder()).close()
    except OSError:
        return False
    return True


def sizes() -> list[int]:
    """Return the bytes of each kernel, without those that other processes remove meanwhile."""
    found = []
    for path in folder().glob(f"*{SUFFIX}"):
        with contextlib.suppress(FileNotFoundError):
            found.append(path.stat().st_size)
    return found


def prune(days: float) -> int:
    """Remove the kernels that were not used for a number of days; return how many were removed."""
    oldest = time.time() - days * 86400
    removed = 0
    for path in folder().glob(f"*{SUFFIX}"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
                removed += 1
    return removed


class DamagedKernel(Exception):
    """A file does not hold what was written."""


class OwnKernels:
    """The kernels of one player, in the player's process.

    Attributes
    ----------
    folder
        Where earlier processes of the player have left theirs; read, never written to.
    made
        The kernels compiled in this process, as their files, by name; None unless they are to be
        handed over. Then none of them is written anywhere.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.made: dict[str, bytes] | None = None

    def keep(self, name: str, payload: bytes) -> None:
        """Remember a kernel, unless all of them together would be too large."""
        if self.made is not None:
            content = with_checksum(payload)
            if sum(map(len, self.made.values())) + len(content) <= OWN_BYTES:
                self.made[name] = content


own = OwnKernels()


def read(path: Path) -> bytes | None:
    """Return what a file holds behind its checksum, None if there is no file to read.

    Raises
    ------
    DamagedKernel
        If the checksum is another.
    """
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, payload = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
    if hashlib.sha256(payload).digest() != checksum:
        raise DamagedKernel
    return payload


def with_checksum(payload: bytes) -> bytes:
    """Return the content of a file that holds something."""
    return hashlib.sha256(payload).digest() + payload


def write(path: Path, payload: bytes) -> None:
    """Write a file as a whole, or not at all; nobody else may read or change it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with replacing(path, concurrent=True) as part:
        part.touch(mode=0o600)
        part.write_bytes(with_checksum(payload))
