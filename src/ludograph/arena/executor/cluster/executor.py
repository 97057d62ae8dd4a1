"""The executor for a Dask cluster: games are sent as orders to the workers of a scheduler."""

from __future__ import annotations

import contextlib
import logging
import queue
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import msgspec

from ludograph.arena.executor.cluster import worker
from ludograph.arena.executor.cluster.orders import (
    CarriedStart,
    GameOrder,
    OrderOutcome,
    carried_players,
    carried_start,
    digest_of,
    read_files,
)
from ludograph.arena.executor.cluster.speed import measure
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.played_game import GameKey
from ludograph.arena.playing import Playable
from ludograph.errors import HostFailure, InvalidInput
from ludograph.players import PlayerSpec
from ludograph.players.isolation import Isolation

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 10.0
"""The time limit for connecting to a scheduler."""

AHEAD = 2
"""Games under way for each thread of a worker: one is played, the next one waits there."""

LOOK_SECONDS = 1.0
"""The time between two counts of the workers."""

REPLAYS = 1
"""How often a game is played again after its process died; Dask repeats those of lost workers."""

SCHEMES = ("tcp", "tls", "ws", "wss", "ucx", "ucxx")


@dataclass
class Machines:
    """The machines of a cluster.

    Attributes
    ----------
    threads
        The number of games that they play at a time.
    factors
        The factor by which clocks are longer on each machine that has played.
    """

    threads: int
    factors: dict[str, float]


