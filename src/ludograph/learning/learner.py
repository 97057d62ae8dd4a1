"""Learning of a network: play, learn, measure, again and again.

Each round plays some games to their end, keeps their positions, and learns from the newest ones.
What a round does follows from the settings, the seed and the number of the round: a run that was
interrupted goes on as if it had not been, apart from how a processor rounds sums.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.learning.model import Losses, exported
from ludograph.learning.samples import (
    Index,
    Rooms,
    Samples,
    Surface,
    batch_of,
    check_alike,
    indexed,
    joined,
    surface_of,
)
from ludograph.learning.selfplay import SelfPlayOptions, play_games, touched_at_most
from ludograph.learning.settings import Task
from ludograph.learning.store import RunFolder
from ludograph.learning.training import Training
from ludograph.rules import info
from ludograph.rules.observer import sizes_of
from ludograph.search.batched.searches import shared_setups
from ludograph.search.network import (
    NetworkEvaluator,
    NetworkShape,
    TrainedNetwork,
    write_network,
)
from ludograph.search.network.board import relations_of
from ludograph.search.network.layers import MOST_SLOTS
from ludograph.version import VERSION

GAMES_OF_A_START = 8
"""Games on one start in a round, where starts are drawn: each start costs some work."""

MOST_PARTS = 8
"""Boards in one batch."""

OPENING_SHARE = 0.08
"""The mean number of drawn first moves, as a share of the plies of random games."""


@dataclass
class Progress:
    """How far a run is.

    Attributes
    ----------
    rounds, games, positions, steps
        Done so far.
    seconds, cpu_seconds
        Of learning and matches so far, by the clock and by processors.
    """

    rounds: int = 0
    games: int = 0
    positions: int = 0
    steps: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0


@dataclass(frozen=True)
class RoundReport:
    """What a round did: the losses are means over its batches."""

    progress: Progress
    policy: float
    value: float
    final: float


class Learner:
    """Learns a network for a game.

    Parameters
    ----------
    task
        What is learned.
    folder
        Where the run is kept; it goes on from what is there.
    threads
        Threads that play. What is learned does not depend on it.

    Raises
    ------
    InvalidInput
        If the game shows learners no vertices, its boards do not go together, or a file of the
        folder is damaged.
    """

    def __init__(self, task: Task, folder: RunFolder, *, threads: int = 1) -> None:
        self.task, self.folder, self.threads = task, folder, threads
        settings = task.settings
        starts = [task.make_position(board, 0) for board in range(len(settings.boards))]
        self.shape, plies = shape_for(task, starts)
        self.opening = OPENING_SHARE * plies
        self.surfaces = surfaces_of(self.shape, starts)
        self.starts = max(1, settings.games // len(starts) // GAMES_OF_A_START)
        if not is_drawn(task):
            self.starts = 1
        self.training = Training.begun(self.shape, rate=settings.rate, seed=settings.seed)
        self.rooms = Rooms()
        self.progress = Progress()
        self.window: deque[list[Samples]] = deque()
        self.clock = time.monotonic(), time.process_time()
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
            self.window.append(found[0])

    def play_round(self) -> RoundReport:
        """Play games, learn from them and the newest ones before, and keep all."""
        number = self.progress.rounds
        kept = self.folder.read_round(number)
        played = kept[0] if kept is not None else self._play(number)
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
        """Count the time since this was last done, and keep the state of learning."""
        now = time.monotonic(), time.process_time()
        self.progress.seconds += now[0] - self.clock[0]
        self.progress.cpu_seconds += now[1] - self.clock[1]
        self.clock = now
        first = self.progress.rounds - len(self.window)
        about = {"progress": asdict(self.progress), "first_round": first}
        self.folder.write_checkpoint(self.training.arrays(), about)
        self.folder.drop_rounds(first)

    def network(self) -> TrainedNetwork:
        """Return the network as it is now."""
        settings, progress = self.task.settings, self.progress
        trained = {
            "ludograph": VERSION,
            "boards": list(settings.boards),
            "options": dict(settings.options),
            "seed": settings.seed,
            "rounds": progress.rounds,
            "games": progress.games,
            "positions": progress.positions,
            "steps": progress.steps,
            "hours": round(progress.seconds / 3600, 4),
            "processor_hours": round(progress.cpu_seconds / 3600, 4),
        }
        layers = exported(self.shape, self.training.mean)
        return TrainedNetwork(self.task.game, self.shape, layers, trained)

    def write_network(self) -> None:
        """Write the network as it is now to the folder."""
        write_network(self.folder.network, self.network())

    def _play(self, number: int) -> list[Samples]:
        """Play the games of a round on each board, and keep their positions."""
        settings = self.task.settings
        layers = exported(self.shape, self.training.mean)
        options = with_opening(settings.selfplay, self.opening)
        boards = range(len(settings.boards))
        games = max(1, settings.games // len(boards) // self.starts)
        whole = len(boards) * self.starts
        threads = self.threads if whole == 1 else 1

        def play(place: int) -> Samples:
            board, number_of_start = divmod(place, self.starts)
            seed = [settings.seed, number, board, number_of_start]
            drawn = int(np.random.default_rng([*seed, 0]).integers(1 << 62))
            start = self.task.make_position(board, drawn)
            evaluate = NetworkEvaluator(
                self.shape, layers, start.setup, start.board, threads=threads
            )
            return play_games([start] * games, evaluate, options, [*seed, 1], threads=threads)

        with ThreadPoolExecutor(min(self.threads, whole)) as pool:
            parts = list(pool.map(play, range(whole)))
        found = [joined(parts[board * self.starts : (board + 1) * self.starts]) for board in boards]
        self.folder.write_round(number, found, {"games": self.games_of_a_round})
        return found

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
        total: Any = np.zeros(3)
        for _ in range(steps):
            chosen = [0]
            if len(boards) > 1:
                chosen = rng.choice(len(boards), size=parts, p=sizes / sizes.sum()).tolist()
            batch = batch_of(
                [
                    (
                        self.surfaces[board],
                        boards[board],
                        rng.integers(int(sizes[board]), size=rows),
                    )
                    for board in chosen
                ],
                *(self.shape.slots, self.rooms),
            )
            # As numbers one by one: NumPy makes a ValueError of Ctrl-C when it reads arrays of JAX.
            total = total + np.array([float(each) for each in self.training.step(*batch)])
        return Losses(*(total / steps))

    def _positions(self) -> int:
        return sum(map(positions_in, self.window))


def positions_in(samples: list[Samples]) -> int:
    """Return the number of positions on all boards."""
    return sum(each.counts.size for each in samples)


def shape_for(task: Task, starts: list[Position]) -> tuple[NetworkShape, float]:
    """Return the shape of a network for the starts of a task, and the mean plies of random games.

    If no move touches more than three vertices, their order counts. If it does, and all boards
    have straight lines, lines relate vertices too: moves from one vertex to another mostly follow
    lines.

    Raises
    ------
    InvalidInput
        If the game shows learners no vertices, or the boards do not go together.
    """
    settings = task.settings
    sizes = [sizes_of(start.setup) for start in starts]
    seats = [int(info(start.setup).seats) for start in starts]
    if seats[0] < 2:
        raise InvalidInput(f"{task.game}: a network learns games of two or more seats")
    if not all(each.vertices and each.vertex_features for each in sizes):
        raise InvalidInput(
            f"{task.game} shows learners no vertices: it needs the rules observation, observe "
            "and touch, see docs/adding-a-game.md"
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
    """Return the boards of starts, with room for as many vertices as the largest has."""
    counts = [sizes_of(start.setup).vertices for start in starts]
    return [
        surface_of(*relations_of(shape.relations, start.board, n), n, max(counts))
        for start, n in zip(starts, counts, strict=True)
    ]


def is_drawn(task: Task) -> bool:
    """Tell whether starts on one board differ, as where colors are drawn."""
    setups, _ = shared_setups([task.make_position(0, number).setup for number in range(2)])
    return len(setups) > 1


def with_opening(options: SelfPlayOptions, mean: float) -> SelfPlayOptions:
    """Return options with another mean number of drawn first moves, unless it is given."""
    return options if options.opening is not None else replace(options, opening=mean)
