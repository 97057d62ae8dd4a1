"""Work pools: a server's slow computations, in processes with a queue and a deadline.

Each kind of work has a :class:`Pool`: a number of processes, a bounded queue, and a deadline at
which the process is killed. Requests for the same work share one task, which is stopped when no
request waits for it any more. The results of slow tasks are cached.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from starlette.requests import ClientDisconnect, Request

from ludograph.arena.store.integrity import DamagedStore
from ludograph.errors import HostFailure, InvalidInput
from ludograph.web.server import worker
from ludograph.web.server.limits import Identity

IDLE = 60.0
"""Seconds without work after which a process ends."""

END_SECONDS = 0.25

PREPARING_SECONDS = 300.0
"""Seconds for the compilation of a kernel, which does not count for the deadline."""

KEPT = 16 << 20
"""Bytes of cached results."""

COSTLY = 0.05
"""The least seconds of work for a result to be cached."""

ANSWERS = 4096
"""The most cached results."""

START_SECONDS = 60.0
"""Seconds for a worker to start, also on a busy machine."""

THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

log = logging.getLogger(__name__)


class Overloaded(Exception):
    """The queue is full.

    Attributes
    ----------
    retry_after
        The seconds after which to ask again.
    """

    retry_after = 5


class TooLong(Exception):
    """A piece of work took longer than its deadline."""


class Failed(Exception):
    """A worker failed: its traceback, or how its process ended."""


class PoolLimits(NamedTuple):
    """The limits of one kind of work.

    Attributes
    ----------
    processes
        The number of tasks at a time.
    queue
        The most tasks that wait.
    seconds
        The deadline of a task.
    niceness
        Added to that of the server, so that pages come first on a busy machine.
    """

    processes: int
    queue: int
    seconds: float
    niceness: int = 10

    @property
    def room(self) -> int:
        """The most tasks that run and wait."""
        return self.processes + self.queue

    @property
    def each(self) -> int:
        """The most of them for one person."""
        return -(-self.room // 2)

    @property
    def together(self) -> int:
        """The most of them for all people of one address without tokens."""
        return -(-3 * self.room // 4)


POOL_LIMITS = {
    "reading": PoolLimits(2, 64, 10.0, niceness=0),
    "drawing": PoolLimits(1, 16, 60.0),
    "boards": PoolLimits(1, 16, 10.0),
    "searching": PoolLimits(2, 8, 30.0),
    "evaluating": PoolLimits(1, 16, 30.0, niceness=15),
}
"""The pools: records and forms, pictures of games, boards of visitors, advice, evaluations."""


class WorkerForkServer:
    """The process that forks workers, see :mod:`ludograph.web.server.worker`."""

    def __init__(self) -> None:
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
        """Return a new worker.

        Raises
        ------
        Failed
            If the server is shutting down.
        HostFailure, OSError
            If the machine lacks processes, files or memory.
        """
        wish = bytes([niceness])
        ours, theirs = socket.socketpair()
        with ours:
            with theirs, self._lock:
                try:
                    socket.send_fds(self._started(), [wish], [theirs.fileno()])
                except ConnectionError:  # the fork server has ended
                    self._stop()
                    socket.send_fds(self._started(), [wish], [theirs.fileno()])
            ours.settimeout(START_SECONDS)
            try:
                _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
            except TimeoutError:
                descriptors = []
            if not descriptors:  # also if this process has no descriptor left to receive one
                raise HostFailure("the server cannot start a process now")
            ours.settimeout(None)
            try:
                line = Connection(os.dup(ours.fileno()))
            except OSError:
                os.close(descriptors[0])
                raise
            return Worker(descriptors[0], line)

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
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", worker.__name__, str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    env=dict(os.environ) | THREADS,
                    start_new_session=True,  # Ctrl-C is for the server
                )
        return self._control

    def _stop(self) -> None:
        if self._control is None or self._process is None:
            return
        self._control.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._control = self._process = None


class Worker:
    """One worker process, for the server.

    Parameters
    ----------
    process
        A descriptor of the process.
    line
        The connection for tasks and results.

    Attributes
    ----------
    killed
        Whether it was killed, and so can do no other task.
    """

    def __init__(self, process: int, line: Connection) -> None:
        self._process, self._line = process, line
        self._lock = threading.Lock()
        self.killed = False

    def do(self, job: PoolJob, seconds: float) -> worker.Reply:
        """Let the process do a task.

        Raises
        ------
        TooLong
            If it is not done in time.
        Failed
            If the process ends first.
        """
        try:
            self._line.send_bytes(pickle.dumps((job.function, job.arguments)))
            until = time.monotonic() + seconds
            while True:
                if not self._line.poll(max(until - time.monotonic(), 0)):
                    raise TooLong(f"this took longer than {seconds:.0f} seconds and was stopped")
                reply: worker.Reply = pickle.loads(self._line.recv_bytes())
                if reply.kind != worker.PREPARING:
                    return reply
                until = time.monotonic() + (PREPARING_SECONDS if reply.value else seconds)
        except (EOFError, OSError) as error:
            raise Failed("a process stopped before its work was done") from error

    def kill(self) -> None:
        """End the process at once; called by any thread."""
        self.killed = True
        with self._lock, suppress(ProcessLookupError):
            if self._process >= 0:
                signal.pidfd_send_signal(self._process, signal.SIGKILL)

    def close(self) -> None:
        """End the process and forget it."""
        self.kill()
        with self._lock:
            os.close(self._process)
            self._process = -1
        self._line.close()


class PoolJob:
    """A function call for a worker, who asked for it, and how many requests wait for it."""

    def __init__(
        self,
        key: Hashable,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        person: Identity,
    ):
        self.key, self.function, self.arguments = key, function, arguments
        self.person = person  # who has asked for it first
        self.future: Future[Any] = Future()
        self.future.set_running_or_notify_cancel()  # one of several requests cannot cancel it
        self.waiting = 0
        self.worker: Worker | None = None


class Answers:
    """A cache of the latest results, up to a number of bytes."""

    def __init__(self) -> None:
        self._room = KEPT
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def get(self, key: Hashable) -> tuple[Any] | None:
        """Return a result in a tuple; None if it is not stored."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                return None
            self._kept.move_to_end(key)
            return (kept[0],)

    def keep(self, key: Hashable, value: Any, size: int) -> None:
        """Store a result with its size in bytes."""
        if size > KEPT // 4:
            return
        with self._lock:
            self._room += self._kept.pop(key, (None, 0))[1]
            self._kept[key] = value, size
            self._room -= size
            while self._room < 0 or len(self._kept) > ANSWERS:
                self._room += self._kept.popitem(last=False)[1][1]


