"""The loop of a tournament: possible games are played, finished games are stored."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ludograph.arena.executor import Executor, play_all
from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.playing import GamePlan
from ludograph.arena.results import Games, Results, RunningResults
from ludograph.arena.tournament.tournament import Tournament
from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.arena.store import Store


def enrolled(store: Store, tournament: Tournament) -> tuple[int, Tournament]:
    """Enter a tournament; return its number, and the tournament with the store's seed.

    The seed stored at its beginning determines all its chance.

    Raises
    ------
    InvalidInput
        If a player is a Python object.
    """
    if len(tournament.specs) < len(tournament.players):
        raise InvalidInput("a store keeps no games of players that are Python objects")
    number = store.enroll(tournament.key, tournament.game, tournament.declaration)
    return number, tournament.with_secret(store.secret(number, tournament.luck))


def remarks_on_new(store: Store, tournament: Tournament, number: int) -> Iterator[str]:
    """Yield why a tournament that is new in a store does not continue an earlier one like it."""
    mine = {name: value for name, value in tournament.declaration.items() if name != "games"}
    for kept in store.tournaments():
        old = {name: kept.declaration.get(name) for name in mine}
        before, now = old.pop("versions") or {}, tournament.versions
        if kept.number == number or {**old, "versions": now} != mine:
            continue
        if changed := [name for name in now if before.get(name) != now[name]]:
            yield (
                f"{', '.join(changed)} changed since tournament {kept.number}: "
                f"this is a new one, {number}"
            )
            break


def play_tournament(
    tournament: Tournament,
    number: int,
    store: Store,
    executor: Executor[GamePlan, FinishedGame],
    on_game: Callable[[FinishedGame], None] = lambda _: None,
) -> Results:
    """Play the remaining games of a tournament, and return all its games.

    Parameters
    ----------
    number
        The number of the tournament in the store; it must be locked.
    executor
        An executor whose context has begun.
    on_game
        Called with each game after it was stored.

    Raises
    ------
    HostFailure
        If the executor loses a game, or one has no result. Finished games are stored.
    InvalidInput
        If a player's file has been changed, or the store has another seed for the tournament.
    """
    if store.secret(number, tournament.luck) != tournament.luck:
        raise InvalidInput(
            f"{store.name}: tournament {number} was begun with another seed, which the store keeps"
        )
    queue = TournamentQueue(tournament, store.played(number))
    for _, game in play_all(executor, queue):
        tournament.check_files()  # a game of another version does not belong to this tournament
        store.add(number, game, tournament.versions)
        on_game(game)
    return queue.finished.results


def play_games(
    tournament: Tournament,
    executor: Executor[GamePlan, FinishedGame],
    before: Games = (),
) -> Iterator[FinishedGame]:
    """Play the remaining games of a tournament, and yield them as they end.

    Parameters
    ----------
    executor
        An executor whose context has begun.
    before
        The games that were played before.

    Raises
    ------
    HostFailure, InvalidInput
        If the executor loses a game, or one has no result.
    """
    for _, game in play_all(executor, TournamentQueue(tournament, Results.of(before))):
        yield game


class TournamentQueue:
    """The queue of a schedule's games: the seatings of the same players on a start are one job.

    The schedule is called only when no job waits: a call takes time in proportion to the schedule's
    length, so it must not happen after each game.

    Attributes
    ----------
    finished
        The results of the games that have ended.
    """

    def __init__(self, tournament: Tournament, finished: Results) -> None:
        self._tournament, self.finished = tournament, RunningResults(finished)
        self._schedule = tournament.schedule
        self._under_way: set[GameKey] = set()
        self._waiting: deque[list[GameKey]] = deque()
        self._asked = -1
        self._comparison = tournament.comparison(finished)

    def next(self) -> list[GamePlan]:
        """Return the next job, which counts as under way; an empty one if there is none now."""
        if self._is_decided:
            return []
        if not self._waiting and self._asked != len(self.finished):
            self._asked = len(self.finished)
            jobs = defaultdict(list)
            for key in self._schedule.remaining(self.finished.results):
                jobs[self._tournament.chance_of(key)].append(key)
            self._waiting.extend(job for job in jobs.values() if self._under_way.isdisjoint(job))
        if not self._waiting:
            return []
        job = self._waiting.popleft()
        self._under_way.update(job)
        return [self._tournament.plan(key) for key in job]

    def needs(self, _: GamePlan) -> bool:
        """Tell whether a game is to be played, or a comparison needs none any more."""
        return not self._is_decided

    def end(self, plan: GamePlan, game: FinishedGame) -> None:
        """Count a game that has ended."""
        self._under_way.discard(plan.key)
        self.finished.add(game)
        if self._comparison is not None:
            self._comparison.add(*game.key, game.points)

    @property
    def _is_decided(self) -> bool:
        return self._comparison is not None and self._comparison.is_decided
