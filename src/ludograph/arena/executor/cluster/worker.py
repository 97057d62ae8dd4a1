"""The tasks that Dask's workers run: they pass games on to processes that play them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import socket
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from ludograph.arena.executor.cluster.order import CarriedFile, put_down
from ludograph.errors import InvalidInput
from ludograph.version import VERSION

END_SECONDS = 5.0

PROGRAM = (sys.executable, "-m")

GAMES = "ludograph.arena.executor.cluster.process"
"""The module that plays orders of games."""

_lock = threading.Lock()
_processes: dict[str, list[GameProcess]] = defaultdict(list)


class ProcessLost(Exception):
    """A process that played a game has died; the message gives the cause."""


class GameProcess:
    """A process that plays orders for this worker, with a module's program."""

    def __init__(self, module: str = GAMES) -> None:
        self.is_busy = False
        self._line, theirs = multiprocessing.Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [*PROGRAM, module, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C is for the worker
            )

    @property
    def runs(self) -> bool:
        """Whether the process lives."""
        return self._process.poll() is None

    def play(self, order: bytes) -> bytes:
        """Return the outcome of an order; raise ProcessLost if the process dies."""
        try:
            self._line.send_bytes(order)
            return self._line.recv_bytes()
        except (EOFError, OSError):
            self.end()
            code = self._process.returncode
            how = f"was killed by signal {-code}" if code < 0 else f"exited, {code}"
            raise ProcessLost(f"a process that played a game {how}") from None

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)


def folder() -> Path:
    """Return the folder into which players' files are written, in the user's cache folder."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "ludograph/players"


def play(
    version: str,
    session: str,
    order: bytes,
    files: Sequence[CarriedFile],
    *contents: bytes,
    module: str = GAMES,
) -> bytes:
    """Play an order; called by the cluster's worker in one of its threads.

    Parameters
    ----------
    version
        The version of Ludograph on the machine of the command.
    contents
        The contents of the files.
    module
        The program that plays it: all orders of a session have the same one.

    Returns
    -------
    bytes
        The outcome, pickled.

    Raises
    ------
    InvalidInput
        If this machine has another version.
    OSError
        If the files cannot be written.
    ProcessLost
        If the process that plays it dies.
    """
    machine = socket.gethostname()
    if version != VERSION:
        raise InvalidInput(f"{machine}: it has Ludograph {VERSION}, the command needs {version}")
    with _lock:
        put_down([CarriedFile(*file) for file in files], contents, folder())
        process = _idle_process(session, module)
        process.is_busy = True
    try:
        return process.play(order)
    finally:
        process.is_busy = False


def _idle_process(session: str, module: str) -> GameProcess:
    """Return an idle process of a session, a new one if there is none."""
    _processes[session] = [process for process in _processes[session] if process.runs]
    for process in _processes[session]:
        if not process.is_busy:
            return process
    _processes[session].append(GameProcess(module))
    return _processes[session][-1]


def end(session: str) -> None:
    """End all processes of a session."""
    with _lock:
        processes = _processes.pop(session, [])
    for process in processes:
        process.end()


def carry(content: bytes) -> bytes:
    """Return the content of a file: as a task's result, Dask sends it to each worker once."""
    return content
