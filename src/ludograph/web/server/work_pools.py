"""Work pools: a server's slow computations, in processes with a queue and a deadline.

Each kind of work has a :class:`Pool`: a number of workers, a bounded queue, and a deadline at which
the worker is killed. Requests for the same work share one task, which is stopped when no request
waits for it any more. The results of slow tasks are cached.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import pickle
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from starlette.requests import ClientDisconnect, Request

from ludograph.web.server.limits import Identity
from ludograph.workers import Failed, Worker, WorkerForkServer

IDLE = 60.0
"""Seconds without work after which a worker ends."""

KEPT = 16 << 20
"""Bytes of cached results."""

COSTLY = 0.05
"""The least seconds of work for a result to be cached."""

ANSWERS = 4096
"""The most cached results."""

log = logging.getLogger(__name__)


class Overloaded(Exception):
    """The queue is full.

    Attributes
    ----------
    retry_after
        The seconds after which to ask again.
    """

    retry_after = 5


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


class Answers:
    """A cache of the latest results, up to a number of bytes."""

    def __init__(self) -> None:
        self._room = KEPT
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def get(self, key: Hashable) -> tuple[Any] | None:
        """Return a result in a tuple; None if it is not stored."""
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._kept.move_to_end(key)
        return (kept[0],)

    def keep(self, key: Hashable, value: Any, size: int) -> None:
        """Store a result with its size in bytes."""
        if size > KEPT // 4:
            return
        self._room += self._kept.pop(key, (None, 0))[1]
        self._kept[key] = value, size
        self._room -= size
        while self._room < 0 or len(self._kept) > ANSWERS:
            self._room += self._kept.popitem(last=False)[1][1]


@dataclass(eq=False)
class PoolJob:
    """A task, the person who has asked for it first, and how many requests wait for it."""

    key: Hashable
    person: Identity
    work: asyncio.Task[Any]
    waiting: int = 0


class Pool:
    """Workers for one kind of work; called in the event loop of the server.

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
        self._jobs: dict[Hashable, PoolJob] = {}
        self._places = asyncio.Semaphore(kind.processes)
        self._idle: dict[Worker, asyncio.TimerHandle] = {}
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
        task = pickle.dumps((function, arguments))
        key = hashlib.blake2b(task, digest_size=20).digest()
        kept = self._answers.get(key)
        if kept is not None:
            return kept[0]
        job = self._jobs.get(key)
        if job is None:
            job = self._begin(key, task, function.__qualname__, request.state.person)
        job.waiting += 1
        leaving = asyncio.ensure_future(_gone(request))
        try:
            await asyncio.wait((job.work, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            job.waiting -= 1
            if not job.waiting:
                job.work.cancel()
                self._forget(job)
        if not job.work.done():
            raise ClientDisconnect
        if job.work.cancelled():
            raise Overloaded("this was stopped")
        return job.work.result()

    def _begin(self, key: Hashable, task: bytes, name: str, person: Identity) -> PoolJob:
        """Return a new job, if the limits allow it."""
        if self._closing:
            raise Overloaded("the server is shutting down")
        if len(self._jobs) >= self.kind.room:
            raise Overloaded("the server has too much to do now; ask again in some seconds")
        people = [job.person for job in self._jobs.values()]
        if sum(map(person.is_same, people)) >= self.kind.each:
            raise Overloaded("you have asked for much already; wait for some of its answers")
        if sum(map(person.is_near, people)) >= self.kind.together:
            raise Overloaded("your address has asked for much already; ask again in some seconds")
        work = asyncio.create_task(self._work(key, task, name))
        job = self._jobs[key] = PoolJob(key, person, work)
        work.add_done_callback(lambda _: self._forget(job))
        return job

    def _forget(self, job: PoolJob) -> None:
        """Let later requests for the same work begin another job."""
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]

    async def _work(self, key: Hashable, task: bytes, name: str) -> Any:
        """Wait for a place, and return what the function returns."""
        try:
            async with self._places:
                with self._worker() as worker:
                    done = await worker.do(task, self.kind.seconds)
            if done.error is not None:
                raise done.error
        except Failed as error:
            log.error("%s: %s", name, error)
            raise
        size = size_of(done.value)
        if size is not None and done.seconds >= COSTLY:
            self._answers.keep(key, done.value, size)
        return done.value

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        """An idle worker or a new one; it is killed if it has not ended its task."""
        if self._idle:
            worker, timer = self._idle.popitem()
            timer.cancel()
        else:
            worker = self._forks.fork(self.kind.niceness)
        try:
            yield worker
        finally:
            if worker.is_spent or self._closing:
                worker.close()
            else:
                loop = asyncio.get_running_loop()
                self._idle[worker] = loop.call_later(IDLE, self._end, worker)

    def _end(self, worker: Worker) -> None:
        """End an idle worker."""
        del self._idle[worker]
        worker.close()

    def close(self) -> None:
        """Stop all tasks; requests that wait get an error."""
        self._closing = True
        for job in self._jobs.values():
            job.work.cancel()
        for worker in list(self._idle):
            self._idle[worker].cancel()
            self._end(worker)


class Pools:
    """The pools of one server.

    Attributes
    ----------
    reading, drawing, boards, searching, evaluating, playing
        For records and forms, pictures of games, boards of visitors, advice, evaluations, games
        of uploaded players.
    """

    def __init__(self) -> None:
        self.forks = WorkerForkServer("numba", "ludograph.web.app")
        answers = Answers()
        self.reading = Pool(PoolLimits(2, 64, 10.0, niceness=0), self.forks, answers)
        self.drawing = Pool(PoolLimits(1, 16, 60.0), self.forks, answers)
        self.boards = Pool(PoolLimits(1, 16, 10.0), self.forks, answers)
        self.searching = Pool(PoolLimits(2, 8, 30.0), self.forks, answers)
        self.evaluating = Pool(PoolLimits(1, 16, 30.0, niceness=15), self.forks, answers)
        self.playing = Pool(PoolLimits(2, 16, 10.0, niceness=0), self.forks, answers)

    def stop(self) -> None:
        """Stop all work at once."""
        searches = (self.searching, self.evaluating, self.playing)
        for pool in (self.reading, self.drawing, self.boards, *searches):
            pool.close()

    def close(self) -> None:
        """Stop all work, and end all processes."""
        self.stop()
        self.forks.close()


async def _gone(request: Request) -> None:
    """Wait until the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def size_of(value: Any) -> int | None:
    """Return the bytes of a result that can be cached; None for other types."""
    if isinstance(value, bytes | str):
        return len(value)
    if isinstance(value, tuple) and all(isinstance(part, bytes | str) for part in value):
        return sum(map(len, value))
    return None
