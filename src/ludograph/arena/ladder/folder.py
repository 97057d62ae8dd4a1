"""The folder of a ladder: its files, lock, secret and reports, and the state of its players."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
import struct
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ludograph.arena.ladder.lookalikes import INVISIBLE
from ludograph.arena.store.history import LABEL_LETTERS, label_of
from ludograph.documents import replacing
from ludograph.errors import InvalidInput
from ludograph.formatting import printable
from ludograph.referee.seed import Seed

T = TypeVar("T")

PROGRAM = ".run"
"""The suffix of programs, binaries or scripts, that speak the protocol of lines of text."""

SUFFIXES = (".py", ".so", ".c", PROGRAM)
"""Suffixes of players' files; other files are ignored."""

NAME_LIMIT = 60

FLOCK = "hhqqi0q"
"""The fields of the kernel's ``struct flock``: kind, whence, start, length, process."""

REPORT_LIMIT = 1 << 17
"""The most characters of a report."""

OPERATOR = "operator"
"""The owner of players that operators have uploaded with a token of the server."""


class LadderFolder:
    """A folder with a ladder in it.

    Attributes
    ----------
    declaration
        The settings, written by hand.
    players
        The folder of players' files.
    reports
        The folder of texts for their authors: errors of the compiler, reasons of suspensions.
    versions
        Copies of all files that play, by their digests.
    store
        The store of all games, unless the settings name one on a server; it is opened by
        :mod:`ludograph.arena.ladder.ladder`.
    secret
        A key that only the operator may read, as students may read the store.
    people
        Participants with the digests of their tokens, for the operator alone.
    withdrawn
        The last file of each withdrawn player.
    orders
        What operators have ordered about players; see :mod:`ludograph.arena.ladder.orders`.
    submissions
        Who handed in which file and when; see :mod:`ludograph.arena.ladder.submission_list`.
    owners
        The owners of the players that were submitted on pages, by the players' names.
    state, history, log
        The present players, the ratings over time, and the log of events.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.declaration = path / "ladder.toml"
        self.players = path / "players"
        self.reports = path / "reports"
        self.versions = path / "versions"
        self.store = path / "games.db"
        self.secret = path / "secret"
        self.people = path / "people.json"
        self.withdrawn = path / "withdrawn"
        self.orders = path / ".orders.json"
        self.submissions = path / "submissions.jsonl"
        self.state = path / "state.json"
        self.history = path / "history.jsonl"
        self.log = path / "ladder.log"
        self.owners = path / ".owners.json"
        self._lock = path / ".lock"

    @property
    def name(self) -> str:
        """The name of the ladder in addresses: that of its folder."""
        return self.path.resolve().name

    def check(self) -> None:
        """Raise InvalidInput if there is no ladder."""
        if not self.declaration.is_file():
            raise InvalidInput(
                f"{self.path}: there is no ladder (no {self.declaration.name}); 'ludograph ladder "
                "init' makes one"
            )

    @property
    def is_running(self) -> bool:
        """Whether another process runs this ladder now.

        The process that runs it must not ask: closing the file would end its lock.

        Raises
        ------
        InvalidInput
            If the file of the lock cannot be read.
        """
        try:
            file = self._lock.open("rb")
        except FileNotFoundError:
            return False
        except OSError as error:
            raise InvalidInput(f"{self._lock}: {error.strerror}") from None
        with file:
            wanted = struct.pack(FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
            kind, *_ = struct.unpack(FLOCK, fcntl.fcntl(file, fcntl.F_GETLK, wanted))
        return bool(kind != fcntl.F_UNLCK)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from running this ladder, until the context or the process ends.

        Raises
        ------
        InvalidInput
            If another process runs it.
        """
        try:
            file = self._lock.open("ab")
        except OSError as error:
            raise InvalidInput(f"{self._lock}: {error.strerror}") from None
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

    @contextlib.contextmanager
    def people_locked(self) -> Iterator[None]:
        """Keep others from changing the people of this ladder, or the owners of its players."""
        descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def luck(self, kept: Seed) -> Seed:
        """Return the seed of all chance.

        Parameters
        ----------
        kept
            The seed in the store, which does not determine chance without the folder's secret.

        Raises
        ------
        InvalidInput
            If the secret is missing, cannot be read, or is no seed.
        """
        try:
            own = Seed.parse(self.secret.read_text(encoding="utf-8", errors="replace").strip())
        except (OSError, InvalidInput) as error:
            why = getattr(error, "strerror", None) or error
            raise InvalidInput(f"{self.secret}: {why}") from None
        return own.child("ladder", str(kept))

    def draw_secret(self) -> None:
        """Write the secret if there is none; only this user can read it."""
        if not self.secret.exists():
            write_whole(self.secret, f"{Seed.drawn()}\n".encode(), mode=0o600)

    def place(self, name: str, version: str) -> Path:
        """Return the folder of a version of a player, given by its digest or as in a label."""
        return self.versions / name / version[:LABEL_LETTERS]

    def played_file(self, name: str, version: str) -> Path:
        """Return the file that plays for a version; for a C source, the compiled library."""
        made = f"{name}.so" if name.endswith(".c") else name
        return self.place(name, version) / made

    def report(self, name: str) -> Path:
        """Return the path of the report for a player's author."""
        return self.reports / f"{name}.txt"

    def write_report(self, name: str, text: str) -> None:
        """Write the report for an author; an empty text removes an earlier one."""
        path = self.report(name)
        if text:
            self.reports.mkdir(exist_ok=True)
            safe = printable(text.expandtabs(), REPORT_LIMIT)  # it is read with cat
            write_whole(path, safe.encode("utf-8", "replace"))
        else:
            path.unlink(missing_ok=True)

    def read_report(self, name: str) -> str:
        """Return the report for an author; an empty text if there is none."""
        try:
            return self.report(name).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    def read_owners(self) -> dict[str, str]:
        """Return the owners of players that were submitted on pages, by the players' names.

        An owner is ``person ID`` or ``team NAME`` where the ladder knows its people, ``operator``,
        or the digest of a token.

        Raises
        ------
        InvalidInput
            If the file is not what was written.
        """
        return read_json(self.owners, dict[str, str]) or {}

    def author(self, name: str) -> str:
        """Return the author of a player: its owner on pages, or the user that owns the file.

        Each file of the user that runs the ladder counts as one with its own author.
        """
        if (owner := self.read_owners().get(name)) is not None:
            return owner if " " in owner or owner == OPERATOR else f"token {owner[:16]}"
        try:
            user = (self.players / name).lstat().st_uid
        except OSError:  # it was removed at this very moment
            user = os.getuid()
        return name if user == os.getuid() else f"user {user}"


