"""The executor for a Dask cluster: games are sent as orders to the workers of a scheduler."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Generic, Self

from ludograph.arena.executor.cluster.connection import SchedulerConnection
from ludograph.arena.executor.cluster.order import places_of, play_here
from ludograph.arena.executor.cluster.process import order_of
from ludograph.arena.executor.protocol import Failure, Result
from ludograph.arena.playing import GamePlan, failure_of
from ludograph.players import PlayerSpec
from ludograph.referee.player_factory import labels

AHEAD = 2
"""Submitted games for each thread of a worker: one is played, the next one waits there."""


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

    Raises
    ------
    InvalidInput
        If it is no address of a scheduler, or Dask is not installed.
    """

    def __init__(
        self,
        play: Callable[[GamePlan, None], Result | Failure],
        address: str,
        *,
        check_files: Callable[[], None] = lambda: None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._play, self._check_files = play, check_files
        self._connection = SchedulerConnection(address, tell)
        self._unsent: deque[tuple[GamePlan, Failure]] = deque()  # games that could not be sent
        self._files: dict[str, dict[str, str]] = {}  # their places, by their players' names

    def __enter__(self) -> Self:
        self._connection.open()
        return self

    def __exit__(self, *raised: object) -> None:
        self._connection.close()

    @property
    def threads(self) -> int:
        """The threads of the workers."""
        return self._connection.threads

    def _carry(self, name: str, spec: PlayerSpec) -> None:
        contents = read_files(spec)
        self._check_files()
        self._files[name] = places_of(spec, contents)
        for file, place in self._files[name].items():
            self._connection.carry(place, contents[file])

    @property
    def free(self) -> int:
        """The number of games that can be submitted; one also where there is no worker yet.

        After a worker is lost, more games may be under way than the others have threads for: none
        can be submitted then.
        """
        taken = len(self._connection.under_way) + len(self._unsent)
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
        places = [place for each in files for place in each.values()]
        sent = replace(plan, players=known)
        order = order_of(plan.start.game, play_here, self._play, sent, files)
        self._connection.submit(plan, order, places)

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
        for plan, (result,) in self._connection.ended():
            yield plan, result


def read_files(spec: PlayerSpec) -> dict[str, bytes]:
    """Return the contents of a player's files, by their paths."""
    return {file: Path(file).read_bytes() for file in spec.files}
