"""The folder of a ladder: its files, who may write them, and how one is replaced as a whole."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec

from ludograph.errors import HostFailure, InvalidInput
from ludograph.quoting import printable
from ludograph.referee.seed import Seed

SUFFIXES = (".py", ".so", ".c")
"""How players' files are called; other files are passed over."""

NAME_LIMIT = 60

REPORT_LIMIT = 1 << 17
"""Characters of a report that are kept."""

OWNERS = ".owners.json"
"""Digests of the tokens with which players were brought by pages, by their names."""


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
    secret
        A key that only the operator may read, as students may read the store.
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
        self.secret = path / "secret"
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

    def luck(self, kept: Seed) -> Seed:
        """Return the seed from which all luck follows.

        Parameters
        ----------
        kept
            The one in the store; from this one alone nothing follows.

        Raises
        ------
        InvalidInput
            If the secret is not there, cannot be read, or is none.
        """
        try:
            own = Seed.parse(self.secret.read_text(encoding="utf-8", errors="replace").strip())
        except OSError as error:
            raise InvalidInput(f"{self.secret}: {error.strerror}") from None
        except InvalidInput as error:
            raise InvalidInput(f"{self.secret}: {error}") from None
        return own.child("ladder", str(kept))

    def draw_secret(self) -> None:
        """Write the secret if there is none, so that nobody else can read it."""
        if not self.secret.exists():
            write_whole(self.secret, f"{Seed.drawn()}\n".encode(), mode=0o600)

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
            safe = printable(text.expandtabs(), REPORT_LIMIT)  # it is read with cat
            write_whole(path, safe.encode("utf-8", "replace"))
        else:
            path.unlink(missing_ok=True)

    def read_report(self, name: str) -> str:
        """Return what is kept for an author; nothing if nothing is."""
        try:
            return self.report(name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    @property
    def owners(self) -> Path:
        """The file of those who have brought players by pages."""
        return self.path / OWNERS

    def read_owners(self) -> dict[str, str]:
        """Return who has brought which player by pages: digests of tokens, by name.

        Raises
        ------
        InvalidInput
            If the file is not what was written.
        """
        try:
            return msgspec.json.decode(self.owners.read_bytes(), type=dict[str, str])
        except FileNotFoundError:
            return {}
        except msgspec.MsgspecError as error:
            raise InvalidInput(f"{self.owners}: {error}") from None

    def author(self, name: str) -> str:
        """Return who has brought a player: a token's digest, or the user whose file it is.

        Where files are those of the user that runs the ladder, each is somebody else's.
        """
        if (token := self.read_owners().get(name)) is not None:
            return f"token {token[:16]}"
        try:
            user = (self.players / name).lstat().st_uid
        except OSError:  # it was taken out at this very moment
            user = os.getuid()
        return name if user == os.getuid() else f"user {user}"


def write_whole(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file, which is there as a whole or as it was; an OSError names it.

    Parameters
    ----------
    mode
        What a new file may be used for by whom, before the process's mask.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "wb", opener=partial(os.open, mode=mode)) as file:
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