def read_json(path: Path, kind: type[T], advice: str = "") -> T | None:
    """Return the content of a file of a ladder; None if there is no such file.

    Raises
    ------
    InvalidInput
        If the file is damaged; the sentence ends with the advice.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InvalidInput(f"{path}: {error}{advice}") from None


def write_whole(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file to the disk, as a whole or not at all; an OSError names it.

    Parameters
    ----------
    mode
        The permissions of the file, before the process's mask.
    """
    try:
        with (
            replacing(path) as part,
            open(part, "wb", opener=partial(os.open, mode=mode)) as file,
        ):
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None


def append_line(path: Path, line: Any, *, mode: int = 0o666) -> None:
    """Append an object to a file of JSON lines, and write it to the disk; an OSError names it.

    Several processes may append at a time. A line that a kill has cut short stays alone.
    """
    try:
        with open(path, "ab+", opener=partial(os.open, mode=mode)) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0, os.SEEK_END)
            torn = b""
            if file.tell():
                file.seek(-1, os.SEEK_END)
                torn = b"" if file.read(1) == b"\n" else b"\n"
            file.write(torn + msgspec.json.encode(line) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None


def read_lines(path: Path, kind: type[T]) -> list[T]:
    """Return the objects in a file of JSON lines; incomplete lines are skipped."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    found = []
    for line in data.splitlines():
        with contextlib.suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
            found.append(msgspec.json.decode(line, type=kind))
    return found


def remove_tree(path: Path) -> None:
    """Remove a folder of the ladder, which may be gone already."""
    shutil.rmtree(path, ignore_errors=True)


NAME = re.compile(r"[^/\\\x00-\x1f]+")


def unusable(name: str) -> str:
    r"""Return the fault in the name of a player's file; an empty text if there is none.

    Examples
    --------
    >>> unusable("bot.py"), unusable("bot\n.py")
    ('', 'its name has characters that cannot be printed')
    """
    if not name.isprintable() or not NAME.fullmatch(name) or INVISIBLE.search(name):
        return "its name has characters that cannot be printed"
    if len(name) > NAME_LIMIT or len(name.encode()) > 200:
        return f"its name has more than {NAME_LIMIT} characters"
    return ""


class Entrant(msgspec.Struct, frozen=True):
    """A version of a player that takes part.

    Attributes
    ----------
    name
        The name of its file; of a built-in player its name on the command line.
    version
        The digest of its file; empty for a built-in player.
    joined
        The number of the last game before it came.
    """

    name: str
    version: str = ""
    joined: int = 0

    @property
    def label(self) -> str:
        """Its name in schedules and ratings."""
        return label_of(self.name, self.version)


class Spent(msgspec.Struct):
    """The used parts of the authors' daily budgets: seconds of compiling, or uploads.

    Attributes
    ----------
    amounts
        The amounts by author; in the file the field is called ``seconds``.
    """

    day: str = ""
    amounts: dict[str, float] = msgspec.field(default_factory=dict, name="seconds")

    def today(self, author: str) -> float:
        """Return the amount of an author today."""
        return self.amounts.get(author, 0.0) if self.day == today() else 0.0

    def add(self, author: str, amount: float) -> None:
        """Add to the amount of an author; those of other days are forgotten."""
        spent = self.today(author)
        if self.day != today():
            self.day, self.amounts = today(), {}
        self.amounts[author] = round(spent + amount, 3)


def today() -> str:
    """Return the day (UTC) for which budgets count."""
    return datetime.now(UTC).date().isoformat()


class State(msgspec.Struct):
    """The players of a ladder.

    Attributes
    ----------
    number
        The number of the ladder's tournament in the store.
    entrants
        The active players, and the suspended ones.
    suspended
        Why an entrant does not play any more, by label.
    troubles
        Why a file in the players' folder does not play, by name; in the file it is called
        ``refused``. Like the reasons of suspensions, these are for everybody: what a player's
        author wrote, such as the text of an exception or of a compiler's message, is in reports.
    broken
        Versions of sources that do not compile, by name: they are not compiled again.
    compiling
        The time that compilations have taken today.
    mark
        The unique mark of the ladder's games in a database on a server; empty if the games are in
        the file of the folder.
    workers
        The number of games at a time in the last run; 0 if it is not known.
    """

    number: int = 0
    entrants: list[Entrant] = []
    suspended: dict[str, str] = {}
    troubles: dict[str, str] = msgspec.field(default_factory=dict, name="refused")
    broken: dict[str, str] = {}
    compiling: Spent = msgspec.field(default_factory=Spent)
    mark: str = ""
    workers: int = 0

    @property
    def active(self) -> list[Entrant]:
        """The entrants that are not suspended."""
        return [one for one in self.entrants if one.label not in self.suspended]

    def waits_for(self, seats: int) -> str:
        """Return the sentence on missing players for a game; empty if there are enough.

        Games need at least one player that is not built in.

        Parameters
        ----------
        seats
            The number of seats of the game.
        """
        active = self.active
        if not any(one.version for one in active):
            return "The ladder waits for its first player: games begin when one is uploaded."
        if len(active) < seats:
            return f"The ladder waits for more players: a game has {seats} seats."
        return ""

    def named(self, name: str) -> Entrant | None:
        """Return the entrant of a name; None if there is none."""
        return next((one for one in self.entrants if one.name == name), None)


def read_state(folder: LadderFolder) -> State:
    """Return the state of a ladder; an empty one if it has never run.

    Raises
    ------
    InvalidInput
        If the file is damaged.
    """
    advice = "; without it 'ludograph ladder run' checks all players again"
    return read_json(folder.state, State, advice) or State()


def write_state(folder: LadderFolder, state: State) -> None:
    """Write the state of a ladder."""
    write_whole(folder.state, msgspec.json.format(msgspec.json.encode(state)))


def parted(label: str) -> tuple[str, str]:
    """Return the name and the beginning of the version of a label.

    Examples
    --------
    >>> parted("bot.py@0123456789ab"), parted("greedy")
    (('bot.py', '0123456789ab'), ('greedy', ''))
    """
    name, at, version = label.rpartition("@")
    return (name, version) if at and len(version) == LABEL_LETTERS else (label, "")
