"""A command that makes a file, such as a compiler, in a sandbox like a player's.

Its input is untrusted: a source can include any file of the machine, or use a compiler's time and
memory without end. So it runs in a sandbox, under a supervisor, and returns only its file and its
messages. A :class:`Build` does that in its own process, so that its caller does not wait and is
never forked.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn

import msgspec

from ludograph.errors import HostFailure, InvalidInput
from ludograph.hosting import script
from ludograph.hosting.library_host import Loader
from ludograph.hosting.sandbox import control_group, seccomp
from ludograph.hosting.sandbox.control_group import ControlGroup
from ludograph.hosting.sandbox.readable_paths import system, without_all_withheld
from ludograph.hosting.sandbox.sandbox import Sandbox, check_isolation
from ludograph.hosting.sandbox.syscalls import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG, prctl
from ludograph.hosting.supervisor import (
    STATUS,
    VERDICT,
    Orders,
    end_all,
    readable,
    received,
    supervise,
)
from ludograph.players.isolation import Isolation, Level, environment

SECONDS = 30.0
SAID_BYTES = 1 << 16
MADE_BYTES = 16 << 20
CODE_BYTES = 16
"""The most bytes of an exit code as text, with its end of line."""

LEAST_MEMORY = 1 << 30
"""The memory limit of a compiler in bytes, independent of that of players."""

NICENESS = 5
"""The priority of a build: games that run at the same time come first."""


SYNTAX = "python-syntax"
UNLOADABLE = "cannot be loaded: "
"""The text before the loader's words in the output of a trial load."""


class Built(msgspec.Struct):
    """The result of a command.

    Attributes
    ----------
    file
        The contents of the file; None if there is none.
    said
        The output of the program, or a sentence on why it failed.
    unloadable
        The loader's words on a library that cannot be loaded; empty if it can be, and if the trial
        cannot decide: a library that crashes or takes long when it is loaded.
    seconds
        Its processor time, or its whole limit if it was not finished in time; of a `Build`.
    refused
        Why this machine cannot do it; empty if it can.
    """

    file: bytes | None = None
    said: str = ""
    unloadable: str = ""
    seconds: float = 0.0
    refused: str = ""


