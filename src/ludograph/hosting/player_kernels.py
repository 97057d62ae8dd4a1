"""Kernels of a Python file: compiled before its first match, and stored for this file alone.

A process of a player cannot write files, so the kernels that it compiles are lost with it, and
would be compiled again in every game, on the player's clock. So before its first game on a kind of
start it plays a *rehearsal*: in an isolated process like that of a match it begins the game and
chooses its first moves, with only a limit on the total time. That process sends the machine code
compiled meanwhile, and the referee stores it, unread, in a folder of this player. Only later
processes of the same player read the folder: machine code from an untrusted process runs only where
that player's own code runs.

A rehearsal never decides anything: a player that fails in it still plays, and fails again in the
match.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path

import msgspec

from ludograph.documents import write_bytes
from ludograph.errors import HostFailure, InvalidInput
from ludograph.games import Position
from ludograph.hosting.channel import Answer
from ludograph.hosting.dialogues import dialogue, start_of
from ludograph.hosting.foreign_player import HostConnection
from ludograph.hosting.host_process import HostProcess
from ludograph.hosting.sandbox.readable_paths import own_kernel_folder
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.isolation import Isolation
from ludograph.players.spec import PlayerSpec
from ludograph.rules.announcer import announcer

SECONDS = 120.0
"""Seconds for a rehearsal; the kernels compiled until then are stored."""

BACK_SECONDS = 10.0
"""Further seconds for the kernels to arrive."""

ANSWER_BYTES = 48 << 20
"""The size of the longest answer in bytes: kernels as JSON."""

PLAYER_BYTES = 32 << 20
ALL_BYTES = 1 << 30
"""The most bytes of kernels of one player, and of all; the least recently used ones are removed."""

SILENT_SECONDS = 1.5
"""A rehearsal that takes longer is announced."""

KERNEL = re.compile(r"[\w.<>-]{1,200}\.kernel")
LONGEST_NAME = 220
"""The most bytes of a kernel's name: it becomes that of a file."""

BLOCK = 4096
"""The bytes that count for a file beside its content: so the number of files is limited, too."""

LOCK = "lock"


class Rehearsal(msgspec.Struct):
    """The result of a rehearsal.

    Attributes
    ----------
    seconds
        The time that it took.
    kernels
        The number of kernels compiled.
    fault
        Why it ended early; empty if it did not.
    """

    seconds: float
    kernels: int
    fault: str = ""


def rehearse(
    spec: PlayerSpec, start: Position, seat: int, isolation: Isolation | None = None
) -> Rehearsal | None:
    """Make a player compile its kernels, unless it has done so for such a start; return the result.

    Nothing happens for a player without kernels, or if they cannot be stored.

    Parameters
    ----------
    start
        The start of a game.
    """
    folder = own_kernel_folder(spec)
    if not folder:
        return None
    note = Path(folder, f"{occasion(spec, start)}.json")
    if note.exists():
        with suppress(OSError):
            os.utime(note)  # it is in use: do not remove it
        return noted(note)
    try:
        with locked(Path(folder)):
            if not note.exists():  # no other process has done it meanwhile
                with announced(f"{spec.label} for {start.game.name}"):
                    _rehearse(spec, start, seat, isolation, note)
    except (OSError, InvalidInput) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        announcer.warn_once(
            f"what {spec.label} compiles cannot be kept in {folder} ({why}): "
            "its clock may run while it compiles"
        )
    return noted(note)


def rehearsals(spec: PlayerSpec) -> list[Rehearsal]:
    """Return the results of all rehearsals of a player and of the other players in its file."""
    folder = own_kernel_folder(spec)
    notes = sorted(Path(folder).glob("*.json")) if folder else []
    return [found for note in notes if (found := noted(note)) is not None]


def noted(note: Path) -> Rehearsal | None:
    """Return the result in a note; None if there is none."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode(note.read_bytes(), type=Rehearsal)
    return None


def occasion(spec: PlayerSpec, start: Position) -> str:
    """Return a digest of all, except its own sources, on which a player's kernels depend."""
    kind = type(start.setup)
    what = (
        *(spec.behind, start.game.name, start.seats, kind.__module__, kind.__qualname__),
        ours(),
    )
    return hashlib.sha256(repr(what).encode()).hexdigest()[:24]


