"""Taking a player's file in: copied under its digest, a source kept for the compiler, looked at."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ludograph.arena.ladder.declaration import Ladder, entered
from ludograph.arena.ladder.folder import LadderFolder, remove_tree, write_whole
from ludograph.arena.ladder.roster import Stamp
from ludograph.arena.store.history import LABEL_LETTERS
from ludograph.errors import InvalidInput
from ludograph.players.factory import check_seating

SIZE_LIMIT = 16 << 20


class Changing(Exception):
    """A file was changed while it was read; it is looked at again."""


class Taken(NamedTuple):
    """What became of a file.

    Attributes
    ----------
    version
        The digest of what is in it; empty if it could not be read.
    trouble
        Why it cannot play, in one sentence; empty if it can.
    report
        What its author should read.
    is_source
        Whether it is still to be compiled.
    is_known
        Whether it is the source that is known not to compile.
    """

    version: str
    trouble: str = ""
    report: str = ""
    is_source: bool = False
    is_known: bool = False


def take(ladder: Ladder, name: str, stamp: Stamp, broken: str = "") -> Taken:
    """Take in a file of the players' folder.

    Parameters
    ----------
    broken
        The version of this player that does not compile, if there is one.

    Raises
    ------
    Changing
        If it is not what it was when it was looked at.
    OSError
        If the copy cannot be written.
    """
    try:
        data = read(ladder.folder.players / name, stamp)
    except OSError as error:
        return Taken("", f"it cannot be read: {error.strerror}")
    except InvalidInput as error:
        return Taken("", str(error))
    version = hashlib.sha256(data).hexdigest()
    if version == broken:
        return Taken(version, is_known=True)
    library = name.endswith((".c", ".so"))
    interface = ladder.game.library_interface() if library else None
    if library and interface is None:
        return Taken(version, f"{ladder.game.name} has no C interface: write a .py file")
    place = ladder.folder.place(name, version[:LABEL_LETTERS])
    if not ladder.folder.played_file(name, place.name).is_file():
        is_source = name.endswith(".c") and interface is not None
        header = {"player.h": interface.header.encode()} if is_source and interface else {}
        keep(place, {name: data, **header})
        if is_source:
            return Taken(version, is_source=True)
    return looked_at(ladder, name, version)


def looked_at(ladder: Ladder, name: str, version: str) -> Taken:
    """Return whether the copy of a version, which is in its place, can play."""
    place = ladder.folder.place(name, version[:LABEL_LETTERS])
    spec = entered(str(ladder.folder.played_file(name, place.name).absolute()), name)
    try:
        check_seating([spec], ladder.start(0))
    except InvalidInput as error:
        return Taken(version, str(error), f"{name}: {error}\n")
    os.utime(place)  # the latest version is that which was taken last
    return Taken(version)


def read(path: Path, stamp: Stamp) -> bytes:
    """Return what is in a file that must be as it was when it was looked at.

    Raises
    ------
    Changing
        If it is not.
    InvalidInput
        If there is too much or nothing in it.
    OSError
        If it cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode) or Stamp.of(before) != stamp:
            raise Changing
        if before.st_size > SIZE_LIMIT:
            raise InvalidInput(f"it has more than {SIZE_LIMIT >> 20} MiB")
        data = file.read(SIZE_LIMIT + 1)
        if len(data) != before.st_size or Stamp.of(os.fstat(descriptor)) != stamp:
            raise Changing
    if not data:
        raise InvalidInput("it is empty")
    return data


def keep(place: Path, files: dict[str, bytes]) -> None:
    """Make a folder with files in it, which is there as a whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".") as made:
        for name, data in files.items():
            write_whole(Path(made) / name, data)
        remove_tree(place)  # of a run that was killed
        os.chmod(made, 0o755)
        os.rename(made, place)
        os.mkdir(made)  # which the context is to remove


def drop_versions(folder: LadderFolder, present: Iterable[tuple[str, str]], most: int) -> int:
    """Remove copies of old versions beyond so many per player; return how many went.

    Parameters
    ----------
    present
        Names with the versions that play now, which stay.
    """
    playing = {(name, version[:LABEL_LETTERS]) for name, version in present}
    dropped = 0
    if not folder.versions.is_dir():
        return 0
    for own in folder.versions.iterdir():
        places = sorted(own.iterdir(), key=lambda place: place.stat().st_mtime_ns)
        spare = [place for place in places if (own.name, place.name) not in playing]
        for place in spare[: max(0, len(places) - most)]:
            remove_tree(place)
            dropped += 1
    return dropped
