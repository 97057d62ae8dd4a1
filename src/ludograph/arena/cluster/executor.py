"""The executor for a Dask cluster: games are sent as orders to the workers of a scheduler."""

from __future__ import annotations

import contextlib
import logging
import pickle
import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self

from ludograph.arena.cluster import worker
from ludograph.arena.cluster.process import order_of, places_of, play_here
from ludograph.arena.executor import Failure, Result
from ludograph.arena.playing import GamePlan, failure_of
from ludograph.errors import HostFailure, InvalidInput
from ludograph.formatting import counted
from ludograph.players import PlayerSpec
from ludograph.referee.player_factory import labels
from ludograph.version import VERSION

if TYPE_CHECKING:
    from distributed import Client, Future

AHEAD = 2
"""Submitted games for each thread of a worker: one is played, the next one waits there."""

CONNECT_SECONDS = 10.0
"""The time limit for connecting to a scheduler, and for fetching a result."""

LOOK_SECONDS = 1.0
"""The time between two counts of the workers."""

REPLAYS = 1
"""The number of repetitions of an order whose process died; Dask repeats those of lost workers."""


class ClusterExecutor(Generic[Result]):
    """Plays games on the workers of a running scheduler.

    Parameters
    ----------
    play
        Plays a game on a worker; pickled.
    address
        The address of the scheduler, as in ``tcp://host:8786``.
    check_files
        Called when the files of a player were read; raises InvalidInput if they are not those that
        are to play.
    tell
        Called with a sentence when workers are lost, or games have to wait.

    Attributes
    ----------
    client
        Dask's client; it exists in the context.
    under_way
        The games without a result, by their keys for Dask.

    Raises
    ------
    InvalidInput
        If it is no address of a scheduler, or Dask is not installed.
    """

    client: Client

    def __init__(
        self,
        play: Callable[[GamePlan, None], Result | Failure],
        address: str,
        *,
        check_files: Callable[[], None] = lambda: None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        check_address(address)
        self._play, self._check_files = play, check_files
        self._address, self._tell = address, tell
        self.under_way: dict[str, tuple[GamePlan, Future]] = {}
        self._session = uuid.uuid4().hex
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._unsent: deque[tuple[GamePlan, Failure]] = deque()  # games that could not be sent
        self._files: dict[str, dict[str, str]] = {}  # their places, by their players' names
        self._contents: dict[str, Future] = {}  # of files, by their places
        self._workers: dict[str, int] | None = None  # the threads of each
        self._next_look = 0.0

    def __enter__(self) -> Self:
        """Connect; raise HostFailure if the scheduler cannot be reached."""
        import distributed

        for name in ("distributed", "tornado", "asyncio"):  # errors have messages of our own
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            self.client = distributed.Client(
                self._address,
                timeout=CONNECT_SECONDS,
                set_as_default=False,
                name="ludograph",
            )
        except (OSError, TimeoutError) as error:
            raise HostFailure(
                f"the scheduler {self._address} cannot be reached within {CONNECT_SECONDS:g} s"
            ) from error
        except (ValueError, ImportError, TypeError) as error:
            raise InvalidInput(f"--cluster {self._address}: {error}") from None
        self._watch()
        return self

    def __exit__(self, *raised: object) -> None:
        """Cancel the games under way, and end the processes of this connection."""
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self.client.cancel([future for _, future in self.under_way.values()], force=True)
        self.under_way.clear()
        with contextlib.suppress(Exception):
            if self.client.status == "running":
                self.client.run(worker.end, self._session, on_error="ignore")
        with contextlib.suppress(Exception):
            self.client.close(timeout=2)

    @property
    def threads(self) -> int:
        """The threads of the workers when they were last counted."""
        return sum((self._workers or {}).values())

    @property
    def free(self) -> int:
        """The number of games that can be submitted; one also where there is no worker yet.

        After a worker is lost, more games may be under way than the others have threads for: none
        can be submitted then.
        """
        taken = len(self.under_way) + len(self._unsent)
        return max(max(AHEAD * self.threads, 1) - taken, 0)

    def submit(self, plan: GamePlan) -> None:
        """Send a game to the scheduler.

        Raises
        ------
        HostFailure
            If the scheduler has gone away.
        InvalidInput
            If a player's files are not those that are to play.
        """
        players = [spec for spec in plan.players if isinstance(spec, PlayerSpec)]
        names = plan.key.seating
        try:
            for name, spec in zip(names, players, strict=True):
                if name not in self._files:
                    self._carry(name, spec)
        except OSError as error:
            self._unsent.append((plan, failure_of(error)))
            return
        known = [
            replace(spec, known_as=name)
            for spec, name in zip(players, labels(players), strict=True)
        ]
        files = [self._files[name] for name in names]
        contents = {place: self._contents[place] for each in files for place in each.values()}
        sent = replace(plan, players=known)
        order = order_of(plan.start.game, play_here, self._play, sent, files)
        call = (worker.play, VERSION, self._session, order, contents)
        future = self._task(*call, pure=False, retries=REPLAYS)
        self.under_way[future.key] = plan, future
        future.add_done_callback(self._ended.put)

    def _carry(self, name: str, spec: PlayerSpec) -> None:
        """Submit the files of a player, each once.

        The content of a file is the result of a task: Dask sends it to each worker once, and
        repeats the task if the worker with the result is lost.
        """
        contents = read_files(spec)
        self._check_files()
        self._files[name] = places_of(spec, contents)
        for file, place in self._files[name].items():
            if place not in self._contents:
                task = self._task(bytes, contents[file], key=f"ludograph-{place}")
                self._contents[place] = task

    def _task(self, *call: Any, **settings: Any) -> Future:
        try:
            return self.client.submit(*call, **settings)
        except Exception as error:
            raise self._gone() from error

    def ended(self) -> Iterator[tuple[GamePlan, Result | Failure]]:
        """Wait for a game to end, and yield it; nothing if none ends for a second.

        Raises
        ------
        HostFailure
            If the scheduler goes away, or a game is lost, played again and lost again.
        InvalidInput
            If a worker can play none of the games.
        """
        if self._unsent:
            yield self._unsent.popleft()
            return
        self._watch()
        try:
            future = self._ended.get(timeout=LOOK_SECONDS)
        except queue.Empty:
            return
        if future.key not in self.under_way or (data := self._fetched(future)) is None:
            return  # it was cancelled, or is played again
        plan, _ = self.under_way.pop(future.key)
        answer = pickle.loads(data)
        if isinstance(answer, HostFailure | InvalidInput):
            raise answer
        (result,) = answer
        yield plan, result

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
            self._tell(f"the scheduler {self._address} has no workers now; waiting for some")

    def _gone(self) -> HostFailure:
        return HostFailure(f"the scheduler {self._address} went away")

    def _failure(self, error: BaseException) -> Exception:
        """Return the error for a failed task."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, InvalidInput):
            return error
        if isinstance(error, KilledWorker):
            return HostFailure("the workers that played a game were lost, one after the other")
        return HostFailure(f"workers of {self._address} failed, also in the second try: {error}")


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


def read_files(spec: PlayerSpec) -> dict[str, bytes]:
    """Return the contents of a player's files, by their paths."""
    return {file: Path(file).read_bytes() for file in spec.files}
