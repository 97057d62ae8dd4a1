"""The loop of a tournament: what can be played is played, what has ended is kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from ludograph.arena.executor import Executor
from ludograph.arena.finished import FinishedGame
from ludograph.arena.played import GameKey, PlayedGame
from ludograph.arena.store import Store
from ludograph.arena.tournament.deciding import RunningTest
from ludograph.arena.tournament.declaration import Tournament
from ludograph.errors import InvalidInput


def enrolled(store: Store, tournament: Tournament) -> tuple[int, Tournament]:
    """Enter a tournament, and return its number with the tournament as the store knows it.

    Its luck follows from the seed that was kept when it began.
    """
    number = store.enroll(tournament.key, tournament.game, tournament.declaration)
    return number, tournament.with_secret(store.secret(number, tournament.luck))


def play_tournament(
    tournament: Tournament,
    number: int,
    store: Store,
    executor: Executor,
    on_game: Callable[[FinishedGame], None] = lambda _: None,
) -> list[PlayedGame]:
    """Play what is left of a tournament, and return all its games.

    Parameters
    ----------
    number
        Of the tournament in the store; it must be locked.
    executor
        Its context has begun.
    on_game
        Called with each game when it has been kept.

    Raises
    ------
    HostFailure
        If the executor loses a game. What has ended is kept.
    InvalidInput
        If a player's file has been changed, or the store keeps another seed of the tournament.
    """
    if store.secret(number, tournament.luck) != tournament.luck:
        raise InvalidInput(
            f"{store.name}: tournament {number} was begun with another seed, which the store keeps"
        )
    finished = store.played(number).games
    queue = Queue(tournament, finished)
    while executor.free and (key := queue.next()) is not None:
        executor.submit(key)
    while queue.under_way:
        for game in executor.ended():
            tournament.check_files()  # a game of another version is none of this tournament
            store.add(number, game, tournament.versions)
            queue.end(game.played)
            on_game(game)
        while executor.free and (key := queue.next()) is not None:
            executor.submit(key)
    return finished


class Queue:
    """Games that wait, and those under way.

    The schedule is asked only when nothing waits: a whole one costs time in proportion to its
    length, so that it must not be asked after each game.
    """

    def __init__(self, tournament: Tournament, finished: list[PlayedGame]) -> None:
        self.under_way: set[GameKey] = set()
        self._schedule = tournament.schedule
        self._finished = finished
        self._waiting: deque[GameKey] = deque()
        self._asked = -1
        self._test: RunningTest | None = None
        if tournament.sprt is not None:
            self._test = RunningTest(tournament.sprt, tournament.names[0], finished)

    def next(self) -> GameKey | None:
        """Return a game that can be played now, which is under way then; None if there is none."""
        if self._test is not None and self._test.decided.stopped is not None:
            self.under_way.clear()
            return None
        if not self._waiting and self._asked != len(self._finished):
            self._asked = len(self._finished)
            self._waiting.extend(
                key for key in self._schedule.remaining(self._finished) if key not in self.under_way
            )
        if not self._waiting:
            return None
        key = self._waiting.popleft()
        self.under_way.add(key)
        return key

    def end(self, game: PlayedGame) -> None:
        """Count a game that has ended."""
        self.under_way.discard(game.key)
        self._finished.append(game)
        if self._test is not None:
            self._test.add(game)