@dataclass(frozen=True, slots=True)
class SandboxedCommand:
    """A program to run in a sandbox.

    Attributes
    ----------
    command
        The words of the command; ``{}`` stands for the file to make. With ``python-syntax`` and a
        file, this interpreter checks the syntax of the file; without words, nothing is run.
    folder
        Its working folder, the only one that it sees beside the system.
    seconds
        The time limit of the command and of the trial load.
    trial
        A library that is loaded afterwards, ``{}`` for the file that was made, and its interface as
        JSON; None: none.
    """

    command: Sequence[str]
    folder: str
    seconds: float = SECONDS
    trial: tuple[str, str] | None = None

    @property
    def name(self) -> str:
        """What is run, for messages."""
        return os.path.basename(self.command[0]) if self.command else "the trial load"

    def readable_paths(self) -> list[str]:
        """Return the folders and files that it sees, without those that this process withholds."""
        paths = [*system(), os.path.realpath(self.folder)]
        return without_all_withheld(paths, self.name)

    def run(self, isolation: Isolation, paths: Sequence[str] = ()) -> Built:
        """Run the command, and return its result.

        Parameters
        ----------
        paths
            The folders and files that it sees, if another process has found them.

        Raises
        ------
        InvalidInput
            If no isolation works on this machine, or not the requested one.
        """
        level = check_isolation(None) if isolation.level is None else isolation.level
        loader = self._loader()  # its imports may not be readable in the sandbox
        with ExitStack() as stack:
            workspace = ""
            if level is not Level.STRICT:  # which has its own writable memory
                workspace = stack.enter_context(tempfile.TemporaryDirectory(prefix="ludograph-"))
                os.chmod(workspace, 0o777)
            sandbox = Sandbox(
                level,
                paths=paths or self.readable_paths(),
                instructions=b"" if level is Level.NONE else seccomp.program(level),
                workspace=workspace,
                group=ControlGroup.make(control_group.place()),
            )
            said, made = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
            lifeline, their_lifeline = (stack.enter_context(end) for end in socket.socketpair())
            referee = os.pidfd_open(os.getpid())
            stack.callback(os.close, referee)
            child = os.fork()
            if child == 0:
                lifeline.close()
                memory = max(isolation.memory, LEAST_MEMORY)
                orders = Orders(made.fileno(), their_lifeline.detach(), memory)
                self._become_supervisor(orders, referee, sandbox, said, loader)
            their_lifeline.close()
            try:
                trouble = self._awaited(lifeline)
            finally:
                with suppress(OSError):
                    lifeline.shutdown(socket.SHUT_WR)  # then the supervisor ends them all
                with suppress(ChildProcessError):
                    os.waitpid(child, 0)
            return self._result(said, made, trouble)

    def _loader(self) -> Loader | None:
        """Return the loader for a trial load; None if there is no trial.

        If this machine lacks a library that C players need, a game says so, not the trial.
        """
        if self.trial is None:
            return None
        try:
            return Loader(json.loads(self.trial[1]))
        except InvalidInput:
            return None

    def _become_supervisor(
        self,
        orders: Orders,
        referee: int,
        sandbox: Sandbox,
        said: BinaryIO,
        loader: Loader | None,
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
                lambda _, made: self._make(made, said, sandbox.workspace, loader),
                sandbox,
            )
        finally:
            os._exit(1)

    def _make(self, made: int, said: BinaryIO, workspace: str, loader: Loader | None) -> int:
        """Run the program, in its sandbox; write its exit code and its file to a descriptor.

        The trial load comes last, because it may end this process.
        """
        scratch = tempfile.mkdtemp(dir=workspace or "/tmp")
        path = os.path.join(scratch, "made")
        os.chdir(self.folder)
        code = self._run(said, scratch, path)
        with open(made, "wb") as copy:
            copy.write(f"{code}\n".encode())
            with suppress(FileNotFoundError), open(path, "rb") as file:
                copy.write(file.read(MADE_BYTES + 1))
        if loader is not None and self.trial is not None and code == 0:
            load_at_once(self.trial[0].replace("{}", path), loader, said)
        if workspace:
            shutil.rmtree(scratch, ignore_errors=True)
        return 0

    def _run(self, said: BinaryIO, scratch: str, path: str) -> int:
        """Run the program, which makes a file; return its exit code."""
        if not self.command:
            return 0
        if self.command[0] == SYNTAX:
            return check_syntax(self.command[1], said, path)
        return subprocess.call(
            [word.replace("{}", path) for word in self.command],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env={**os.environ, "TMPDIR": scratch, "HOME": scratch, "LC_ALL": "C"},
        )

    def _awaited(self, lifeline: socket.socket) -> str:
        """Wait for the program's end; return why it did not end by itself, if so."""
        end = time.monotonic() + self.seconds
        received(lifeline, STATUS.size, self.seconds)
        late = not readable(lifeline.fileno(), max(0.0, end - time.monotonic()))
        with suppress(OSError):
            lifeline.shutdown(socket.SHUT_WR)
        if received(lifeline, VERDICT.size, 1.0) == VERDICT.pack(True):
            return f"{self.name} took too much memory"
        return f"{self.name} was not done after {self.seconds:g} s" if late else ""

    def _result(self, said: BinaryIO, made: BinaryIO, trouble: str) -> Built:
        """Return what a program that has ended has written, or why it was ended before that."""
        said.seek(0)
        made.seek(0)
        text = said.read(SAID_BYTES).decode("utf-8", "replace")
        code, data = made.readline(CODE_BYTES).strip(), made.read(MADE_BYTES + 1)
        if not code:
            return Built(None, trouble or f"{self.name} could not be run in its isolation")
        if len(data) > MADE_BYTES:
            return Built(None, f"{text}what it has made has more than {MADE_BYTES >> 20} MiB")
        unloadable = ""
        if code == b"0" and self.trial is not None:
            text, _, unloadable = text.partition(f"\n{UNLOADABLE}")
        whole = code == b"0" and data
        said_of_code = "" if whole else f"exit code {code.decode()}"
        return Built(data if whole else None, text or said_of_code, unloadable.strip())


