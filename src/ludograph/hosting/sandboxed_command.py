"""A command that makes a file, such as a compiler, in a sandbox like a player's.

What it reads was written by a stranger: a source can include any file of the machine, or keep a
compiler busy and its memory full without end. So it runs in a sandbox, under a supervisor, and all
that comes out of there is what it has made and what it says. A :class:`Build` does that in a
process of its own, so that its caller need not wait and is never forked.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

import msgspec

from ludograph.errors import HostFailure, InvalidInput
from ludograph.hosting import ROOT
from ludograph.hosting.library_host import Loader
from ludograph.hosting.sandbox import control_group, seccomp
from ludograph.hosting.sandbox.control_group import ControlGroup
from ludograph.hosting.sandbox.sandbox import Sandbox
from ludograph.hosting.sandbox.self_test import no_isolation, strongest
from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl
from ludograph.hosting.supervisor import STATUS, VERDICT, Orders, supervise
from ludograph.hosting.waiting import readable, received
from ludograph.players.isolation import STRONGEST_FIRST, Isolation, Level, environment

SECONDS = 30.0
SAID_BYTES = 1 << 16
MADE_BYTES = 16 << 20
HEAD = struct.Struct("<iII")
"""The program's exit code, how many bytes it has said, how many it has made."""

LEAST_MEMORY = 1 << 30
"""Bytes that a compiler may hold, whatever players may."""

CHUNK = 1 << 16
TOO_LARGE = 0xFFFFFFFF

NICENESS = 5
"""Of a build: the games beside it come first."""

BUILD = (
    "import sys; sys.path.append(sys.argv[1]); "  # where ludograph is, should it not be installed
    "from ludograph.hosting.sandboxed_command import build; build(int(sys.argv[2]))"
)


SYNTAX = "python-syntax"
LOADING = "trial-load"
UNLOADABLE = "cannot be loaded: "
"""What precedes the loader's words, in what a trial load says."""