class ClusterExecutor:
    """Plays games on the workers of a running scheduler.

    Parameters
    ----------
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
        tournament: Playable,
        address: str,
        *,
        scaling: bool = True,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        check_address(address)
        self._tournament, self._address, self._tell = tournament, address, tell
        options = tournament.match_options
        self._scaling = scaling and (options.clock or options.foreign_clock) is not None
        self._session = uuid.uuid4().hex
        self._client: Client
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._under_way: dict[str, tuple[GameKey, Future]] = {}
        self._losses: Counter[GameKey] = Counter()
        self._unsent: list[FinishedGame] = []  # games that could not be sent
        self._starts: dict[int, CarriedStart] = {}
        self._digests: dict[str, str] = {}  # of files, by their paths
        self._files: dict[str, Future] = {}  # what is in them, by digest
        self._count = 0
        self.machines = Machines(0, {})

    def __enter__(self) -> Self:
        tournament = self._tournament
        contents = read_files(tournament.players)
        tournament.check_files()  # they must be those of the tournament's key
        game = tournament.start(0).game.name
        self._reference = measure(game) if self._scaling else None
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

    def _carry(self, contents: Mapping[str, bytes]) -> None:
        """Submit a task for each file, whose result is the file's content.

        Dask sends the result of a task to each worker once, and repeats the task if the worker with
        the result is lost.
        """
        for file, content in contents.items():
            digest = self._digests[file] = digest_of(content)
            if digest not in self._files:
                name = f"ludograph-file-{digest}"
                self._files[digest] = self._client.submit(worker.carry, content, key=name)

    def _look(self) -> None:
        """Count the threads of the workers."""
        self._looked = time.monotonic()
        try:
            threads = sum(self._client.nthreads().values())
        except Exception as error:
            raise self._gone() from error
        if not threads and self.machines.threads != threads:
            self._tell(f"the scheduler {self._address} has no workers now; waiting for some")
        self.machines.threads = threads

    def _gone(self) -> HostFailure:
        return HostFailure(f"the scheduler {self._address} went away")

    @property
    def free(self) -> int:
        """The number of games that can be submitted; one also where there is no worker yet."""
        return max(AHEAD * self.machines.threads, 1) - len(self._under_way)

    def submit(self, key: GameKey) -> None:
        """Send a game to the scheduler."""
        try:
            players = [self._tournament.specs[name] for name in key.seating]
            contents = read_files(players, known=self._digests)
        except (InvalidInput, OSError) as error:
            gone = error if isinstance(error, InvalidInput) else InvalidInput(str(error))
            self._unsent.append(self._tournament.without_result(key, gone))
            return
        self._count += 1
        name = f"ludograph-{self._session}-{self._count}"
        try:
            self._carry(contents)  # files of players that have come since the beginning
            order = self._order(key, players)
            future = self._client.submit(
                worker.play,
                self._session,
                msgspec.msgpack.encode(order),
                order.digests,
                *(self._files[digest] for digest in order.digests),
                key=name,
                pure=False,
                priority=-self._count,
            )
        except Exception as error:
            raise self._gone() from error
        self._under_way[name] = key, future
        future.add_done_callback(self._ended.put)

    def _order(self, key: GameKey, players: Sequence[PlayerSpec]) -> GameOrder:
        tournament = self._tournament
        options = tournament.options_of(key)
        if key.start not in self._starts:
            if len(self._starts) > AHEAD * self.machines.threads:
                self._starts.clear()
            self._starts[key.start] = carried_start(tournament.start(key.start))
        isolation = options.isolation or Isolation()
        return GameOrder(
            number=key.start,
            seating=key.seating,
            start=self._starts[key.start],
            players=carried_players(players, self._digests),
            start_seed=tournament.start_seed(key.start),
            seed=str(options.seed),
            chance_seed=str(options.luck),
            hide_chance=options.hide_chance,
            clock=None if options.clock is None else options.clock.text,
            foreign_clock=None if options.foreign_clock is None else options.foreign_clock.text,
            opening=tuple(map(int, options.opening)),
            isolation=isolation.wish,
            memory=isolation.memory,
            reference=self._reference,
        )

    def ended(self) -> Iterator[FinishedGame]:
        """Wait for a game to end; yield all games that have ended.

        Raises
        ------
        HostFailure
            If the scheduler goes away, or a game is lost, played again and lost again.
        InvalidInput
            If a worker can play no game of the tournament.
        """
        if self._unsent:
            unsent, self._unsent = self._unsent, []
            yield from unsent
            return
        futures = [self._next()]
        with contextlib.suppress(queue.Empty):
            while True:
                futures.append(self._ended.get_nowait())
        for future in futures:
            game = self._game_of(future)
            if game is not None:
                yield game

    def _next(self) -> Any:
        while True:
            if time.monotonic() - self._looked > LOOK_SECONDS:
                if self._client.status != "running":
                    raise self._gone()
                self._look()
            with contextlib.suppress(queue.Empty):
                return self._ended.get(timeout=LOOK_SECONDS)

    def _game_of(self, future: Any) -> FinishedGame | None:
        """Return the game of a finished task; None if it must be played again."""
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
            self._lost(key, error)
            return None
        outcome = msgspec.msgpack.decode(data, type=OrderOutcome)
        if outcome.game is None:
            error = (InvalidInput if outcome.wrong else HostFailure)(outcome.error)
            if outcome.played:
                return self._tournament.without_result(key, error)
            raise error
        if self._scaling:
            self.machines.factors[outcome.machine] = outcome.factor
        return outcome.game

    def _lost(self, key: GameKey, error: BaseException) -> None:
        """Submit a game again whose process died; raise HostFailure if it was repeated already."""
        from distributed.scheduler import KilledWorker

        if isinstance(error, worker.ProcessLost):
            self._losses[key] += 1
            if self._losses[key] > REPLAYS:
                raise HostFailure(f"{error}, and so did the one that played it again")
            self.submit(key)
            return
        if isinstance(error, KilledWorker):
            raise HostFailure("the workers that played a game were lost, one after the other")
        if isinstance(error, ImportError):
            raise HostFailure(
                f"a worker of {self._address} has no Ludograph like this one: {error}"
            )
        raise HostFailure(f"a worker of {self._address} failed: {error}")


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
        raise InvalidInput("--cluster takes Dask: pip install 'ludograph[cluster]'") from None
