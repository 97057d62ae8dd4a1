"""The program as a process that is forked where its modules are loaded already.

It is a process as any other, with arguments, variables, descriptors and a session of its own, but
has not spent the half second that imports take: there are some three hundred of them.
"""

import atexit
import fcntl
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

STATUS = struct.Struct("i")

ROOT = Path(__file__).resolve().parents[2]
"""Where this module is found, whatever folder the first test of it stands in."""


class Forked:
    """A process that runs the program: what ``subprocess.Popen`` would give.

    Parameters
    ----------
    arguments
        Those of ``ludograph``.
    descriptors
        Its standard input, output and errors.
    session
        Whether it has a session of its own; one that ``controls`` has a terminal of its own, too.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        descriptors: Sequence[int],
        *,
        env: Mapping[str, str] | None = None,
        cwd: object = None,
        session: bool = False,
        controls: bool = False,
    ):
        self.stdin = self.stdout = self.stderr = None
        self.returncode: int | None = None
        request = {
            "arguments": list(arguments),
            "environment": dict(os.environ if env is None else env),
            "folder": os.fspath(cwd) if cwd is not None else os.getcwd(),
            "session": session or controls,
            "controls": controls,
        }
        self._status, status = os.pipe()
        try:
            self.pid = SERVER.fork(request, [*descriptors, status])
        finally:
            os.close(status)

    def poll(self) -> int | None:
        """Return its exit code once it has ended."""
        if self.returncode is None and select.select([self._status], [], [], 0)[0]:
            told = os.read(self._status, STATUS.size)
            assert told, "the process that forks the program is gone"
            os.close(self._status)
            self.returncode = os.waitstatus_to_exitcode(STATUS.unpack(told)[0])
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; return its exit code."""
        if self.returncode is None and not select.select([self._status], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("ludograph", timeout)
        code = self.poll()
        assert code is not None
        return code

    def communicate(self, text: str | None = None, timeout: float = 300) -> tuple[str, str]:
        """Write to its standard input, read all that it writes, and wait for its end."""
        end = time.monotonic() + timeout
        found: dict[str, str] = {}
        readers = [
            threading.Thread(target=lambda f=file, n=name: found.update({n: f.read()}), daemon=True)
            for name, file in (("out", self.stdout), ("err", self.stderr))
            if file is not None
        ]
        for reader in readers:
            reader.start()
        if self.stdin is not None:
            self.stdin.write(text or "")
            self.stdin.close()
        for reader in readers:
            reader.join(end - time.monotonic())
            if reader.is_alive():
                raise subprocess.TimeoutExpired("ludograph", timeout)
        self.wait(max(0.0, end - time.monotonic()))
        for file in (self.stdout, self.stderr):
            if file is not None:
                file.close()
        return found.get("out", ""), found.get("err", "")

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it, unless it has ended."""
        self.send_signal(signal.SIGKILL)


def with_pipes(arguments: Sequence[str], *, stdin: int | None = None, **settings) -> Forked:
    """Start the program with pipes; ``stdin`` as ``subprocess.Popen`` takes it."""
    ours, theirs = [], []
    if stdin == subprocess.PIPE:
        read_end, write_end = os.pipe()
        theirs.append(read_end)
    elif stdin == subprocess.DEVNULL:
        theirs.append(os.open(os.devnull, os.O_RDONLY))
    else:
        theirs.append(os.dup(0))
    for _ in range(2):
        reading, writing = os.pipe()
        ours.append(reading)
        theirs.append(writing)
    try:
        process = Forked(arguments, theirs, **settings)
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    if stdin == subprocess.PIPE:
        process.stdin = os.fdopen(write_end, "w", buffering=1, errors="surrogateescape")
    process.stdout, process.stderr = map(os.fdopen, ours)
    return process


class Server:
    """The process that has loaded the modules; one for each process that runs tests."""

    def __init__(self) -> None:
        self._control: socket.socket | None = None

    def fork(self, request: dict, descriptors: Sequence[int]) -> int:
        """Return the number of a process that runs the program."""
        if self._control is None:
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            command = [
                sys.executable,
                "-c",
                f"from {__name__} import serve; serve({theirs.fileno()})",
            ]
            server = subprocess.Popen(
                command, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
            )
            theirs.close()
            atexit.register(server.wait, 20)
            atexit.register(self._control.close)
        socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
        return int(self._control.recv(16))


SERVER = Server()


def serve(number: int) -> None:
    """Fork at request, and tell of each process how it ended."""
    import ludograph
    import ludograph.cli.main
    from ludograph.games import registry

    for name in registry.names():
        start = registry.game(name).position()
        ludograph.play_match(start, ["random"] * start.seats)  # what most games need is compiled
    control = socket.socket(fileno=number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    woken, waking = os.pipe()
    os.set_blocking(waking, False)
    signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
    ends: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([control, woken], [], [])
        if woken in ready:
            os.read(woken, 512)
            tell(ends)
        if control in ready:
            request, descriptors, _, _ = socket.recv_fds(control, 1 << 20, 4)
            if not request:
                return
            process = os.fork()
            if process == 0:
                become(json.loads(request), descriptors[:3])
            ends[process] = descriptors.pop()
            for descriptor in descriptors:
                os.close(descriptor)
            control.send(str(process).encode())


def tell(ends: dict[int, int]) -> None:
    """Tell of all processes that have ended how they did."""
    while ends:
        process, status = os.waitpid(-1, os.WNOHANG)
        if process == 0:
            return
        end = ends.pop(process)
        os.write(end, STATUS.pack(status))
        os.close(end)


def become(request: dict, descriptors: Sequence[int]) -> NoReturn:
    """Run the program in this process, as if it had just been started."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if request["session"]:
            os.setsid()
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
        os.closerange(3, 1 << 16)
        if request["controls"]:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        os.environ.clear()
        os.environ.update(request["environment"])
        os.chdir(request["folder"])
        sys.path[0] = request["folder"]
        sys.argv = ["ludograph", *request["arguments"]]
        open_streams()
        from ludograph.__main__ import main

        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        if sys.exc_info()[1] is not None:
            traceback.print_exc()
        os._exit(code)


def open_streams() -> None:
    """Give this process the standard streams that a new one has."""
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
