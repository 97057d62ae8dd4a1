"""Executors play games, in this process or in several; a loop plays a queue of games to its end."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Protocol, Self, TypeVar

from ludograph.errors import HostFailure, InvalidInput, MachineBusy
from ludograph.rules.announcer import announcer
from ludograph.workers import STOPS, Done, Tell, work

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


END_SECONDS = 2.0

Play = Callable[[Task, OnOutput | None], Result | Failure]
"""Plays a game; calls the other argument with each line that a player prints."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0))


def local_executor(
    play: Play[Task, Result],
    jobs: int,
    prepare: Callable[[], None],
    on_output: OnOutput | None = None,
) -> Executor[Task, Result]:
    """Return an executor on this machine.

    Parameters
    ----------
    jobs
        The number of games at a time.
    prepare
        Called before processes are forked, so that they share what it compiles or loads.
    on_output
        Called in this process with a player's name, its seat and a line that it has printed.
    """
    if jobs < 2:
        return InProcess(play, on_output)
    return LocalProcesses(play, jobs, prepare, on_output)


class InProcess(Generic[Task, Result]):
    """Plays one game after the other, in this process."""

    def __init__(self, play: Play[Task, Result], on_output: OnOutput | None = None) -> None:
        self._play, self._on_output = play, on_output
        self._waiting: list[Task] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._waiting.clear()

    threads = 1
    """The number of games that are played at a time."""

    @property
    def free(self) -> int:
        """1 if no game waits, else 0."""
        return 1 - len(self._waiting)

    def submit(self, task: Task) -> None:
        """Take a game, which is played when :meth:`ended` is called."""
        self._waiting.append(task)

    def ended(self) -> Iterator[tuple[Task, Result | Failure]]:
        """Play the game, if there is one."""
        if self._waiting:
            task = self._waiting.pop()
            yield task, self._play(task, self._on_output)


class LocalProcesses(Generic[Task, Result]):
    """Plays games in processes that are forked when the context begins.

    The processes share what was compiled or loaded before; each has its own fork servers for
    players. They end with this process in any case. If one dies, a new one takes its place and
    plays its game again, once.
    """

    def __init__(
        self,
        play: Play[Task, Result],
        jobs: int,
        prepare: Callable[[], None],
        on_output: OnOutput | None = None,
    ) -> None:
        self._play, self.threads, self._prepare = play, jobs, prepare
        self._on_output = on_output
        self._processes: dict[Connection, BaseProcess] = {}
        self._busy: dict[Connection, Task] = {}
        self._lost: set[Task] = set()  # games under way whose first process has died

    def __enter__(self) -> Self:
        self._prepare()
        for number in range(self.threads):
            self._fork(speaks=number == 0)
        return self

    def _fork(self, *, speaks: bool) -> None:
        """Start a process."""
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        arguments = (theirs, self._play, os.getpid(), speaks, self._on_output is not None)
        process = context.Process(target=_play_games, args=arguments, daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)  # until the process has its own
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()
        self._processes[ours] = process

    def __exit__(self, *raised: object) -> None:
        for process in self._processes.values():
            process.kill()  # supervisors notice it, and end the players
        for line, process in self._processes.items():
            process.join(END_SECONDS)
            line.close()

    @property
    def free(self) -> int:
        """The number of idle processes."""
        return len(self._processes) - len(self._busy)

    def submit(self, task: Task) -> None:
        """Give a game to an idle process."""
        line = next(line for line in self._processes if line not in self._busy)
        self._busy[line] = task
        try:
            with suppress(OSError):  # it has died, which the next recv notices
                line.send(task)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise InvalidInput(
                "a game that cannot be sent to another process is played by one process alone "
                f"(jobs 1): {error}"
            ) from error

    def ended(self) -> Iterator[tuple[Task, Result | Failure]]:
        """Wait for messages of processes; yield the games that have ended."""
        for line in wait(list(self._busy)):
            assert isinstance(line, Connection)
            try:
                message = line.recv()
            except (EOFError, OSError):
                self._replace(line)
                continue
            if isinstance(message, Done):
                task = self._busy.pop(line)
                self._lost.discard(task)
                if message.error is not None:
                    raise message.error
                yield task, message.value
            elif self._on_output is not None:
                self._on_output(*message)

    def _replace(self, line: Connection) -> None:
        """Let a new process take the place of one that has died, and play its game again.

        Raises
        ------
        HostFailure
            If it is the second one for this game.
        """
        task, process = self._busy.pop(line), self._processes.pop(line)
        process.join(END_SECONDS)
        how = _how_it_died(process.exitcode)
        process.kill()  # it may have closed its connection only
        process.join(END_SECONDS)
        line.close()
        if task in self._lost:
            raise HostFailure(f"a process that played game {task} {how}")
        self._lost.add(task)
        self._fork(speaks=False)
        self.submit(task)


def _how_it_died(code: int | None) -> str:
    if code is None:
        return "has ended"
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"exited, {code}"


def _play_games(
    line: Connection, play: Play[Any, Any], parent: int, speaks: bool, listens: bool
) -> None:
    """Play games in this forked process until the connection ends."""
    announcer.enabled = announcer.enabled and speaks  # one process announces what is being compiled

    def do(task: Any, tell: Tell) -> Any:
        return play(task, (lambda *printed: tell(printed)) if listens else None)

    work(line, do, parent)
