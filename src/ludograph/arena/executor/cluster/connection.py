"""A connection to a running Dask scheduler, which passes orders to its workers."""

from __future__ import annotations

import contextlib
import logging
import pickle
import queue
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ludograph.arena.executor.cluster import worker
from ludograph.errors import HostFailure, InvalidInput
from ludograph.formatting import counted
from ludograph.version import VERSION

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 10.0
"""The time limit for connecting to a scheduler, and for fetching a result."""

LOOK_SECONDS = 1.0
"""The time between two counts of the workers."""

REPLAYS = 1
"""The number of repetitions of an order whose process died; Dask repeats those of lost workers."""


class SchedulerConnection:
    """A client of a running scheduler, the orders under way, and the processes that play them.

    Parameters
    ----------
    address
        The address of the scheduler, as in ``tcp://host:8786``.
    tell
        Called with a sentence when workers are lost, or orders have to wait.

    Attributes
    ----------
    client
        Dask's client; it exists after :meth:`open`.
    under_way
        The orders without a result, by their keys for Dask, each with its tag.

    Raises
    ------
    InvalidInput
        If it is no address of a scheduler, or Dask is not installed.
    """

    client: Client

    def __init__(self, address: str, tell: Callable[[str], None] = lambda _: None) -> None:
        check_address(address)
        self.address, self._tell = address, tell
        self.under_way: dict[str, tuple[Any, Future]] = {}
        self._session = uuid.uuid4().hex
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._contents: dict[str, Future] = {}  # of files, by their places
        self._workers: dict[str, int] | None = None  # the threads of each
        self._next_look = 0.0

    def open(self) -> None:
        """Connect; raise HostFailure if the scheduler cannot be reached."""
        import distributed

        for name in ("distributed", "tornado", "asyncio"):  # errors have messages of our own
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            self.client = distributed.Client(
                self.address,
                timeout=CONNECT_SECONDS,
                set_as_default=False,
                name="ludograph",
            )
        except (OSError, TimeoutError) as error:
            raise HostFailure(
                f"the scheduler {self.address} cannot be reached within {CONNECT_SECONDS:g} s"
            ) from error
        except (ValueError, ImportError, TypeError) as error:
            raise InvalidInput(f"--cluster {self.address}: {error}") from None
        self._watch()

    def close(self) -> None:
        """Cancel the orders under way, and end the processes of this connection."""
        self.cancel()
        with contextlib.suppress(Exception):  # the scheduler may be gone
            if self.client.status == "running":
                self.client.run(worker.end, self._session, on_error="ignore")
        with contextlib.suppress(Exception):
            self.client.close(timeout=2)

    def cancel(self) -> None:
        """Cancel the orders under way; what workers have begun goes on until the end."""
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self.client.cancel([future for _, future in self.under_way.values()], force=True)
        self.under_way.clear()

    @property
    def threads(self) -> int:
        """The threads of the workers when they were last counted."""
        return sum((self._workers or {}).values())

    def carry(self, place: str, content: bytes) -> None:
        """Submit a file, once, for orders that name its place on the machines.

        Its content is the result of a task: Dask sends it to each worker once, and repeats the task
        if the worker with the result is lost.
        """
        if place not in self._contents:
            self._contents[place] = self._task(bytes, content, key=f"ludograph-{place}")

    def submit(self, tag: Any, order: bytes, places: Iterable[str] = ()) -> None:
        """Send an order, see :func:`~ludograph.arena.executor.cluster.process.order_of`.

        Parameters
        ----------
        tag
            What :meth:`ended` yields with the result.
        places
            The places of the files that it needs.

        Raises
        ------
        HostFailure
            If the scheduler has gone away.
        """
        contents = {place: self._contents[place] for place in places}
        call = (worker.play, VERSION, self._session, order, contents)
        future = self._task(*call, pure=False, retries=REPLAYS)
        self.under_way[future.key] = tag, future
        future.add_done_callback(self._ended.put)

    def _task(self, *call: Any, **settings: Any) -> Future:
        try:
            return self.client.submit(*call, **settings)
        except Exception as error:
            raise self._gone() from error

    def ended(self) -> Iterator[tuple[Any, Any]]:
        """Wait a second for an order to end, and yield its tag and its result.

        Raises
        ------
        HostFailure
            If the scheduler goes away, or an order is lost, played again and lost again.
        InvalidInput
            If a worker cannot play orders of this kind.
        """
        self._watch()
        try:
            future = self._ended.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            return
        if future.key not in self.under_way or (data := self._fetched(future)) is None:
            return  # it was cancelled, or is played again
        tag, _ = self.under_way.pop(future.key)
        result = pickle.loads(data)
        if isinstance(result, HostFailure | InvalidInput):
            raise result
        yield tag, result

    def _fetched(self, future: Future) -> bytes | None:
        """Return the result of an order that has ended; None if Dask has it played again.

        It does if the worker with the result was lost before the result was fetched.
        """
        try:
            data: bytes = future.result(timeout=CONNECT_SECONDS)
        except Exception as error:
            if future.status == "error":
                raise self._failure(error) from None
            if self.client.status != "running" or future.cancelled():
                raise self._gone() from error
            future.add_done_callback(self._ended.put)
            return None
        return data

    def _watch(self) -> None:
        """Count the workers once a second; say which were lost, and that there are none."""
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + LOOK_SECONDS
        if self.client.status != "running":
            raise self._gone()
        try:
            workers = self.client.nthreads()
        except Exception as error:
            raise self._gone() from error
        before, self._workers = self._workers, workers
        lost = sorted(set(before or ()) - set(workers))
        if lost:
            told = f"{counted(len(lost), 'worker')} lost ({', '.join(lost)})"
            self._tell(f"{told}: other workers play the games again")
        if not workers and before != workers:
            self._tell(f"the scheduler {self.address} has no workers now; waiting for some")

    def _gone(self) -> HostFailure:
        return HostFailure(f"the scheduler {self.address} went away")

    def _failure(self, error: BaseException) -> Exception:
        """Return the error for a failed task."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, InvalidInput):
            return error
        if isinstance(error, KilledWorker):
            return HostFailure("the workers that played a game were lost, one after the other")
        return HostFailure(f"workers of {self.address} failed, also in the second try: {error}")


def check_address(address: str) -> None:
    """Raise InvalidInput if it is no address of a scheduler, or Dask is not installed."""
    try:
        from distributed.comm import get_address_host_port
    except ImportError:
        raise InvalidInput("--cluster needs Dask: pip install 'ludograph[cluster]'") from None
    try:
        get_address_host_port(address, strict=True)
    except ValueError:
        raise InvalidInput(
            f"--cluster must be the address of a Dask scheduler, as in tcp://host:8786, "
            f"got {address[:80]!r}"
        ) from None
