"""Worker processes: each does one task at a time, and ends with the process that it works for.

The games of tournaments are played by workers that are forked from the process with the results.
The slow computations of pages are done by workers of a fork server, because the server of pages
has threads and secrets. The fork server has imported all games, so a new worker starts at once and
shares that memory.
"""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from ludograph.errors import HostFailure, InvalidInput, LudographError, shortage
from ludograph.games.registry import game, names
from ludograph.hosting.sandbox.syscalls import PR_SET_PDEATHSIG, prctl
from ludograph.rules.announcer import announcer

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

MEMORY = 2 << 30
"""The most bytes of memory of a fork server's worker."""

KEPT_MEMORY = 384 << 10
"""KiB of resident memory above which such a worker does no other task."""

START_SECONDS = 60.0
"""Seconds for a worker to start, also on a busy machine."""

PREPARING_SECONDS = 300.0
"""Seconds for the compilation of a kernel, which does not count for the deadline of a task."""

THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

HEAD = struct.Struct("!i")
"""The size of a message, as :class:`multiprocessing.connection.Connection` writes it."""

PART = 1 << 18
"""The most bytes that are read at once."""


class Done(NamedTuple):
    """A worker's message that a task has ended.

    Attributes
    ----------
    value, error
        The result of the task, or the exception that it has raised.
    seconds
        CPU time of the task.
    memory
        KiB of resident memory that the worker has had at most.
    """

    value: Any
    error: Exception | None
    seconds: float
    memory: int


Tell = Callable[[Any], None]
"""Sends a message to the process for which a worker works, before its task ends."""


def work(line: Connection, do: Callable[[Any, Tell], Any], parent: int) -> None:
    """Do tasks in a forked process, one after the other, until the other end of the line closes.

    Parameters
    ----------
    do
        Does a task.
    parent
        The number of the process that has forked this one, which is killed when that one ends.
    """
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, lambda *_: None)  # for the parent; players do not inherit this
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        return
    while True:
        try:
            task = line.recv()
        except EOFError:
            return
        began = time.process_time()
        try:
            line.send(_done(do(task, line.send), None, began))
        except Exception as raised:  # noqa: BLE001  (the parent raises it)
            error = shortage(raised) or raised  # what led to an error is not sent with it
            line.send(_done(None, error, began))


def _done(value: Any, error: Exception | None, began: float) -> Done:
    """Return the message on a task that began at this processor time of the process."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Done(value, error, time.process_time() - began, most)


class TooLong(Exception):
    """A task took longer than its deadline."""


class Failed(Exception):
    """A worker failed: its traceback, or how its process ended."""


class Worker:
    """A worker of a fork server, for the process that gives it tasks.

    Parameters
    ----------
    line
        The socket for tasks and results.

    Attributes
    ----------
    is_spent
        Whether it can do no other task: it has not ended its last one, or needs much memory.
    """

    def __init__(self, line: socket.socket) -> None:
        line.setblocking(False)
        self._line, self._process = line, -1
        self.is_spent = False

    async def do(self, task: bytes, seconds: float) -> Done:
        """Return what becomes of a call.

        Parameters
        ----------
        task
            A function and a tuple of its arguments, pickled.
        seconds
            The deadline, without compilation.

        Raises
        ------
        TooLong
            If it is not done in time.
        Failed
            If the process ends first.
        HostFailure
            If the machine lacks processes, files or memory.
        """
        self.is_spent = True
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(START_SECONDS) as deadline:
                await self._start()
                deadline.reschedule(loop.time() + seconds)
                await loop.sock_sendall(self._line, HEAD.pack(len(task)) + task)
                while isinstance(message := await self._received(), str):
                    left = PREPARING_SECONDS if message else seconds
                    deadline.reschedule(loop.time() + left)
        except TimeoutError:
            raise TooLong("this took too long and was stopped") from None
        except (EOFError, OSError) as error:
            raise Failed("a process stopped before its work was done") from error
        done: Done = message
        self.is_spent = done.memory > KEPT_MEMORY
        return done

    async def _start(self) -> None:
        """Receive a descriptor of the process, by which it is killed."""
        if self._process >= 0:
            return
        await _readable(self._line)
        _, descriptors, _, _ = socket.recv_fds(self._line, 1, 1)
        if not descriptors:  # also if this process has no descriptor left to receive one
            raise HostFailure("the server cannot start a process now")
        self._process = descriptors[0]

    async def _received(self) -> Any:
        (size,) = HEAD.unpack(await self._read(HEAD.size))
        return pickle.loads(await self._read(size))

    async def _read(self, size: int) -> bytearray:
        data = bytearray()
        while len(data) < size:
            left = min(size - len(data), PART)
            part = await asyncio.get_running_loop().sock_recv(self._line, left)
            if not part:
                raise EOFError
            data += part
        return data

    def close(self) -> None:
        """End the process at once."""
        self.is_spent = True
        if self._process >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._process, signal.SIGKILL)
            os.close(self._process)
            self._process = -1
        self._line.close()  # a process without a task then ends by itself


async def _readable(line: socket.socket) -> None:
    """Wait until there is something to read."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(line, ready.set)  # also after the one who waits was cancelled
    try:
        await ready.wait()
    finally:
        loop.remove_reader(line)


