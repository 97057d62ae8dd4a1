"""The executor for a Dask cluster: games are sent as orders to the workers of a scheduler."""

from __future__ import annotations

import contextlib
import logging
import pickle
import queue
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self

from ludograph.arena.executor.cluster import worker
from ludograph.arena.executor.cluster.order import CarriedFile, Order, OrderOutcome, carried_files
from ludograph.arena.executor.cluster.speed import measure
from ludograph.arena.executor.protocol import Game, Key
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.playing import PlannedGame, Playable
from ludograph.errors import HostFailure, InvalidInput
from ludograph.players import PlayerSpec
from ludograph.players.isolation import Isolation
from ludograph.referee.player_factory import labels
from ludograph.version import VERSION

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 10.0
"""The time limit for connecting to a scheduler."""

AHEAD = 2
"""Games under way for each thread of a worker: one is played, the next one waits there."""

LOOK_SECONDS = 1.0
"""The time between two counts of the workers."""

REPLAYS = 1
"""How often a game is played again after its process died; Dask repeats games of lost workers."""

SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "ucxx")


class ClusterExecutor(Generic[Key, Game]):
    """Plays games on the workers of a running scheduler.

    Parameters
    ----------
    plan
        The plan of the games.
    address
        The address of the scheduler, as in ``tcp://host:8786``.
    scaling
        Whether clocks are longer on machines that are slower than this one.
    tell
        Called with a sentence when games have to wait.

    Raises
    ------
    InvalidInput
        If it is no address of a scheduler, or Dask is not installed.
    """

    def __init__(
        self,
        plan: Playable[Key, Game],
        address: str,
        *,
        scaling: bool = True,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        check_address(address)
        self._plan, self._address, self._tell = plan, address, tell
        options = plan.match_options
        self._scaling = scaling and (options.clock or options.foreign_clock) is not None
        self._session = uuid.uuid4().hex
        self._client: Client
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._under_way: dict[str, tuple[Key, Future]] = {}
        self._unsent: list[Game] = []  # games that could not be sent
        self._files: dict[str, list[CarriedFile]] = {}  # by their players' names
        self._contents: dict[str, Future] = {}  # of files, by digest
        self._count = 0
        self.threads = 0
        self.factors: dict[str, float] = {}
        self._reference: float | None = None

    def __enter__(self) -> Self:
        contents = {name: read_files(spec) for name, spec in self._plan.specs.items()}
        self._plan.check_files()  # they must be those of the plan's declaration
        self._client = self._connected()
        self._carry(contents)
        self._look()
        return self

    def __exit__(self, *raised: object) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._client.cancel([future for _, future in self._under_way.values()], force=True)
            if self._client.status == "running":
                self._client.run(worker.end, self._session, on_error="ignore")
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)

    def _connected(self) -> Client:
        import distributed

        for name in ("distributed", "tornado", "asyncio"):  # errors have messages of our own
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            return distributed.Client(
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

    def _carry(self, contents: Mapping[str, Mapping[str, bytes]]) -> None:
        """Submit a task for each file of players, whose result is the file's content.

        Dask sends the result of a task to each worker once, and repeats the task if the worker with
        the result is lost.
        """
        for name, files in contents.items():
            self._files[name] = carried_files(self._plan.specs[name], files)
            for file in self._files[name]:
                if file.digest not in self._contents:
                    key, content = f"ludograph-file-{file.digest}", files[file.word]
                    self._contents[file.digest] = self._client.submit(
                        worker.carry, content, key=key
                    )

    def _look(self) -> None:
        """Count the threads of the workers."""
        self._looked = time.monotonic()
        try:
            threads = sum(self._client.nthreads().values())
        except Exception as error:
            raise self._gone() from error
        if not threads and self.threads != threads:
            self._tell(f"the scheduler {self._address} has no workers now; waiting for some")
        self.threads = threads

    def _gone(self) -> HostFailure:
        return HostFailure(f"the scheduler {self._address} went away")

    @property
    def free(self) -> int:
        """The number of games that can be submitted; one also where there is no worker yet.

        After a worker is lost, more games may be under way than the others have threads for: none
        can be submitted then.
        """
        return max(max(AHEAD * self.threads, 1) - len(self._under_way), 0)

    def submit(self, key: Key) -> None:
        """Send a game to the scheduler."""
        try:
            planned = self._plan.planned(key)
            contents = {
                name: read_files(spec)
                for name, spec in zip(planned.key.seating, planned.players, strict=True)
                if name not in self._files
            }
        except (InvalidInput, OSError) as error:
            gone = error if isinstance(error, InvalidInput) else InvalidInput(str(error))
            self._unsent.append(self._plan.without_result(key, gone))
            return
        self._count += 1
        name = f"ludograph-{self._session}-{self._count}"
        try:
            self._carry(contents)  # files of players that have come since the beginning
            order = self._order(planned)
            files = [file for files in order.files for file in files]
            future = self._client.submit(
                worker.play,
                VERSION,
                self._session,
                pickle.dumps(order),
                [tuple(file) for file in files],
                *(self._contents[file.digest] for file in files),
                key=name,
                pure=False,
                priority=-self._count,
                retries=REPLAYS,
            )
        except Exception as error:
            raise self._gone() from error
        self._under_way[name] = key, future
        future.add_done_callback(self._ended.put)

    def _order(self, planned: PlannedGame[PlayerSpec]) -> Order:
        game, players, options = planned.start.game, planned.players, planned.options
        if self._scaling and self._reference is None:
            self._reference = measure(game.name)
        known = [
            replace(spec, known_as=name)
            for spec, name in zip(players, labels(players), strict=True)
        ]
        options = replace(options, isolation=options.isolation or Isolation())
        return Order(
            planned=planned._replace(players=known, options=options),
            rules=game.version,
            files=[self._files[name] for name in planned.key.seating],
            reference=self._reference,
        )

    def ended(self) -> Iterator[Game]:
        """Wait for a game to end, and yield it; nothing if it must be played again.

        Raises
        ------
        HostFailure
            If the scheduler goes away, or a game is lost, played again and lost again.
        InvalidInput
            If a worker can play none of the games.
        """
        if self._unsent:
            yield self._unsent.pop()
        elif (game := self._game_of(self._next())) is not None:
            yield game

    def _next(self) -> Any:
        while True:
            if time.monotonic() - self._looked > LOOK_SECONDS:
                if self._client.status != "running":
                    raise self._gone()
                self._look()
            with contextlib.suppress(queue.Empty):
                return self._ended.get(timeout=LOOK_SECONDS)

    def _game_of(self, future: Any) -> Game | None:
        """Return what is kept of the game of a finished task; None if it must be played again."""
        key, _ = self._under_way.pop(future.key)
        try:
            error = future.exception(timeout=CONNECT_SECONDS)
            data = b"" if error else future.result(timeout=CONNECT_SECONDS)
        except Exception as unreached:
            if self._client.status != "running":
                raise self._gone() from unreached
            # The worker that had the result was lost before the result was fetched. The
            # scheduler has the task run again, and its end is waited for like any other.
            self._under_way[future.key] = key, future
            future.add_done_callback(self._ended.put)
            return None
        future.release()
        if error is not None:
            raise self._failure(error)
        outcome: OrderOutcome = pickle.loads(data)
        if isinstance(outcome.game, FinishedGame):
            if self._scaling:
                self.factors[outcome.machine] = outcome.factor
            return self._plan.finished(key, outcome.game)
        if outcome.began:
            return self._plan.without_result(key, outcome.game)
        raise outcome.game

    def _failure(self, error: BaseException) -> Exception:
        """Return the error that a failed task means."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, InvalidInput):
            return error
        if isinstance(error, worker.ProcessLost):
            return HostFailure(f"{error}, and so did the one that played it again")
        if isinstance(error, KilledWorker):
            return HostFailure("the workers that played a game were lost, one after the other")
        if isinstance(error, ImportError):
            return HostFailure(
                f"a worker of {self._address} has no Ludograph like this one: {error}"
            )
        return HostFailure(f"a worker of {self._address} failed: {error}")


def read_files(spec: PlayerSpec) -> dict[str, bytes]:
    """Return what is in a player's files, by their paths."""
    return {file: Path(file).read_bytes() for file in spec.files}


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
