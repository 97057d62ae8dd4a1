"""The jobs of a ladder: those that an earlier run has left, the next pairings, repeated games.

A job is a list of the games of a pairing on a start, one with each seating.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import chain

from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.ladder.ladder import Ladder
from ludograph.arena.ladder.pairing import basis, next_pairings
from ludograph.arena.ladder.state import State
from ludograph.arena.ladder.suspension import Suspensions
from ludograph.arena.results import Results, RunningResults
from ludograph.arena.schedules.seatings import rotations

QUICK_SECONDS = 1.0
"""A version that takes longer to start plays one game at a time."""


class LadderQueue:
    """Jobs that wait to be played.

    Parameters
    ----------
    start
        The number of the next start.
    games
        The latest games of earlier runs.
    unfinished
        Jobs of which an earlier run has played some games.

    Attributes
    ----------
    games
        The latest games, from which the next pairings follow.
    plans
        How often pairings were planned.
    """

    def __init__(
        self,
        ladder: Ladder,
        state: State,
        suspensions: Suspensions,
        start: int,
        games: Results,
        unfinished: Iterable[list[GameKey]],
    ) -> None:
        self._ladder, self._state, self._suspensions = ladder, state, suspensions
        self.games = RunningResults(games, ladder.rated_games)
        self.plans = 0
        self._start = start
        self._planned: deque[list[GameKey]] = deque()
        self._begun = deque(unfinished)  # games of jobs of which others have begun
        self._repeated: set[GameKey] = set()  # void games that are played again
        self._quick: set[str] = set()  # versions whose latest start took at most a second

    def __bool__(self) -> bool:
        """Whether a job waits."""
        return bool(self._planned or self._begun)

    def next(self, under_way: Iterable[GameKey], *, once: bool) -> list[GameKey]:
        """Take the next job that can begin now; return an empty one if there is none.

        Parameters
        ----------
        under_way
            The games that are played now.
        once
            Whether pairings are planned only once.
        """
        under_way = list(under_way)
        ready = self._ready(under_way)
        while not (job := self._take(ready, under_way)):
            if (once and self.plans) or not ready or not self._plan(ready, under_way):
                return []
        return job

    def put_back(self, job: list[GameKey]) -> None:
        """Take back games that did not begin; they are dropped when one of their players leaves."""
        if job:
            self._begun.append(job)

    def void(self, key: GameKey, *, again: bool) -> None:
        """Schedule a game without a result once more if it is to be played again, but only once."""
        if again and key not in self._repeated:
            self._repeated.add(key)
            self._begun.append([key])  # its players meet others first
        else:
            self._repeated.discard(key)

    def end(self, game: FinishedGame) -> None:
        """Count a game with a result."""
        self.games.add(game)
        self._repeated.discard(game.key)
        for label, seconds in zip(game.key.seating, game.starts, strict=True):
            (self._quick.add if seconds <= QUICK_SECONDS else self._quick.discard)(label)

    def change(self) -> None:
        """Forget the plan after players have come or left: the next one puts new players first."""
        self._planned.clear()
        self._quick &= {one.label for one in self._state.active}

    def _ready(self, under_way: list[GameKey]) -> set[str]:
        """Return the labels of players that can play now; none if only built-in players can.

        A version plays one game at a time if it is new or starts slowly, so that its starts hold
        one worker at most.
        """
        seated = set(chain.from_iterable(key.seating for key in under_way))
        active = self._state.active
        ready = {one.label for one in active if one.version} - (seated - self._quick)
        return ready | {one.label for one in active if not one.version} if ready else set()

    def _take(self, ready: set[str], under_way: list[GameKey]) -> list[GameKey]:
        """Take the first job that can begin, and drop those of players that have left.

        Its players must be ready, and no other game of its start under way.
        """
        active = {one.label for one in self._state.active}
        starts = {key.start for key in under_way}
        for jobs in (self._planned, self._begun):
            present = [job for job in jobs if active.issuperset(job[0].seating)]
            jobs.clear()
            jobs.extend(present)
            for job in present:
                if ready.issuperset(job[0].seating) and job[0].start not in starts:
                    jobs.remove(job)
                    return job
        return []

    def _plan(self, ready: set[str], under_way: list[GameKey]) -> bool:
        """Plan pairings of players that can play now; return whether there are any."""
        ladder = self._ladder
        pairings = next_pairings(
            sorted(ready),
            basis(self.games.results, ready),
            self._start,
            ladder.seats,
            ladder.first_games,
            self._suspensions.suspects,
            ladder.steps,
        )
        self._repeated.intersection_update(chain(*self._begun, under_way))
        self._start += len(pairings)
        self.plans += 1
        self._planned.extend(list(rotations(pairing)) for pairing in pairings)
        return bool(pairings)
