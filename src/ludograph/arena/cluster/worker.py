"""The tasks that Dask's workers run: they pass orders on to processes that play them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path

from ludograph.documents import replacing
from ludograph.errors import HostFailure, InvalidInput
from ludograph.version import VERSION

END_SECONDS = 5.0

PROGRAM = (sys.executable, "-m", "ludograph.arena.cluster.process")

_lock = threading.Lock()
_thread = threading.local()
_processes: weakref.WeakSet[GameProcess] = weakref.WeakSet()


class GameProcess:
    """A process that plays orders of a session for a thread of this worker."""

    def __init__(self, session: str) -> None:
        self.session = session
        self._line, theirs = multiprocessing.Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [*PROGRAM, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the worker
            )

    @property
    def runs(self) -> bool:
        """Whether the process lives."""
        return self._process.poll() is None

    def play(self, order: bytes) -> bytes:
        """Return the result of an order; raise HostFailure if the process dies."""
        try:
            self._line.send_bytes(order)
            return self._line.recv_bytes()
        except (EOFError, OSError):
            self.end()
            code = self._process.returncode
            how = f"was killed by signal {-code}" if code < 0 else f"exited, {code}"
            raise HostFailure(f"a process that played a game {how}") from None

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)


def play(version: str, session: str, order: bytes, contents: Mapping[str, bytes]) -> bytes:
    """Play an order; called by the cluster's worker in one of its threads.

    Parameters
    ----------
    version
        The version of Ludograph on the machine of the command.
    session
        The connection from which the order comes: all its processes end with it.
    contents
        The contents of the files that it needs, by their places.

    Returns
    -------
    bytes
        The result, pickled.

    Raises
    ------
    InvalidInput
        If this machine has another version.
    OSError
        If the files cannot be written.
    HostFailure
        If the process that plays it dies.
    """
    if version != VERSION:
        machine = socket.gethostname()
        raise InvalidInput(f"{machine}: it has Ludograph {VERSION}, the command needs {version}")
    with _lock:
        put_down(contents, folder())
    return own_process(session).play(order)


def own_process(session: str) -> GameProcess:
    """Return the process of this thread, a new one if there is none or it is of another session."""
    process: GameProcess | None = getattr(_thread, "process", None)
    if process is not None and (process.session != session or not process.runs):
        process.end()
        process = None
    if process is None:
        process = _thread.process = GameProcess(session)
        with _lock:
            _processes.add(process)
    return process


def end(session: str) -> None:
    """End all processes of a session."""
    with _lock:
        processes = [process for process in _processes if process.session == session]
    for process in processes:
        process.end()


def folder() -> Path:
    """Return the folder into which players' files are written, in the user's cache folder."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "ludograph/players"


def put_down(contents: Mapping[str, bytes], folder: Path) -> None:
    """Write the missing files, each as a whole or not at all.

    Raises
    ------
    InvalidInput
        If a place is not that of a file in the folder, which no symbolic link leads to.
    OSError
        If a file cannot be written.
    """
    top = os.path.realpath(folder)
    for place, content in contents.items():
        refusal = f"{place[:80]!r} is no place for a player's file in {top}"
        path = Path(top, place)
        if "\0" in place or os.path.realpath(path) != f"{top}/{place}" or path.is_dir():
            raise InvalidInput(refusal)
        if path.is_file() and path.read_bytes() == content:
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):  # a file is where a folder should be
            raise InvalidInput(refusal) from None
        with replacing(path, concurrent=True) as part:
            part.write_bytes(content)
            part.chmod(0o755)  # it may be a program