OwnTask = Callable[[BinaryIO, str], int]
"""Called with what is said, and the path of the file to be made; returns an exit code."""


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
class SandboxedCommand:
    """A program to be run.

    Attributes
    ----------
    command
        In which ``{}`` stands for the file to be made. Two commands are no programs: with
        ``python-syntax`` and a file, this interpreter checks the syntax of the file; with
        ``trial-load``, a library and its interface as JSON, this process loads the library.
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
        task = self._own_task()  # what it imports may not be readable in the sandbox
        with ExitStack() as stack:
            workspace = ""
            if level is not Level.STRICT:  # which has memory of its own to write to
                workspace = stack.enter_context(tempfile.TemporaryDirectory(prefix="ludograph-"))
                os.chmod(workspace, 0o777)
            sandbox = Sandbox(
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
                self._become_supervisor(orders, referee, sandbox, task)
            theirs.close()
            their_lifeline.close()
            try:
                return self._heard(ours, lifeline)
            finally:
                with suppress(OSError):
                    lifeline.shutdown(socket.SHUT_WR)  # upon which the supervisor ends them all
                with suppress(ChildProcessError):
                    os.waitpid(child, 0)

    def _own_task(self) -> OwnTask | None:
        """Return what this process does itself; None for a program."""
        if self.command[0] == SYNTAX:
            return partial(check_syntax, self.command[1])
        if self.command[0] == LOADING:
            return partial(load_at_once, self.command[1], Loader(json.loads(self.command[2])))
        return None

    def _become_supervisor(
        self, orders: Orders, referee: int, sandbox: Sandbox, task: OwnTask | None
    ) -> NoReturn:
        try:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            os.setsid()
            variables = environment(str(sandbox.level))
            os.environ.clear()
            os.environ.update(variables)
            sandbox.enter()
            supervise(
                orders,
                referee,
                lambda _, channel: self._make(channel, sandbox.workspace, task),
                sandbox,
            )
        finally:
            os._exit(1)

    def _make(self, channel: int, workspace: str, task: OwnTask | None) -> int:
        """Run the program, in its sandbox, and tell what came of it."""
        scratch = tempfile.mkdtemp(dir=workspace or "/tmp")
        made = os.path.join(scratch, "made")
        os.chdir(self.folder)
        with open(os.path.join(scratch, "said"), "w+b") as said:
            if task is not None:
                code = task(said, made)
            else:
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
            late, program = time.monotonic() >= end, os.path.basename(self.command[0])
            with suppress(OSError):
                lifeline.shutdown(socket.SHUT_WR)
            received(lifeline, STATUS.size, 1.0)
            if received(lifeline, VERDICT.size, 1.0) == VERDICT.pack(True):
                return Made(None, f"{program} took too much memory")
            if late:
                return Made(None, f"{program} was not done after {self.seconds:g} s")
            return Made(None, f"{program} could not be run in its isolation")
        code, length, size = HEAD.unpack(head)
        said = _taken(line, min(length, SAID_BYTES), end).decode("utf-8", "replace")
        if size == TOO_LARGE:
            return Made(None, f"{said}what it has made has more than {MADE_BYTES >> 20} MiB")
        data = _taken(line, min(size, MADE_BYTES), end)
        whole = code == 0 and 0 < size == len(data)
        return Made(data if whole else None, said or ("" if whole else f"exit code {code}"))


def _taken(line: socket.socket, size: int, end: float) -> bytes:
    """Return ``size`` bytes, fewer if they do not come in time."""
    found = bytearray()
    while len(found) < size and readable(line.fileno(), max(0.0, end - time.monotonic())):
        chunk = line.recv(min(CHUNK, size - len(found)))
        if not chunk:
            break
        found += chunk
    return bytes(found)


def check_syntax(name: str, said: BinaryIO, made: str) -> int:
    """Compile a Python file without running it; return 0, or 1 with what is wrong written down."""
    warnings.simplefilter("ignore")
    try:
        compile(Path(name).read_bytes(), name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = f"{name}:{error.lineno}" if isinstance(error, SyntaxError) else name
        what = error.msg if isinstance(error, SyntaxError) else error
        told = "".join(traceback.format_exception_only(error)[:-1])  # the line, and where in it
        text = f"{place}: {type(error).__name__}: {what}\n{told}"
        said.write(text.encode("utf-8", "replace"))
        return 1
    Path(made).write_bytes(b"1")
    return 0


def load_at_once(path: str, loader: Loader, said: BinaryIO, made: str) -> int:
    """Load a library and look up all that it needs; return 0, or 1 with what is missing."""
    for stream in (1, 2):
        os.dup2(said.fileno(), stream)  # a library may print when it is loaded
    try:
        loader.load_at_once(path)
    except InvalidInput as error:
        said.write(f"\n{UNLOADABLE}{error}\n".encode("utf-8", "replace"))
        return 1
    Path(made).write_bytes(b"1")
    return 0


class BuildOrder(msgspec.Struct):
    """What a build is started with."""

    command: list[str]
    folder: str
    seconds: float
    wish: str
    memory: int


class Built(msgspec.Struct):
    """What came of a build.

    Attributes
    ----------
    file, said
        See :class:`Made`.
    seconds
        The processor time that it took, or all of its time where it was not done in time.
    refused
        Why this machine could not do it; empty if it could.
    """

    file: bytes | None = None
    said: str = ""
    seconds: float = 0.0
    refused: str = ""


class Build:
    """A sandboxed program in a process of its own, which ends with the one that has started it."""

    def __init__(self, command: SandboxedCommand, isolation: Isolation) -> None:
        order = BuildOrder(**asdict(command), wish=isolation.wish, memory=isolation.memory)
        self._answer = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the result)
        self._began = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", BUILD, ROOT, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=self._answer,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        with suppress(BrokenPipeError), self._process.stdin as line:  # its end says why
            line.write(msgspec.json.encode(order))

    @property
    def elapsed(self) -> float:
        """The seconds since it was started."""
        return time.monotonic() - self._began

    def is_done(self, seconds: float = 0.0) -> bool:
        """Tell whether it has ended, waiting for at most so long."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def result(self) -> Built:
        """Return what came of it, when it has ended.

        Raises
        ------
        HostFailure
            If its process could not do its work.
        """
        code = self._process.wait()
        with self._answer as file:
            file.seek(0)
            data = file.read()
        try:
            return msgspec.msgpack.decode(data, type=Built)
        except msgspec.MsgspecError:
            raise HostFailure(f"a compiler's process ended without a result, code {code}") from None

    def cancel(self) -> None:
        """End it, whatever it does."""
        self._process.kill()  # upon which the supervisor of what it runs ends that
        self._process.wait()
        self._answer.close()


def build(parent: int) -> None:
    """Be the process of a build: take the order, run it, write what came of it."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    os.nice(NICENESS)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=BuildOrder)
    began = time.monotonic()
    try:
        made = SandboxedCommand(order.command, order.folder, order.seconds).run(
            Isolation.chosen(order.wish or None, order.memory)
        )
        built = Built(made.file, made.said)
    except InvalidInput as error:
        built = Built(refused=str(error))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    elapsed = time.monotonic() - began
    built.seconds = elapsed if elapsed >= order.seconds else used.ru_utime + used.ru_stime
    sys.stdout.buffer.write(msgspec.msgpack.encode(built))
    sys.stdout.buffer.flush()
