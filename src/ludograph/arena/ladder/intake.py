"""Taking a player's file in: copied under its digest, compiled if it is a source, looked at."""

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
from ludograph.players.confined import Making
from ludograph.players.factory import check_seating
from ludograph.players.isolation.levels import Isolation
from ludograph.players.tools import compiler_here

SECONDS = 30.0
"""For a compiler."""

SIZE_LIMIT = 16 << 20
FLAGS = ("-O2", "-g", "-Wall", "-fPIC", "-shared", "-I.")


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
    """

    version: str
    trouble: str = ""
    report: str = ""


def take(ladder: Ladder, name: str, stamp: Stamp) -> Taken:
    """Take in a file of the players' folder.

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
    library = name.endswith((".c", ".so"))
    interface = ladder.game.library_interface() if library else None
    if library and interface is None:
        return Taken(version, f"{ladder.game.name} has no C interface: write a .py file")
    place = ladder.folder.place(name, version[:LABEL_LETTERS])
    report = ""
    if not ladder.folder.played_file(name, place.name).is_file():
        keep(place, {name: data})
        if name.endswith(".c") and interface is not None:
            write_whole(place / "player.h", interface.header.encode())
            trouble, report = compiled(ladder, place, name)
            if trouble:
                remove_tree(place)
                return Taken(version, trouble, report)
    spec = entered(str(ladder.folder.played_file(name, place.name).absolute()), name)
    try:
        check_seating([spec], ladder.start(0))
    except InvalidInput as error:
        return Taken(version, str(error), f"{name}: {error}\n")
    os.utime(place)  # the latest version is that which was taken last
    return Taken(version, "", report)


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


def compiled(ladder: Ladder, place: Path, name: str) -> tuple[str, str]:
    """Compile a source in the isolation of players; return what is wrong, and the report."""
    command = [compiler_here(), *FLAGS, name, "-o", "{}"]
    made = Making(command, str(place.absolute()), SECONDS).run(
        ladder.isolation or Isolation.chosen()
    )
    report = made.said and f"{name}: the compiler says\n\n{made.said.rstrip()}\n"
    if made.file is None:
        lines = made.said.splitlines()
        errors = [line for line in lines if "error" in line] or lines or ["no library was made"]
        return f"it does not compile: {errors[0][:200]}", report
    write_whole(ladder.folder.played_file(name, place.name), made.file)
    return "", report


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