class Pool:
    """Processes for one kind of work.

    Parameters
    ----------
    forks
        The fork server.
    answers
        The cache of results, which other pools may share.
    """

    def __init__(self, kind: PoolLimits, forks: WorkerForkServer, answers: Answers) -> None:
        self.kind = kind
        self._forks, self._answers = forks, answers
        self._changed = threading.Condition()
        self._queue: deque[PoolJob] = deque()
        self._jobs: dict[Hashable, PoolJob] = {}
        self._threads = self._idle = 0
        self._closing = False

    async def result(self, request: Request, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function returns in a worker.

        Parameters
        ----------
        request
            When its client disconnects and no other request waits, the work is stopped. The tasks
            of its person, and of its address, count for the limits of one person.
        function, arguments
            A function of a module, and arguments that can be pickled.

        Raises
        ------
        Overloaded
            If the queue is full, or the person has asked for too much.
        TooLong
            If it is not done in time.
        InvalidInput, HostFailure
            If the function raises it.
        ClientDisconnect
            If the client has gone.
        """
        key = key_of(function, arguments)
        kept = self._answers.get(key)
        if kept is not None:
            return kept[0]
        with self._asked(key, function, arguments, request.state.person) as job:
            working = asyncio.wrap_future(job.future)
            leaving = asyncio.ensure_future(_gone(request))
            try:
                await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
            finally:
                leaving.cancel()
                working.cancel()  # this request no longer waits; others may
            if working.cancelled():
                raise ClientDisconnect
            return working.result()

    @contextmanager
    def _asked(
        self,
        key: Hashable,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        person: Identity,
    ) -> Iterator[PoolJob]:
        """Wait for a task; stop it when no request waits any more."""
        with self._changed:
            job = self._jobs.get(key)
            if job is None:
                job = self._new(key, function, arguments, person)
            job.waiting += 1
        try:
            yield job
        finally:
            with self._changed:
                job.waiting -= 1
                if not job.waiting and not job.future.done():
                    self._drop(job)

    def _new(
        self,
        key: Hashable,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        person: Identity,
    ) -> PoolJob:
        if self._closing:
            raise Overloaded("the server is shutting down")
        if len(self._jobs) >= self.kind.room:
            raise Overloaded("the server has too much to do now; ask again in some seconds")
        people = [job.person for job in self._jobs.values()]
        address = person.address
        near = sum(one.address == address for one in people)
        if person.is_limited and people.count(person) >= self.kind.each:
            raise Overloaded("you have asked for much already; wait for some of its answers")
        if address and near >= self.kind.together:
            raise Overloaded("your address has asked for much already; ask again in some seconds")
        job = self._jobs[key] = PoolJob(key, function, arguments, person)
        self._queue.append(job)
        if self._idle < len(self._queue) and self._threads < self.kind.processes:
            self._threads += 1
            threading.Thread(target=self._supervise, name="worker", daemon=True).start()
        self._changed.notify()
        return job

    def _drop(self, job: PoolJob) -> None:
        """Stop a task."""
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        if job.worker is not None:
            job.worker.kill()
        elif job in self._queue:
            self._queue.remove(job)

    def _supervise(self) -> None:
        """Run tasks in one process, or its replacements, until there are none for a while."""
        process: Worker | None = None
        while (job := self._next()) is not None:
            process = self._do(job, process)
        if process is not None:
            process.close()

    def _next(self) -> PoolJob | None:
        """Wait for a task; return None if there is none for a while."""
        until = time.monotonic() + IDLE
        with self._changed:
            self._idle += 1
            while not self._queue and not self._closing:
                left = until - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            self._idle -= 1
            if self._queue and not self._closing:
                return self._queue.popleft()
            self._threads -= 1
            return None

    def _do(self, job: PoolJob, process: Worker | None) -> Worker | None:
        """Run a task; return the process for the next one, or None if it has ended."""
        reply: worker.Reply | None = None
        problem: BaseException | None = None
        try:
            process = process or self._forks.fork(self.kind.niceness)
            with self._changed:
                job.worker = process
                unwanted = self._closing or not job.waiting
            if not unwanted:
                reply = process.do(job, self.kind.seconds)
        except (TooLong, Failed, HostFailure, OSError) as error:
            problem = error
        with self._changed:
            job.worker = None
            wanted = job.waiting > 0 and not self._closing
            if self._jobs.get(job.key) is job:
                del self._jobs[job.key]
        if reply is None and problem is None:
            job.future.set_exception(Overloaded("this was stopped"))
            return process
        self._settle(job, reply, problem, wanted=wanted)
        # The last request may have gone just after the reply: then the process is killed, too.
        if process is not None and (reply is None or reply.last or process.killed):
            process.close()
            return None
        return process

    def _settle(
        self,
        job: PoolJob,
        reply: worker.Reply | None,
        problem: BaseException | None,
        *,
        wanted: bool,
    ) -> None:
        """Set the result or the error of a task."""
        if reply is not None and reply.kind == worker.DONE:
            size = size_of(reply.value)
            if size is not None and reply.cost >= COSTLY:
                self._answers.keep(job.key, reply.value, size)
            job.future.set_result(reply.value)
        elif reply is not None and reply.kind == worker.REFUSED:
            job.future.set_exception(InvalidInput(reply.value))
        elif reply is not None and reply.kind == worker.DAMAGED:
            job.future.set_exception(DamagedStore(reply.value))
        elif reply is not None and reply.kind == worker.HOST_FAILED:
            job.future.set_exception(HostFailure(reply.value))
        elif not wanted:  # it was killed: no request waits, or the server ends
            job.future.set_exception(Overloaded("this was stopped"))
        elif isinstance(problem, (TooLong, HostFailure, OSError)):
            job.future.set_exception(problem)
        else:
            error = problem if reply is None else reply.value
            log.error("%s: %s", job.function.__qualname__, error)
            job.future.set_exception(Failed(str(error)))

    def close(self) -> None:
        """Stop all tasks; requests that wait get an error."""
        with self._changed:
            self._closing = True
            for job in self._queue:
                job.future.set_exception(Overloaded("the server is shutting down"))
                self._jobs.pop(job.key, None)
            self._queue.clear()
            for job in self._jobs.values():
                if job.worker is not None:
                    job.worker.kill()
            self._changed.notify_all()


class Pools:
    """The pools of one server."""

    def __init__(self) -> None:
        self.forks = WorkerForkServer()
        answers = Answers()
        made = {name: Pool(kind, self.forks, answers) for name, kind in POOL_LIMITS.items()}
        self.reading, self.drawing = made["reading"], made["drawing"]
        self.boards, self.searching = made["boards"], made["searching"]
        self.evaluating = made["evaluating"]
        self._all = tuple(made.values())

    def stop(self) -> None:
        """Stop all work at once."""
        for pool in self._all:
            pool.close()

    def close(self) -> None:
        """Stop all work, and end all processes."""
        self.stop()
        self.forks.close()


async def _gone(request: Request) -> None:
    """Wait until the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def key_of(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Hashable:
    """Return a hash that is equal for equal calls."""
    data = pickle.dumps((function, arguments))
    return hashlib.blake2b(data, digest_size=20).digest()


def size_of(value: Any) -> int | None:
    """Return the bytes of a result that can be cached; None for other types."""
    if isinstance(value, bytes | str):
        return len(value)
    if isinstance(value, tuple) and all(isinstance(part, bytes | str) for part in value):
        return sum(map(len, value))
    return None