class WorkerForkServer:
    """A process that forks workers.

    Parameters
    ----------
    preload
        The modules that it imports, so that no task waits for them.
    """

    def __init__(self, *preload: str) -> None:
        self._preload = ("ludograph.workers", *preload)
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._closed = False

    def start(self) -> None:
        """Start the process without waiting until it is ready."""
        with self._lock:
            self._closed = False
            self._started()

    def fork(self, niceness: int) -> Worker:
        """Return a new worker without waiting until it has started.

        Parameters
        ----------
        niceness
            Added to that of this process.

        Raises
        ------
        Failed
            If the fork server was closed.
        OSError
            If the machine lacks processes, files or memory.
        """
        ours, theirs = socket.socketpair()
        worker = Worker(ours)
        try:
            with theirs, self._lock:
                try:
                    self._ask(niceness, theirs)
                except ConnectionError:  # the fork server has ended
                    self._stop()
                    self._ask(niceness, theirs)
        except BaseException:
            worker.close()
            raise
        return worker

    def _ask(self, niceness: int, line: socket.socket) -> None:
        socket.send_fds(self._started(), [bytes([niceness])], [line.fileno()])

    def close(self) -> None:
        """End the process and all workers; none is forked any more."""
        with self._lock:
            self._closed = True
            self._stop()

    def _started(self) -> socket.socket:
        if self._closed:
            raise Failed("the server is shutting down")
        if self._control is None:
            self._control, theirs = socket.socketpair()
            with theirs:
                number = theirs.fileno()
                program = f"import {', '.join(self._preload)}; ludograph.workers.serve({number})"
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-c", program],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[number],
                    env=dict(os.environ) | THREADS,
                    start_new_session=True,  # Ctrl-C is for the server
                )
        return self._control

    def _stop(self) -> None:
        if self._control is None or self._process is None:
            return
        self._control.close()
        self._process.kill()  # the kernel then kills its workers
        self._process.wait()
        self._control = self._process = None


def serve(descriptor: int) -> None:
    """Fork a worker for every line that is received, until the other end closes.

    A byte comes with each line: the niceness of the worker, added to that of this process.
    """
    announcer.enabled = False
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # workers are not waited for
    import_games()
    gc.freeze()  # shared pages are not copied by the garbage collector
    server = os.getpid()
    with socket.socket(fileno=descriptor) as control:
        while True:
            niceness, lines, _, _ = socket.recv_fds(control, 1, 1)
            if not niceness:
                return
            for line in lines:  # none if this process has too many open files
                with suppress(OSError):  # no process is left: the other side sees its line close
                    if os.fork() == 0:
                        control.close()
                        _work_to_the_end(line, niceness[0], server)
                os.close(line)


def import_games() -> None:
    """Import all games with their strategies, so that no task waits for an import."""
    for name in names():
        game(name).strategies  # noqa: B018


def _work_to_the_end(descriptor: int, niceness: int, parent: int) -> None:
    """Run as a worker until the other end of the line closes, then exit."""
    try:
        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        own = os.pidfd_open(os.getpid())
        with socket.socket(fileno=os.dup(descriptor)) as line:
            socket.send_fds(line, [b"."], [own])
        os.close(own)
        work(Connection(descriptor), call, parent)
    finally:
        os._exit(0)


def call(task: tuple[Callable[..., Any], tuple[Any, ...]], tell: Tell) -> Any:
    """Call a function for another process, which hears of each kernel that is compiled.

    Raises
    ------
    InvalidInput, HostFailure
        If the function raises an error of Ludograph, or needs too much memory.
    Failed
        If it raises any other.
    """
    announcer.enabled = True
    function, arguments = task
    try:
        with announcer.shown_by(tell):
            return function(*arguments)
    except (InvalidInput, HostFailure):
        raise
    except LudographError as error:
        raise InvalidInput(str(error)) from error
    except MemoryError:
        raise InvalidInput("this takes more memory than this server has for it") from None
    except Exception:  # noqa: BLE001  (the server logs it)
        raise Failed(traceback.format_exc()) from None
