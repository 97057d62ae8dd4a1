"""Runs of ``ludograph learn``: rounds until the time is over, matches, and output."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.executors import check_executor_options
from ludograph.cli.game_options import chosen
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import waiting
from ludograph.cli.shared_options import RUN_AGAIN
from ludograph.cli.texts import safe
from ludograph.errors import InvalidInput
from ludograph.formatting import counted, duration
from ludograph.games import AnyGame, Position
from ludograph.games.blocks import usable_cores
from ludograph.games.declaration import Declaration, Values
from ludograph.learning.cluster import on_cluster
from ludograph.learning.curve import page, panel_of, picture
from ludograph.learning.events import EventFiles
from ludograph.learning.groups import choose_device, in_processes
from ludograph.learning.matches import MatchSettings, anchor_of, is_weaker, measure
from ludograph.learning.selfplay import SelfPlayOptions
from ludograph.learning.settings import LearningSettings, Task
from ludograph.learning.store import RunFolder
from ludograph.rules.announcer import announcer
from ludograph.search.network import TrainedNetwork, digest_of, read_network, write_network
from ludograph.views import chart

if TYPE_CHECKING:
    from ludograph.learning.learner import Learner, RoundReport

RANGE = re.compile(r"(?P<before>(?:.*:)?)(?P<low>[0-9]{1,4})-(?P<high>[0-9]{1,4})", re.ASCII)
"""A range of sizes of boards: ``hexagonal:5-9``."""

MOST_BOARDS = 64

MATCHES = 10
"""The default number of matches in a run."""

DEFAULT_MINUTES = 20.0

NO_MEMORY = "RESOURCE_EXHAUSTED"
"""A part of the message of the error that JAX raises if memory is exhausted."""


@dataclass(frozen=True, slots=True)
class LearnArguments:
    """The options of the command."""

    seats: int | None
    hours: float | None
    minutes: float | None
    rounds: int | None
    threads: int | None
    cluster: str | None
    device: str
    games: int
    sims: int
    short_sims: int
    channels: int
    layers: int
    rate: float
    batch: int
    reuse: float
    window: int
    start: str | None
    teacher: str | None
    seed: int
    anchors: tuple[str, ...]
    match_sims: tuple[int, ...]
    match_games: int
    match_every: float | None
    out: Path
    folder: Path | None
    tensorboard: bool
    quiet: bool

    @property
    def seconds(self) -> float:
        """The time of the whole run in seconds; infinite if only rounds are given."""
        if self.hours is not None and self.minutes is not None:
            raise click.UsageError("--hours and --minutes exclude each other")
        if self.hours is not None:
            return 3600.0 * self.hours
        if self.minutes is not None:
            return 60.0 * self.minutes
        return 60.0 * DEFAULT_MINUTES if self.rounds is None else float("inf")


def run(game: Declaration, given: Values, arguments: LearnArguments) -> None:
    """Learn until the time is over, or Ctrl-C."""
    check_executor_options(jobs=arguments.threads, cluster=arguments.cluster, scale_clocks=False)
    seconds = arguments.seconds
    make_ready(arguments.device)
    from ludograph.learning.learner import check_task  # noqa: PLC0415  (it imports JAX)

    rules = game.game()
    start = None if arguments.start is None else read_network(arguments.start, game=game.name)
    task = task_of(game, rules, given, arguments, start)
    check_task(task, start)
    anchors = arguments.anchors or game.anchors
    for anchor in anchors:
        anchor_of(anchor, rules, task.settings.seats)
    folder = RunFolder(
        arguments.folder or arguments.out.with_suffix(""),
        {"game": game.name, **task.settings.to_data(), **board_files(given)},
    )
    announcer.prepare(f"learning of {game.name}")
    matches = MatchSettings(tuple(anchors), arguments.match_sims or (0,), arguments.match_games)
    with learner_of(task, folder, arguments, start) as learner:
        session = Session(rules, learner, matches, arguments)
        try:
            with with_enough_memory():
                session.learn(seconds)
        except KeyboardInterrupt:
            session.write()
            raise Interrupted(f"interrupted after {session.summary()}; {RUN_AGAIN}") from None
        finally:
            if session.events is not None:
                session.events.close()
        session.write_result()


@contextmanager
def learner_of(
    task: Task, folder: RunFolder, arguments: LearnArguments, start: TrainedNetwork | None
) -> Iterator[Learner]:
    """Yield the learner; a cluster, or processes with a GPU, or threads play its games."""
    from ludograph.learning.device import computes_on_gpu  # noqa: PLC0415  (these import JAX)
    from ludograph.learning.learner import Learner  # noqa: PLC0415

    threads = arguments.threads or usable_cores()
    if arguments.cluster is not None:
        say = (lambda _: None) if arguments.quiet else partial(click.echo, err=True)
        with on_cluster(arguments.cluster, say) as play_groups:
            yield Learner(
                task,
                folder,
                threads=threads,
                on_gpu=arguments.device != "cpu",  # if a worker has one
                play_groups=play_groups,
                start=start,
            )
        return
    if not computes_on_gpu():
        yield Learner(task, folder, threads=threads, start=start)
        return
    with in_processes(threads, arguments.device) as play_groups:
        yield Learner(task, folder, threads=threads, play_groups=play_groups, start=start)


def make_ready(device: str) -> None:
    """Load JAX for a device.

    Raises
    ------
    InvalidInput
        If a package is missing, or the device is ``gpu`` and there is none.
    """
    try:
        import jax  # noqa: F401, PLC0415  (only this command needs it)
        import optax  # noqa: F401, PLC0415
    except ImportError as error:
        raise InvalidInput(
            f"learning needs the package {error.name}: pip install 'ludograph[learn]'"
        ) from None
    try:
        choose_device(device)
    except RuntimeError:
        raise InvalidInput(
            "JAX finds no GPU here; with one by NVIDIA, install jax[cuda12], "
            "or leave out --device gpu"
        ) from None


@contextmanager
def with_enough_memory() -> Iterator[None]:
    """Raise InvalidInput if JAX runs out of memory within the block."""
    try:
        yield
    except RuntimeError as error:
        if NO_MEMORY not in str(error):
            raise
        raise InvalidInput(
            "the memory is too small for this run: take a smaller --batch, fewer --channels or "
            "smaller boards"
        ) from None


def task_of(
    game: Declaration,
    rules: AnyGame,
    given: Values,
    arguments: LearnArguments,
    start: TrainedNetwork | None,
) -> Task:
    """Return the learning task; each board is made once, so that errors are raised now."""
    given = dict(given)
    texts = [each for text in board_texts(given) for each in sizes_in(text)]
    given.pop("board", None)
    values = [
        chosen(game, {**given, **({"board": text} if text else {})}) for text in (texts or [""])
    ]
    if len(values) > MOST_BOARDS:
        raise click.UsageError(f"--board: at most {MOST_BOARDS} boards, got {len(values)}")
    names = [value["board"].name for value in values] if "board" in values[0] else [""]
    options = {
        each.name: each.type.to_text(values[0][each.name])
        for each in game.options
        if each.name != "board" and values[0].get(each.name) is not None
    }
    seats = arguments.seats or max(2, game.seats[0])

    def make_position(board: int, seed: int) -> Position:
        return rules.position(seats=seats, seed=seed, **values[board])

    settings = LearningSettings(
        boards=tuple(names),
        options=options,
        seats=seats,
        seed=arguments.seed,
        games=arguments.games,
        channels=arguments.channels,
        layers=arguments.layers,
        rate=arguments.rate,
        batch=arguments.batch,
        reuse=arguments.reuse,
        window=arguments.window,
        selfplay=SelfPlayOptions(sims=arguments.sims, short_sims=arguments.short_sims),
        start=None if start is None else digest_of(start),
        teacher=arguments.teacher,
    )
    return Task(game.name, make_position, settings)


def board_texts(given: Values) -> Sequence[str]:
    """Return the texts of the boards; one that leading words name is not in a tuple."""
    texts = given.get("board", ())
    return (texts,) if isinstance(texts, str) else texts


def board_files(given: Values) -> dict[str, list[str]]:
    """Return the digests of the boards that are files; nothing if there are none."""
    files = [Path(text) for text in board_texts(given) if Path(text).is_file()]
    digests = [hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in files]
    return {"board_files": digests} if digests else {}


def sizes_in(text: str) -> list[str]:
    """Return the boards that a text names: for ``hexagonal:5-7`` those of the sizes 5, 6 and 7."""
    match = RANGE.fullmatch(text)
    if match is None:
        return [text]
    low, high = int(match["low"]), int(match["high"])
    if not low <= high < low + MOST_BOARDS:
        raise click.UsageError(
            f"--board: a range of sizes goes up, and has at most {MOST_BOARDS} sizes, got {text!r}"
        )
    return [f"{match['before']}{size}" for size in range(low, high + 1)]


class Session:
    """One execution of the command; it continues the run of its folder."""

    def __init__(
        self,
        game: AnyGame,
        learner: Learner,
        matches: MatchSettings,
        arguments: LearnArguments,
    ) -> None:
        self.game, self.learner, self.matches, self.arguments = game, learner, matches, arguments
        self.losses: dict[str, float] = {}
        self.events: EventFiles | None = None
        if arguments.tensorboard:
            self.events = EventFiles(learner.folder.path / "tensorboard")
        curve = learner.folder.curve()
        self.measured = max((point["seconds"] for point in curve), default=0.0)
        self.measured_round = max((point["rounds"] for point in curve), default=0)
        self.best: list[dict[str, Any]] = []  # the matches of the best network
        if learner.folder.best.exists():
            rounds = read_network(learner.folder.best, game=game.name).trained.get("rounds")
            self.best = [point for point in curve if point["rounds"] == rounds]

    def learn(self, seconds: float) -> None:
        """Play rounds until the run has taken this time in seconds, with matches at intervals.

        The first round is always played, so that there is a network.
        """
        arguments, learner = self.arguments, self.learner
        every = seconds / MATCHES
        if arguments.match_every is not None:
            every = 60.0 * arguments.match_every
        with waiting("playing the first games", shown=not arguments.quiet) as say:
            while learner.progress.rounds == 0 or not self.is_over(seconds):
                report = learner.play_round()
                self.losses = {
                    "policy_loss": round(report.policy, 4),
                    "value_loss": round(report.value, 4),
                    "end_loss": round(report.final, 4),
                }
                self.write_events({f"loss/{name[:-5]}": each for name, each in self.losses.items()})
                say(self.line(report, seconds))
                if learner.progress.seconds - self.measured >= every:
                    self.measure(say)
            if learner.progress.rounds > self.measured_round:
                self.measure(say)
        self.write()

    def is_over(self, seconds: float) -> bool:
        """Tell whether the run has used its time, or played its rounds."""
        progress, rounds = self.learner.progress, self.arguments.rounds
        return progress.seconds >= seconds or (rounds is not None and progress.rounds >= rounds)

    def measure(self, say: Callable[[str], None]) -> None:
        """Play the matches, store their results, and write a line about them."""
        learner, progress = self.learner, self.learner.progress
        settings = learner.task.settings
        learner.write_network()
        say(f"playing matches after {self.summary()}")
        boards = len(settings.boards)
        found = measure(
            self.game,
            lambda seed: learner.task.make_position(seed % boards, seed),
            learner.folder.network,
            self.matches,
            seats=settings.seats,
            seed=settings.seed,
        )
        learner.note_time()
        stronger = next((each for each in self.earlier() if is_weaker(found, each)), None)
        is_best = stronger is None
        about = {
            "rounds": progress.rounds,
            "games_learned": progress.games,
            "positions": progress.positions,
            "seconds": round(progress.seconds, 1),
            "processor_seconds": round(progress.cpu_seconds, 1),
            **self.losses,
            "is_best": is_best,
        }
        points = [{**about, **point} for point in found]
        if is_best:
            write_network(learner.folder.best, learner.network())
            self.best = points
        self.write()
        learner.folder.add_to_curve(points)
        self.draw_curve()
        self.write_events({f"points/{match_name(point)}": point["points"] for point in found})
        self.measured, self.measured_round = progress.seconds, progress.rounds
        if not self.arguments.quiet:
            weaker = (
                "" if stronger is None else f"; weaker than after round {stronger[0]['rounds']}"
            )
            click.echo(safe(f"{self.summary()}: {'; '.join(map(result, found))}{weaker}"))

    def earlier(self) -> list[list[dict[str, Any]]]:
        """Return the results of all matches so far, a list for each network."""
        curve = self.learner.folder.curve()
        return [list(points) for _, points in groupby(curve, key=itemgetter("rounds"))]

    def draw_curve(self) -> None:
        """Write the curve as a picture and as a page."""
        folder = self.learner.folder
        points = folder.curve()
        title = f"Learning {self.game.name}: {self.arguments.out.name}"
        folder.write_text("curve.svg", picture(points, title))
        folder.write_text("curve.html", page(points, title))

    def write_events(self, values: dict[str, float]) -> None:
        """Write values for TensorBoard, if the user wants event files."""
        if self.events is not None:
            self.events.add(self.learner.progress.rounds, values)

    def write(self) -> None:
        """Write the network for the user: the best one, before the first match the present one."""
        folder = self.learner.folder
        if folder.best.exists():
            network = read_network(folder.best, game=self.game.name)
            write_network(self.arguments.out, network)
        elif self.learner.progress.rounds:
            write_network(self.arguments.out, self.learner.network())

    def summary(self) -> str:
        """Return the time, the games and the positions of the run so far, in words."""
        progress = self.learner.progress
        return (
            f"{duration(progress.seconds)} ({duration(progress.cpu_seconds)} of processor time), "
            f"{counted(progress.games, 'game')}, {counted(progress.positions, 'position')}"
        )

    def line(self, report: RoundReport, seconds: float) -> str:
        """Return the progress and the losses after a round, and the time that is left."""
        left = ""
        if seconds != float("inf"):
            left = f"; {duration(max(0.0, seconds - report.progress.seconds))} left"
        return (
            f"{self.summary()}; loss of policy {report.policy:.3f}, value {report.value:.3f}, "
            f"end {report.final:.3f}{left}"
        )

    def write_result(self) -> None:
        """Write the result, with the curve."""
        points = self.learner.folder.curve()
        if not self.arguments.quiet and points:
            panel = panel_of(points, "Share of points over seconds of learning")
            columns = min(100, shutil.get_terminal_size().columns)
            for line in chart.text(panel, columns):
                click.echo(line)
            for curve in panel.curves:
                click.echo(f"{curve.symbol}: {curve.name}")
        click.echo(
            safe(f"{self.arguments.out}: a network for {self.game.name} after {self.summary()}")
        )
        if self.best and self.best[0]["rounds"] < self.measured_round:
            click.echo(
                f"It is the network after round {self.best[0]['rounds']}: the matches show that "
                "later ones are weaker"
            )


def match_name(point: dict[str, Any]) -> str:
    """Return the players of a match, without the signs that TensorBoard replaces in names."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", f"{point['player']}_{point['anchor']}")


def result(point: dict[str, Any]) -> str:
    """Return the result of a match in words."""
    bounds = (
        "" if point["low"] is None else f" ({100 * point['low']:.0f} to {100 * point['high']:.0f})"
    )
    return f"{point['player']} {100 * point['points']:.0f} %{bounds} against {point['anchor']}"
