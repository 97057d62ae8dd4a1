"""Learning of a network: rounds of play, learning and measurement.

Each round plays some games to their end, stores their positions, and learns from the newest ones. A
round depends only on the settings, the seed and its number: an interrupted run continues with the
same results, except for the rounding of sums by the processor.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from operator import add
from typing import Any

import numpy as np

from ludograph.conformance.fault import ConformanceError
from ludograph.conformance.observation_checks import check_observation, check_observation_sizes
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games import Position
from ludograph.games.registry import OURS
from ludograph.learning.device import compile_seconds, computes_on_gpu, machine
from ludograph.learning.groups import GameGroup, PlayGroups, in_threads
from ludograph.learning.model import Losses, exported, first_parameters, parameters_of
from ludograph.learning.samples import (
    BatchCapacity,
    Index,
    Samples,
    Surface,
    batch_of,
    check_alike,
    indexed,
    joined,
    surface_of,
)
from ludograph.learning.selfplay import SelfPlayOptions, touched_at_most
from ludograph.learning.settings import Task
from ludograph.learning.store import RunFolder
from ludograph.learning.teacher import Teacher, teacher_of
from ludograph.learning.training import Training
from ludograph.rules import info, random_state
from ludograph.rules.observer import sizes_of
from ludograph.search.batched.searches import shared_setups
from ludograph.search.network import (
    NetworkShape,
    TrainedNetwork,
    write_network,
)
from ludograph.search.network.forward import relations_of
from ludograph.search.network.layers import MOST_SLOTS
from ludograph.version import VERSION

GAMES_OF_A_START = 16
"""The games on one start in a round, if starts are drawn: each start costs some work."""

LOCKSTEP = 168
"""The most games in lockstep: three quarters of them, with short searches, just fill a batch of 128
positions on a GPU."""

BATCHES_AHEAD = 4
"""The number of batches made while the network learns from the one before."""

TAUGHT_GAMES = 8
"""The games of a teacher in a group: it plays one after the other."""

MOST_BYTES = 1 << 30
"""The greatest total size of the matrices of related vertices, on all boards together."""

MOST_PARTS = 8
"""Boards in one batch."""

OPENING_SHARE = 0.08
"""The mean number of drawn first moves, as a share of the plies of random games."""


@dataclass
class Progress:
    """The progress of a run.

    Attributes
    ----------
    rounds, games, positions, steps
        Done so far.
    seconds, cpu_seconds
        The time of learning and matches so far, by the clock without compilation, and by
        processors with it, including other processes that play.
    compiling
        The seconds of compilation in this process, by the clock.
    """

    rounds: int = 0
    games: int = 0
    positions: int = 0
    steps: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    compiling: float = 0.0


@dataclass(frozen=True)
class RoundReport:
    """The results of a round: the losses are means over its batches."""

    progress: Progress
    policy: float
    value: float
    final: float


class Learner:
    """Learns a network for a game.

    Parameters
    ----------
    task
        The task to learn.
    folder
        The folder of the run; an existing run is continued.
    threads
        Threads that play. The results do not depend on it.
    play_groups
        The player of groups of games; None: threads.
    start
        The network with the first numbers of a run; None: random ones.

    Raises
    ------
    InvalidInput
        If observations of the game have no vertices, its boards do not fit together, a file of the
        folder is damaged, or ``start`` is of another game or shape.
    """

    def __init__(
        self,
        task: Task,
        folder: RunFolder,
        *,
        threads: int = 1,
        play_groups: PlayGroups | None = None,
        start: TrainedNetwork | None = None,
    ) -> None:
        self.task, self.folder, self.threads = task, folder, threads
        self.play_groups = play_groups or in_threads(threads)
        self.cpu_seconds_of_others = 0.0  # of the processes that play
        settings = task.settings
        starts = starts_of(task)
        self.shape, plies = shape_for(task, starts)
        self.opening = OPENING_SHARE * plies
        self.surfaces = surfaces_of(self.shape, starts)
        self.starts = max(1, settings.games // len(starts) // GAMES_OF_A_START)
        if not is_drawn(task):
            self.starts = 1
        first = first_parameters(self.shape, settings.seed)
        if start is not None:
            check_start(start, task.game, self.shape)
            first = parameters_of(self.shape, start.layers, settings.seed)
        self.training = Training.begun(self.shape, first, rate=settings.rate)
        self.teacher = task_teacher(task, starts)
        self.capacity = BatchCapacity()
        self.progress = Progress()
        self.window: deque[list[Samples]] = deque()
        self.clock = self._now()
        self._restore()

    def _restore(self) -> None:
        """Go on from the checkpoint, if there is one."""
        kept = self.folder.read_checkpoint()
        if kept is None:
            return
        arrays, about = kept
        try:
            self.training.restore(arrays)
            self.progress = Progress(**about["progress"])
            first = int(about["first_round"])
        except (InvalidInput, KeyError, TypeError) as error:
            raise InvalidInput(
                f"{self.folder.path}: the checkpoint does not fit: {error}"
            ) from None
        for number in range(first, self.progress.rounds):
            found = self.folder.read_round(number)
            if found is None:
                raise InvalidInput(f"{self.folder.path}: the samples of round {number} are missing")
            self.window.append(found)

    def play_round(self) -> RoundReport:
        """Play games, learn from them and the newest earlier ones, and store all."""
        number = self.progress.rounds
        played = self.folder.read_round(number) or self._play(number)
        self.window.append(played)
        while self._positions() - positions_in(self.window[0]) >= self.task.settings.window:
            self.window.popleft()
        fresh = positions_in(played)
        losses = self._learn(number, fresh)
        progress = self.progress
        progress.rounds += 1
        progress.games += self.games_of_a_round
        progress.positions += fresh
        progress.steps = self.training.steps
        self.note_time()
        return RoundReport(progress, *map(float, losses))

    @property
    def games_of_a_round(self) -> int:
        """The games of a round, on all boards together."""
        starts = len(self.task.settings.boards) * self.starts
        return starts * max(1, self.task.settings.games // starts)

    def note_time(self) -> None:
        """Add the time since the last call, and store the state of learning."""
        now = self._now()
        passed, cpu, compiled = (new - old for new, old in zip(now, self.clock, strict=True))
        compiling = min(passed, compiled)  # several threads compile at once
        self.progress.seconds += passed - compiling
        self.progress.cpu_seconds += cpu
        self.progress.compiling += compiling
        self.clock = now
        first = self.progress.rounds - len(self.window)
        about = {"progress": asdict(self.progress), "first_round": first}
        self.folder.write_checkpoint(self.training.arrays(), about)
        self.folder.drop_rounds(first)

    def _now(self) -> tuple[float, float, float]:
        """Return the clock, the processor time of all processes, the time of compilations."""
        cpu_seconds = time.process_time() + self.cpu_seconds_of_others
        return time.monotonic(), cpu_seconds, compile_seconds()

    def network(self) -> TrainedNetwork:
        """Return the present network."""
        settings, progress = self.task.settings, self.progress
        trained = {
            "ludograph": VERSION,
            "boards": list(settings.boards),
            "options": dict(settings.options),
            "seed": settings.seed,
            **({} if settings.start is None else {"start": settings.start}),
            **({} if settings.teacher is None else {"teacher": settings.teacher}),
            "rounds": progress.rounds,
            "games": progress.games,
            "positions": progress.positions,
            "steps": progress.steps,
            "hours": round(progress.seconds / 3600, 4),
            "processor_hours": round(progress.cpu_seconds / 3600, 4),
            "machine": machine(),
        }
        layers = exported(self.shape, self.training.mean)
        return TrainedNetwork(self.task.game, self.shape, layers, trained)

    def write_network(self) -> None:
        """Write the present network to the folder."""
        write_network(self.folder.network, self.network())

    def _play(self, number: int) -> list[Samples]:
        """Play the games of a round on each board, and store their positions."""
        settings = self.task.settings
        groups = self._groups(number)
        parts: list[list[Samples]] = [[] for _ in settings.boards]
        played = self.play_groups([group for _, group in groups])
        for (board, _), (samples, cpu_seconds) in zip(groups, played, strict=True):
            parts[board].append(samples)
            self.cpu_seconds_of_others += cpu_seconds
        found = list(map(joined, parts))
        self.folder.write_round(number, found)
        return found

    def _groups(self, number: int) -> list[tuple[int, GameGroup]]:
        """Return the groups of a round: the board of each, and the games on it.

        The largest boards come first, because their games take longest.
        """
        settings = self.task.settings
        boards = len(settings.boards)
        games = self.games_of_a_round // (boards * self.starts)
        most = LOCKSTEP if self.teacher is None else TAUGHT_GAMES
        split = [part.size for part in np.array_split(range(games), -(-games // most))]
        starts = split * self.starts
        together = max(1, most // starts[0])
        parameters = {name: np.asarray(each) for name, each in self.training.mean.items()}
        layers = exported(self.shape, parameters)
        options = with_opening(settings.selfplay, self.opening)
        is_single = boards == 1 and len(starts) <= together
        asks_jax = self.teacher is None and computes_on_gpu()
        groups: list[tuple[int, GameGroup]] = []
        for board in sorted(range(boards), key=lambda board: -self.surfaces[board].mask.sum()):
            for first in range(0, len(starts), together):
                seed = (settings.seed, number, len(groups))
                counts = starts[first : first + together]
                draws = np.random.default_rng([*seed, 0]).integers(1 << 62, size=len(counts))
                group = GameGroup(
                    starts=[
                        (self.task.make_position(board, draw), count)
                        for draw, count in zip(draws.tolist(), counts, strict=True)
                    ],
                    shape=self.shape,
                    layers=layers,
                    parameters=parameters if asks_jax else None,
                    surface=self.surfaces[board],
                    options=options,
                    seed=(*seed, 1),
                    threads=self.threads if is_single else 1,
                    teacher=self.teacher,
                )
                groups.append((board, group))
        return groups

    def _learn(self, number: int, fresh: int) -> Losses:
        """Learn from the window; return the mean losses."""
        settings = self.task.settings
        rng = np.random.default_rng([settings.seed, number, 2])
        boards: list[Index] = [
            indexed(joined([each[board] for each in self.window]))
            for board in range(len(settings.boards))
        ]
        sizes = np.array([index.samples.counts.size for index in boards], float)
        parts = min(MOST_PARTS, len(boards))
        rows = max(1, settings.batch // parts)
        steps = max(1, round(settings.reuse * fresh / (rows * parts)))

        def draw() -> list[tuple[Surface, Index, Any]]:
            chosen = [0]
            if len(boards) > 1:
                chosen = rng.choice(len(boards), size=parts, p=sizes / sizes.sum()).tolist()
            return [
                (self.surfaces[board], boards[board], rng.integers(int(sizes[board]), size=rows))
                for board in chosen
            ]

        total: Any = None
        with ThreadPoolExecutor(min(self.threads, BATCHES_AHEAD)) as pool:
            for batch in ahead(
                pool, lambda rows: batch_of(rows, self.shape.slots, self.capacity), draw, steps
            ):
                found = self.training.step(*batch)
                total = found if total is None else Losses(*map(add, total, found))
        # Converted one by one: NumPy turns Ctrl-C into a ValueError when it reads arrays of JAX.
        return Losses(*(float(each) / steps for each in total))

    def _positions(self) -> int:
        return sum(map(positions_in, self.window))


def ahead(
    pool: ThreadPoolExecutor,
    make: Callable[[Any], Any],
    draw: Callable[[], Any],
    count: int,
) -> Iterator[Any]:
    """Yield the batch of each draw, in order; some are made before they are needed."""
    waiting: deque[Future[Any]] = deque()
    for number in range(count):
        while len(waiting) < min(BATCHES_AHEAD, count - number):
            waiting.append(pool.submit(make, draw()))
        yield waiting.popleft().result()


def check_task(task: Task, start: TrainedNetwork | None) -> None:
    """Check the task of a run, before its folder is made.

    Raises
    ------
    InvalidInput
        As :func:`shape_for`, :func:`check_start` and :func:`teacher_of`, or if the boards are too
        large for a matrix of their related vertices, or a game of others writes wrong observations.
    """
    starts = starts_of(task)
    if task.game not in OURS:
        for each in starts:
            check_observations(each)
    shape, _ = shape_for(task, starts)
    largest = max(sizes_of(each.setup).vertices for each in starts)
    needed = 4 * len(starts) * len(shape.relations) * largest**2
    if needed > MOST_BYTES:
        raise InvalidInput(
            f"the boards are too large to learn on: with up to {counted(largest, 'vertex')} their "
            f"matrices take {needed / 1e9:.1f} GB, and at most {MOST_BYTES / 1e9:.1f} GB is allowed"
        )
    if start is not None:
        check_start(start, task.game, shape)
    task_teacher(task, starts)


def check_observations(start: Position) -> None:
    """Raise InvalidInput if an observation in a random game is wrong.

    Machine code does not notice an observation that is larger than its declared sizes.
    """
    setup, position, dice = start.setup, start.copy(), random_state(0)
    try:
        check_observation_sizes(setup)
        while not position.is_over:
            check_observation(setup, position.state, "a random game")
            position.play_random(dice)
    except ConformanceError as error:
        raise InvalidInput(f"{start.game.name}: {error}") from None


def task_teacher(task: Task, starts: list[Position]) -> Teacher | None:
    """Return the teacher of a task, if it has one."""
    settings = task.settings
    if settings.teacher is None:
        return None
    return teacher_of(settings.teacher, starts[0].game, settings.seats)


def check_start(start: TrainedNetwork, game: str, shape: NetworkShape) -> None:
    """Raise InvalidInput if a run for this game and shape cannot begin with a network."""
    if start.game != game:
        raise InvalidInput(f"the network to start with is for {start.game}, not for {game}")
    found = asdict(start.shape)
    for name, value in asdict(shape).items():
        if found[name] != value:
            raise InvalidInput(
                f"the network to start with has another shape: {name} is {found[name]!r} there, "
                f"and {value!r} in this run"
            )


def positions_in(samples: list[Samples]) -> int:
    """Return the number of positions on all boards."""
    return sum(each.counts.size for each in samples)


def starts_of(task: Task) -> list[Position]:
    """Return a start on each board."""
    return [task.make_position(board, 0) for board in range(len(task.settings.boards))]


def shape_for(task: Task, starts: list[Position]) -> tuple[NetworkShape, float]:
    """Return the shape of a network for the starts of a task, and the mean plies of random games.

    The order of a move's vertices counts if no move touches more than three. In this case, on
    boards with straight lines, lines relate vertices too: moves from one vertex to another mostly
    follow lines.

    Raises
    ------
    InvalidInput
        If observations of the game have no vertices, or the boards do not fit together.
    """
    settings = task.settings
    sizes = [sizes_of(start.setup) for start in starts]
    seats = [int(info(start.setup).seats) for start in starts]
    if seats[0] < 2:
        raise InvalidInput(f"{task.game}: a network learns games of two or more seats")
    if seats[0] != settings.seats:
        raise InvalidInput(f"{task.game}: the game has {seats[0]} seats, not {settings.seats}")
    if not all(each.vertices and each.vertex_features for each in sizes):
        raise InvalidInput(
            f"{task.game} shows learners no vertices: it needs the rules observation, observe "
            f"and touch; 'ludograph check-game {task.game}' checks them"
        )
    check_alike(
        settings.boards,
        [(each.vertex_features, each.game_features, each.kinds) for each in sizes],
    )
    touched, plies = zip(
        *(touched_at_most(start, settings.seed + n) for n, start in enumerate(starts)), strict=True
    )
    slots = max(1, *touched) if max(touched) <= MOST_SLOTS else 1
    on_board = all(
        start.board is not None and start.board.n == each.vertices and start.board.sides is not None
        for start, each in zip(starts, sizes, strict=True)
    )
    shape = NetworkShape(
        *(sizes[0].vertex_features, sizes[0].game_features, sizes[0].kinds),
        seats=seats[0],
        slots=slots,
        channels=settings.channels,
        layers=settings.layers,
        relations=("neighbors", "lines") if slots > 1 and on_board else ("neighbors",),
    )
    return shape, float(np.mean(plies))


def surfaces_of(shape: NetworkShape, starts: list[Position]) -> list[Surface]:
    """Return the boards of starts, padded to the vertices of the largest."""
    counts = [sizes_of(start.setup).vertices for start in starts]
    return [
        surface_of(*relations_of(shape.relations, start.board, n), n, max(counts))
        for start, n in zip(starts, counts, strict=True)
    ]


def is_drawn(task: Task) -> bool:
    """Tell whether starts on one board differ, for example by drawn colors."""
    setups, _ = shared_setups([task.make_position(0, number).setup for number in range(2)])
    return len(setups) > 1


def with_opening(options: SelfPlayOptions, mean: float) -> SelfPlayOptions:
    """Return options with another mean number of drawn first moves, unless it is given."""
    return options if options.opening is not None else replace(options, opening=mean)
