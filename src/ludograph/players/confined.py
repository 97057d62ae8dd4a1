"""A program that makes a file, such as a compiler, kept apart as a player is.

What it reads was written by a stranger: a source can include any file of the machine, or keep a
compiler busy and its memory full without end. So it runs in a cell, under a keeper, and all that
comes out of there is what it has made and what it says.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from ludograph.errors import InvalidInput
from ludograph.players.isolation import control_group, seccomp
from ludograph.players.isolation.cell import Cell
from ludograph.players.isolation.control_group import ControlGroup
from ludograph.players.isolation.levels import STRONGEST_FIRST, Isolation, Level, environment
from ludograph.players.isolation.trial import no_isolation, strongest
from ludograph.players.keeper import REPORT, STATUS, Report, keep
from ludograph.players.orders import Orders
from ludograph.players.waiting import readable, received

SECONDS = 30.0
SAID_BYTES = 1 << 16
MADE_BYTES = 16 << 20
HEAD = struct.Struct("<iII")
"""The program's exit code, how many bytes it has said, how many it has made."""

LEAST_MEMORY = 1 << 30
"""Bytes that a compiler may hold, whatever players may."""

CHUNK = 1 << 16
TOO_LARGE = 0xFFFFFFFF


class Made(NamedTuple):
    """What came of it.

    Attributes
    ----------
    file
        None if there is none.
    said
        What the program wrote to its standard streams, or a sentence on why it came to nothing.
    """

    file: bytes | None
    said: str


@dataclass(frozen=True, slots=True)
class Making:
    """A program to be run.

    Attributes
    ----------
    command
        In which ``{}`` stands for the file to be made.
    folder
        The only one that it sees beside the system; its working folder.
    """

    command: Sequence[str]
    folder: str
    seconds: float = SECONDS

    def run(self, isolation: Isolation) -> Made:
        """Run it, and return what it has made.

        Raises
        ------
        InvalidInput
            If no isolation holds on this machine, or not the one that is asked for.
        """
        level = isolation.level
        if level is None:
            level, reasons = strongest(STRONGEST_FIRST)
            if level is None:
                raise InvalidInput(no_isolation(reasons))
        with ExitStack() as stack:
            workspace = ""
            if level is not Level.STRICT:  # which has memory of its own to write to
                workspace = stack.enter_context(tempfile.TemporaryDirectory(prefix="ludograph-"))
                os.chmod(workspace, 0o777)
            cell = Cell(
                level,
                paths=[os.path.realpath(self.folder)],
                instructions=b"" if level is Level.NONE else seccomp.program(),
                workspace=workspace,
                group=ControlGroup.make(control_group.place()),
            )
            ours, theirs = (stack.enter_context(end) for end in socket.socketpair())
            lifeline, their_lifeline = (stack.enter_context(end) for end in socket.socketpair())
            referee = os.pidfd_open(os.getpid())
            stack.callback(os.close, referee)
            child = os.fork()
            if child == 0:
                ours.close()
                lifeline.close()
                orders = Orders(
                    theirs.detach(), their_lifeline.detach(), max(isolation.memory, LEAST_MEMORY)
                )
                self._become_keeper(orders, referee, cell)
            theirs.close()
            their_lifeline.close()
            try:
                return self._heard(ours, lifeline)
            finally:
                with suppress(OSError):
                    lifeline.shutdown(socket.SHUT_WR)  # upon which the keeper ends them all
                with suppress(ChildProcessError):
                    os.waitpid(child, 0)

    def _become_keeper(self, orders: Orders, referee: int, cell: Cell) -> NoReturn:
        try:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            os.setsid()
            variables = environment(str(cell.level))
            os.environ.clear()
            os.environ.update(variables)
            cell.enter()
            keep(orders, referee, lambda _, channel: self._make(channel, cell.workspace), cell)
        finally:
            os._exit(1)

    def _make(self, channel: int, workspace: str) -> int:
        """Run the program, in its cell, and tell what came of it."""
        scratch = tempfile.mkdtemp(dir=workspace or "/tmp")
        made = os.path.join(scratch, "made")
        os.chdir(self.folder)
        with open(os.path.join(scratch, "said"), "w+b") as said:
            code = subprocess.call(
                [word.replace("{}", made) for word in self.command],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                env={**os.environ, "TMPDIR": scratch, "HOME": scratch, "LC_ALL": "C"},
            )
            said.seek(0)
            text = said.read(SAID_BYTES)
        data, size = b"", 0
        with suppress(FileNotFoundError), open(made, "rb") as file:
            data = file.read(MADE_BYTES + 1)
            size = len(data) if len(data) <= MADE_BYTES else TOO_LARGE
        with socket.socket(fileno=channel) as line, suppress(BrokenPipeError):  # nobody waits
            line.sendall(HEAD.pack(code, len(text), size) + text)
            if 0 < size < TOO_LARGE:
                line.sendall(data)
        if workspace:
            shutil.rmtree(scratch, ignore_errors=True)
        return 0

    def _heard(self, line: socket.socket, lifeline: socket.socket) -> Made:
        end = time.monotonic() + self.seconds
        head = _taken(line, HEAD.size, end)
        if len(head) < HEAD.size:
            late = time.monotonic() >= end
            with suppress(OSError):
                lifeline.shutdown(socket.SHUT_WR)
            received(lifeline, STATUS.size, 1.0)
            told = received(lifeline, REPORT.size, 1.0)
            if len(told) == REPORT.size and Report(*REPORT.unpack(told)).too_much:
                return Made(None, f"{self.command[0]} took too much memory")
            if late:
                return Made(None, f"{self.command[0]} was not done after {self.seconds:g} s")
            return Made(None, f"{self.command[0]} could not be run in its isolation")
        code, length, size = HEAD.unpack(head)
        said = _taken(line, min(length, SAID_BYTES), end).decode("utf-8", "replace")
        if size == TOO_LARGE:
            return Made(None, f"{said}what it has made has more than {MADE_BYTES >> 20} MiB")
        data = _taken(line, min(size, MADE_BYTES), end)
        whole = code == 0 and 0 < size == len(data)
        return Made(data if whole else None, said or ("" if whole else f"exit code {code}"))


def _taken(line: socket.socket, size: int, end: float) -> bytes:
    """Return so many bytes, fewer if they do not come in time."""
    found = bytearray()
    while len(found) < size and readable(line.fileno(), max(0.0, end - time.monotonic())):
        chunk = line.recv(min(CHUNK, size - len(found)))
        if not chunk:
            break
        found += chunk
    return bytes(found)
