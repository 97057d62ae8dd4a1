"""The executor for a Dask cluster: games are sent as orders to the workers of a scheduler."""

from __future__ import annotations

import contextlib
import pickle
import queue
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self

from ludograph.arena.executor.cluster import worker
from ludograph.arena.executor.cluster.connection import (
    CONNECT_SECONDS,
    LOOK_SECONDS,
    SchedulerConnection,
)
from ludograph.arena.executor.cluster.order import CarriedFile, Order, OrderOutcome, carried_files
from ludograph.arena.executor.cluster.speed import measure
from ludograph.arena.executor.protocol import Game, Key
from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.playing import PlannedGame, Playable, of_machine
from ludograph.errors import InvalidInput, shortage
from ludograph.players import PlayerSpec
from ludograph.players.isolation import Isolation
from ludograph.referee.player_factory import labels

if TYPE_CHECKING:
    from distributed import Future

AHEAD = 2
"""Submitted games for each thread of a worker: one is played, the next one waits there."""


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
        self._plan, self._connection = plan, SchedulerConnection(address, tell)
        options = plan.match_options
        self._scaling = scaling and (options.clock or options.foreign_clock) is not None
        self._ended: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._under_way: dict[str, tuple[Key, Future]] = {}
        self._unsent: list[Game] = []  # games that could not be sent
        self._files: dict[str, list[CarriedFile]] = {}  # by their players' names
        self._contents: dict[str, Future] = {}  # of files, by digest
        self.factors: dict[str, float] = {}
        self._reference: float | None = None

    def __enter__(self) -> Self:
        contents = {name: read_files(spec) for name, spec in self._plan.specs.items()}
        self._plan.check_files()  # they must be those of the plan's declaration
        self._connection.open()
        self._carry(contents)
        self._connection.look()
        return self

    def __exit__(self, *raised: object) -> None:
        self._connection.close(future for _, future in self._under_way.values())

    @property
    def threads(self) -> int:
        """The threads of the workers."""
        return self._connection.threads

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
                    self._contents[file.digest] = self._connection.client.submit(
                        worker.carry, content, key=key
                    )

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
            lack = shortage(error)
            why = gone if lack is None else of_machine(lack)
            self._unsent.append(self._plan.without_result(key, why))
            return
        try:
            self._carry(contents)  # files of players that have come since the beginning
            order = self._order(planned)
            files = [file for files in order.files for file in files]
            future = self._connection.submit(
                pickle.dumps(order),
                files=files,
                contents=[self._contents[file.digest] for file in files],
            )
        except Exception as error:
            raise self._connection.gone() from error
        self._under_way[future.key] = key, future
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
            self._connection.watch()
            with contextlib.suppress(queue.Empty):
                return self._ended.get(timeout=LOOK_SECONDS)

    def _game_of(self, future: Any) -> Game | None:
        """Return the game of a finished task; None if it must be played again."""
        key, _ = self._under_way.pop(future.key)
        try:
            error = future.exception(timeout=CONNECT_SECONDS)
            data = b"" if error else future.result(timeout=CONNECT_SECONDS)
        except Exception as unreached:
            if self._connection.client.status != "running":
                raise self._connection.gone() from unreached
            # The worker that had the result was lost before the result was fetched. The
            # scheduler has the task run again, and its end is waited for like any other.
            self._under_way[future.key] = key, future
            future.add_done_callback(self._ended.put)
            return None
        future.release()
        if error is not None:
            raise self._connection.failure(error)
        outcome: OrderOutcome = pickle.loads(data)
        if isinstance(outcome.game, FinishedGame):
            if self._scaling:
                self.factors[outcome.machine] = outcome.factor
            return self._plan.finished(key, outcome.game)
        if outcome.began:
            return self._plan.without_result(key, outcome.game)
        raise outcome.game


def read_files(spec: PlayerSpec) -> dict[str, bytes]:
    """Return the contents of a player's files, by their paths."""
    return {file: Path(file).read_bytes() for file in spec.files}
