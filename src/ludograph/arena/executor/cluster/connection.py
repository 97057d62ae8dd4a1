"""A connection to a running Dask scheduler, which sends orders to its workers."""

from __future__ import annotations

import contextlib
import logging
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ludograph.arena.executor.cluster import worker
from ludograph.arena.executor.cluster.order import CarriedFile
from ludograph.errors import HostFailure, InvalidInput
from ludograph.version import VERSION

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 10.0
"""The time limit for connecting to a scheduler."""

LOOK_SECONDS = 1.0
"""The time between two counts of the workers."""

REPLAYS = 1
"""The number of repetitions of an order whose process died; Dask repeats those of lost workers."""

SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "ucxx")


class SchedulerConnection:
    """A client of a running scheduler, and a session of processes at its workers.

    Parameters
    ----------
    address
        The address of the scheduler, as in ``tcp://host:8786``.
    tell
        Called with a sentence when orders have to wait.

    Attributes
    ----------
    client
        Dask's client; it exists after :meth:`open`.
    threads
        The threads of the workers when they were last counted.

    Raises
    ------
    InvalidInput
        If it is no address of a scheduler, or Dask is not installed.
    """

    client: Client

    def __init__(self, address: str, tell: Callable[[str], None] = lambda _: None) -> None:
        check_address(address)
        self.address, self._tell = address, tell
        self.session = uuid.uuid4().hex
        self.threads = 0
        self._looked = 0.0
        self._count = 0

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

    def close(self, under_way: Iterable[Future]) -> None:
        """Cancel running orders, and end the processes of this session."""
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self.client.cancel(list(under_way), force=True)
            if self.client.status == "running":
                self.client.run(worker.end, self.session, on_error="ignore")
        with contextlib.suppress(Exception):
            self.client.close(timeout=2)

    def submit(
        self,
        order: bytes,
        *,
        module: str = worker.GAMES,
        files: Sequence[CarriedFile] = (),
        contents: Iterable[Future] = (),
    ) -> Future:
        """Send an order, see :func:`~ludograph.arena.executor.cluster.worker.play`."""
        self._count += 1
        return self.client.submit(
            worker.play,
            VERSION,
            self.session,
            order,
            [tuple(file) for file in files],
            *contents,
            module=module,
            key=f"ludograph-{self.session}-{self._count}",
            pure=False,
            priority=-self._count,
            retries=REPLAYS,
        )

    def watch(self) -> None:
        """Count the threads of the workers once a second.

        Raises
        ------
        HostFailure
            If the scheduler has gone away.
        """
        if time.monotonic() - self._looked <= LOOK_SECONDS:
            return
        if self.client.status != "running":
            raise self.gone()
        self.look()

    def look(self) -> None:
        """Count the threads of the workers now, and report if there are none."""
        self._looked = time.monotonic()
        try:
            threads = sum(self.client.nthreads().values())
        except Exception as error:
            raise self.gone() from error
        if not threads and self.threads != threads:
            self._tell(f"the scheduler {self.address} has no workers now; waiting for some")
        self.threads = threads

    def gone(self) -> HostFailure:
        """Return the error for a scheduler that has gone away."""
        return HostFailure(f"the scheduler {self.address} went away")

    def wait_for(self, future: Future) -> Any:
        """Wait for an order, and return the result of its task.

        If the worker that has the result is lost, Dask plays the order again.

        Raises
        ------
        HostFailure, InvalidInput
            If the scheduler goes away, or the task fails.
        """
        while True:
            self.watch()
            try:
                error = future.exception(timeout=LOOK_SECONDS)
                found = None if error else future.result(timeout=CONNECT_SECONDS)
            except TimeoutError:
                continue
            except Exception as unreached:
                raise self.gone() from unreached
            if error is not None:
                raise self.failure(error)
            return found

    def failure(self, error: BaseException) -> Exception:
        """Return the error for a failed task."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, InvalidInput):
            return error
        if isinstance(error, worker.ProcessLost):
            return HostFailure(f"{error}, and so did the one that played it again")
        if isinstance(error, KilledWorker):
            return HostFailure("the workers that played a game were lost, one after the other")
        if isinstance(error, ImportError):
            return HostFailure(
                f"a worker of {self.address} has no Ludograph like this one: {error}"
            )
        return HostFailure(f"a worker of {self.address} failed: {error}")


def check_address(address: str) -> None:
    """Raise InvalidInput if it is no address of a scheduler, or Dask is not installed."""
    scheme, colon, rest = address.partition("://")
    if scheme not in SCHEMES or not colon or not rest:
        raise InvalidInput(
            f"--cluster must be the address of a Dask scheduler, as in tcp://host:8786, "
            f"got {address[:80]!r}"
        )
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise InvalidInput("--cluster needs Dask: pip install 'ludograph[cluster]'") from None