@cache
def ours() -> str:
    """Return a digest that changes with Ludograph's own sources, and with the compiler."""
    from ludograph.rules._numba.compiler import compiler_digest

    top = Path(__file__).parents[1]
    files = sorted(top.rglob("*.py"))
    states = [(str(file.relative_to(top)), *_state(file)) for file in files]
    return hashlib.sha256(repr((compiler_digest(), states)).encode()).hexdigest()


def _state(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_size, status.st_mtime_ns


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make a player's folder, and lock it: one process at a time fills it."""
    folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.mkdir(exist_ok=True, mode=0o700)
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@contextmanager
def announced(what: str) -> Iterator[None]:
    """Announce a preparation that takes long."""
    saying = threading.Timer(SILENT_SECONDS, partial(announcer.say_preparing, what))
    saying.daemon = True
    saying.start()
    try:
        yield
    finally:
        saying.cancel()
        announcer.said_preparing()


def _rehearse(
    spec: PlayerSpec, start: Position, seat: int, isolation: Isolation | None, note: Path
) -> None:
    """Play a rehearsal, store the kernels, and note the result."""
    began = time.monotonic()
    host = HostProcess(spec, isolation, ANSWER_BYTES)
    connection = HostConnection(host)
    made: dict[str, bytes] = {}
    try:
        host.launch(start.game)
        host.await_host()
        answer = compiled(connection, start, seat)
        made, fault = answer.kernels, answer.text
    except PlayerFault as error:
        fault = error.message
    except (HostFailure, InvalidInput):
        return  # not the player's fault; the match will report it
    finally:
        connection.kill()
    kept = keep(note.parent, made)
    found = Rehearsal(round(time.monotonic() - began, 2), kept, fault)
    write_bytes(note, msgspec.json.encode(found))
    prune(note.parent)


def compiled(connection: HostConnection, start: Position, seat: int) -> Answer:
    """Make a player choose its first moves; return the answer with the kernels.

    Raises
    ------
    PlayerFault
        If no answer comes.
    """
    spec = connection.host.spec
    order = start_of(spec, dialogue(spec.kind, start, seat), 0)
    order |= {"kernels": connection.host.kernels, "rehearsal": SECONDS}
    return connection.ask({"start": order}, SECONDS + BACK_SECONDS, Reason.NO_START)


def keep(folder: Path, made: dict[str, bytes]) -> int:
    """Store kernels in the folder of the player that has sent them; return their number.

    Only their names and sizes are checked, not their contents.
    """
    room = PLAYER_BYTES - size_of(folder)
    kept = 0
    for name, content in made.items():
        sound = KERNEL.fullmatch(name) and len(name.encode()) <= LONGEST_NAME
        if sound and len(content) + BLOCK <= room:
            room -= len(content) + BLOCK
            kept += 1
            write_bytes(folder / name, content)
    return kept


def prune(folder: Path) -> None:
    """Remove kernels for other sources of a player, and the oldest ones above the size limit."""
    own, _, _ = folder.name.partition("-")
    for other in folder.parent.iterdir():
        if other != folder and other.name.startswith(f"{own}-"):
            shutil.rmtree(other, ignore_errors=True)
    remove_oldest(folder, ALL_BYTES)


def remove_oldest(folder: Path, most: int) -> None:
    """Remove folders beside this one, the least recently used first, down to a total size.

    Parameters
    ----------
    most
        The bytes that this folder and those beside it may have together.
    """
    ages = {}
    for other in folder.parent.iterdir():
        if other != folder:
            with suppress(OSError):
                ages[other] = max(each.stat().st_mtime for each in other.iterdir())
    total = size_of(folder) + sum(map(size_of, ages))
    for oldest in sorted(ages, key=lambda other: ages[other]):
        if total <= most:
            break
        total -= size_of(oldest)
        shutil.rmtree(oldest, ignore_errors=True)


def size_of(folder: Path) -> int:
    """Return the bytes of the files in a folder."""
    with suppress(OSError):
        return sum(file.stat().st_size for file in folder.iterdir())
    return 0
