"""The protocols of executors and queues of games, and the loop that plays a queue to its end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

from ludograph.errors import HostFailure, InvalidInput, MachineBusy

Task = TypeVar("Task")
"""A game to play, such as a :class:`~ludograph.arena.playing.GamePlan`."""

Result = TypeVar("Result")
"""The result of a task."""

Result_co = TypeVar("Result_co", covariant=True)
Result_contra = TypeVar("Result_contra", contravariant=True)

Failure = HostFailure | InvalidInput
"""The error of a task without a result."""

OnOutput = Callable[[str, int, str], None]
"""Called with the name and the seat of a player, and a line that it has printed."""


class Executor(Protocol[Task, Result_co]):
    """Plays games; a context manager that ends all its games and processes at the end.

    Only one process calls it, and only that process writes to a store or a file.
    """

    def __enter__(self) -> Self:
        """Start processes, or connect to them."""
        ...

    def __exit__(self, *raised: object) -> None:
        """End all games under way, and the processes that play them."""
        ...

    @property
    def threads(self) -> int:
        """The number of games that are played at a time."""
        ...

    @property
    def free(self) -> int:
        """The number of games that can be submitted now."""
        ...

    def submit(self, task: Task, /) -> None:
        """Take a game to play; ``free`` must be above 0."""
        ...

    def ended(self) -> Iterator[tuple[Task, Result_co | Failure]]:
        """Wait for games to end, and yield them.

        It may yield nothing, for instance when a player has printed a line.

        Raises
        ------
        HostFailure
            If a game was lost, played again and lost again.
        """
        ...


class Jobs(Generic[Task]):
    """The jobs under way on an executor, whose games are played one after the other.

    The games of the same players on a start are one job. Chance brings the same in all of them, and
    isolated players that run at the same time can still exchange short messages. So a player in two
    such games at once could learn in one what chance will bring in the other.

    Parameters
    ----------
    executor
        Its ended games are passed to :meth:`go_on` when they are handled.
    needs
        Tells whether the next game of a job is still to be played.
    """

    def __init__(
        self, executor: Executor[Task, Any], needs: Callable[[Task], bool] = lambda _: True
    ) -> None:
        self._executor, self._needs = executor, needs
        self._later: dict[Task, deque[Task]] = {}

    @property
    def under_way(self) -> Collection[Task]:
        """The games that are played now."""
        return self._later.keys()

    def begin(self, job: Iterable[Task]) -> None:
        """Submit the first of the games of a job; the executor must have room for it."""
        later = deque(job)
        first = later.popleft()
        self._later[first] = later
        self._executor.submit(first)

    def go_on(self, task: Task) -> Collection[Task]:
        """Count a game as ended, and submit the next one of its job, if it is to be played.

        Returns
        -------
        The games of the job that do not begin; none if it goes on.
        """
        later = self._later.pop(task)
        if not later or not self._needs(later[0]):
            return later
        self.begin(later)
        return ()

    def unfinished(self) -> list[list[Task]]:
        """Return the games of each job that have not ended, those under way first."""
        return [[task, *later] for task, later in self._later.items()]


class Queue(Protocol[Task, Result_contra]):
    """Jobs that wait to be played."""

    def next(self) -> Sequence[Task]:
        """Return the next job; an empty one if none can be played now."""
        ...

    def needs(self, task: Task, /) -> bool:
        """Tell whether the result of a game is still needed."""
        ...

    def end(self, task: Task, result: Result_contra, /) -> None:
        """Record the result of a game."""
        ...


class ListedJobs(Generic[Task]):
    """A queue of jobs that do not depend on results."""

    def __init__(self, jobs: Iterable[Sequence[Task]]) -> None:
        self._jobs = iter(jobs)

    def next(self) -> Sequence[Task]:
        """Return the next job; an empty one after the last."""
        return next(self._jobs, ())

    def needs(self, _: Task) -> bool:
        """Return True."""
        return True

    def end(self, _: Task, __: object) -> None:
        """Do nothing."""


def play_all(
    executor: Executor[Task, Result], queue: Queue[Task, Result]
) -> Iterator[tuple[Task, Result]]:
    """Play the games of a queue, as many at a time as the executor can; yield them as they end.

    This is the loop of series, tournaments and proofs of first moves. The queue is asked for the
    next job after the caller has handled the games that ended. If the machine was too busy to judge
    a game, that game is played once more, after all others that can be played.

    Raises
    ------
    HostFailure, InvalidInput
        If the executor loses a game, or a game has no result.
    """
    jobs = Jobs(executor, queue.needs)
    busy: list[Task] = []
    tried: set[Task] = set()
    while True:
        while executor.free and (job := queue.next()):
            jobs.begin(job)
        if busy and not jobs.under_way:
            jobs.begin(busy)
            busy.clear()
        if not any(map(queue.needs, jobs.under_way)):
            return
        for task, result in executor.ended():
            if isinstance(result, MachineBusy) and task not in tried:
                tried.add(task)
                busy.append(task)
            elif isinstance(result, HostFailure | InvalidInput):
                raise result
            else:
                queue.end(task, result)
                yield task, result
            jobs.go_on(task)