def check_syntax(name: str, said: BinaryIO, made: str) -> int:
    """Compile a Python file without running it; return 0, or write the error and return 1."""
    warnings.simplefilter("ignore")
    try:
        compile(Path(name).read_bytes(), name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = f"{name}:{error.lineno}" if isinstance(error, SyntaxError) else name
        what = error.msg if isinstance(error, SyntaxError) else error
        told = "".join(traceback.format_exception_only(error)[:-1])  # the line, and the place in it
        text = f"{place}: {type(error).__name__}: {what}\n{told}"
        os.write(said.fileno(), text.encode("utf-8", "replace"))
        return 1
    Path(made).write_bytes(b"1")
    return 0


def load_at_once(path: str, loader: Loader, said: BinaryIO) -> None:
    """Load a library and look up all its functions; write why it cannot be loaded."""
    with open(os.devnull, "wb") as nowhere:  # a library may print when it is loaded
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
    try:
        loader.load_at_once(path)
    except InvalidInput as error:
        words = str(error).replace(f"{os.path.abspath(path)}: ", "")
        os.write(said.fileno(), f"\n{UNLOADABLE}{words}\n".encode("utf-8", "replace"))


class BuildOrder(msgspec.Struct):
    """The input of a build: its command, what that sees, and its isolation."""

    command: SandboxedCommand
    paths: list[str]
    wish: str
    memory: int


class Build:
    """A sandboxed program in its own process, which ends with the one that started it."""

    def __init__(self, command: SandboxedCommand, isolation: Isolation) -> None:
        paths = command.readable_paths()
        order = BuildOrder(command, paths, isolation.wish, isolation.memory)
        self._answer = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the result)
        self._began = time.monotonic()
        self._process = subprocess.Popen(
            script("sandboxed_command", str(os.getpid())),
            stdin=subprocess.PIPE,
            stdout=self._answer,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        with suppress(BrokenPipeError), self._process.stdin as line:  # its result gives the reason
            line.write(msgspec.json.encode(order))

    @property
    def elapsed(self) -> float:
        """The seconds since it was started."""
        return time.monotonic() - self._began

    def is_done(self, seconds: float = 0.0) -> bool:
        """Tell whether it has ended, waiting at most this time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def result(self) -> Built:
        """Return its result, after its end.

        Raises
        ------
        HostFailure
            If its process has failed.
        """
        code = self._process.wait()
        with self._answer as file:
            file.seek(0)
            data = file.read()
        try:
            return msgspec.msgpack.decode(data, type=Built)
        except msgspec.MsgspecError:
            raise HostFailure(f"a compiler's process ended without a result, code {code}") from None

    def awaited(self) -> Built:
        """Wait for its result, and return it; end it if it fails or the wait is interrupted."""
        try:
            return self.result()
        except BaseException:
            self.cancel()
            raise

    def cancel(self) -> None:
        """End it in any state."""
        self._process.kill()  # then the supervisor ends its program
        self._process.wait()
        self._answer.close()


def main(parent: str) -> None:
    """Run a build in this process: read the order, run it, write the result."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        return
    prctl(PR_SET_CHILD_SUBREAPER, 1)  # it inherits what a killed supervisor leaves
    os.nice(NICENESS)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=BuildOrder)
    began = time.monotonic()
    try:
        isolation = Isolation.chosen(order.wish or None, order.memory)
        built = order.command.run(isolation, order.paths)
    except InvalidInput as error:
        built = Built(refused=str(error))
    end_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    elapsed = time.monotonic() - began
    built.seconds = elapsed if elapsed >= order.command.seconds else used.ru_utime + used.ru_stime
    sys.stdout.buffer.write(msgspec.msgpack.encode(built))
    sys.stdout.buffer.flush()
