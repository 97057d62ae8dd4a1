"""The folder of a ladder: what is where, who may write to it, how a file is written whole."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from ludograph.errors import HostFailure, InvalidInput

SUFFIXES = (".py", ".so", ".c")
"""How players' files are called; other files are passed over."""

NAME_LIMIT = 60


class LadderFolder:
    """A folder with a ladder in it.

    Attributes
    ----------
    declaration
        What is played; written by hand.
    players
        Where players are put, and taken out of.
    reports
        What their authors should read: complaints of the compiler, why one was set aside.
    versions
        Copies of all files that play, by their digests.
    store
        All games.
    state, history, log
        Who takes part, ratings over time, what has happened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.declaration = path / "ladder.toml"
        self.players = path / "players"
        self.reports = path / "reports"
        self.versions = path / "versions"
        self.store = path / "games.db"
        self.state = path / "state.json"
        self.history = path / "history.jsonl"
        self.log = path / "ladder.log"

    def check(self) -> None:
        """Raise InvalidInput if there is no ladder."""
        if not self.declaration.is_file():
            raise InvalidInput(
                f"{self.path}: there is no ladder (no {self.declaration.name}); 'ludograph ladder "
                "init' makes one"
            )

    def check_there(self) -> None:
        """Raise HostFailure if the folder of the players has vanished: nobody has left."""
        if not self.players.is_dir():
            raise HostFailure(f"{self.players}: the folder is gone, so nobody can play")

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only one that runs this ladder.

        The lock ends with this process, however that ends.

        Raises
        ------
        InvalidInput
            If another process runs it.
        """
        path = self.path / ".lock"
        try:
            file = path.open("ab")
        except OSError as error:
            raise InvalidInput(f"{path}: {error.strerror}") from None
        with file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno not in (errno.EACCES, errno.EAGAIN):
                    raise
                raise InvalidInput(
                    f"{self.path}: another process is running this ladder now"
                ) from None
            yield

    def place(self, name: str, version: str) -> Path:
        """Return the folder of a version of a player."""
        return self.versions / name / version

    def played_file(self, name: str, version: str) -> Path:
        """Return what is played of a version: of a C source the library made from it."""
        made = f"{name}.so" if name.endswith(".c") else name
        return self.place(name, version) / made

    def report(self, name: str) -> Path:
        """Return the file that a player's author should read."""
        return self.reports / f"{name}.txt"

    def write_report(self, name: str, text: str) -> None:
        """Keep a text for an author; remove an earlier one if there is nothing to say."""
        path = self.report(name)
        if text:
            self.reports.mkdir(exist_ok=True)
            write_whole(path, text.encode("utf-8", "replace"))
        else:
            path.unlink(missing_ok=True)

    def read_report(self, name: str) -> str:
        """Return what is kept for an author; nothing if nothing is."""
        try:
            return self.report(name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, which is there as a whole or as it was; an OSError names it."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def remove_tree(path: Path) -> None:
    """Remove a folder of ours, which may be gone already."""
    shutil.rmtree(path, ignore_errors=True)


NAME = re.compile(r"[^/\\\x00-\x1f]+")


def unusable(name: str) -> str:
    r"""Return why a file cannot be a player by its name; an empty text if it can.

    Examples
    --------
    >>> unusable("bot.py"), unusable("bot\n.py")
    ('', 'its name holds what cannot be printed')
    """
    if not name.isprintable() or not NAME.fullmatch(name):
        return "its name holds what cannot be printed"
    if len(name) > NAME_LIMIT or len(name.encode()) > 200:
        return f"its name has more than {NAME_LIMIT} characters"
    return ""
