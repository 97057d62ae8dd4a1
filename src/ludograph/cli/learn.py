"""``ludograph learn``: a network learns a game by self-play, or from games of a strategy."""

from __future__ import annotations

import hashlib
import math
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.game_options import chosen, games_group
from ludograph.cli.option_types import SEED, OutputFile
from ludograph.cli.program import Interrupted, option, output
from ludograph.cli.progress import waiting
from ludograph.cli.shared_options import CONTINUED, RUN_AGAIN
from ludograph.cli.texts import safe
from ludograph.errors import InvalidInput
from ludograph.games.blocks import usable_cores
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import DataFile, Number, Whole, Word
from ludograph.games.registry import load
from ludograph.players.spec import parse_player

if TYPE_CHECKING:
    from ludograph.games import Position
    from ludograph.learning.session import Session
    from ludograph.learning.settings import Task

learning = partial(option, "Learning")
matches = partial(option, "Matches")

RANGE = re.compile(r"(?P<before>(?:.*:)?)(?P<low>[0-9]{1,4})-(?P<high>[0-9]{1,4})", re.ASCII)
"""A range of sizes of boards: ``hexagonal:5-9``."""

MOST_BOARDS = 64

MATCHES = 10
"""The number of matches in a run."""

DEFAULT_MINUTES = 20.0

NO_MEMORY = "RESOURCE_EXHAUSTED"
"""A part of the message of the error that JAX raises if memory is exhausted."""

EXAMPLES = """\
  ludograph learn {name} --minutes 20 --out my.npz               the usual board
  ludograph learn {name} --minutes 120 --sims 128 --out my.npz   longer searches
  ludograph learn {name} --teacher mcts:sims=300 --out my.npz    from its games
  ludograph {name} net:weights=my.npz random                     watch the result

Several boards: --board NAME:5-9 takes all sizes from 5 to 9; --board may be given several times.
"""

OPTIONS = (
    option(
        "Game",
        "--seats",
        type=Whole(2, 64),
        help="Number of players (default: two if the game allows it).",
    ),
    option(
        "Run",
        "--minutes",
        type=Number(0.0, 600_000.0),
        help="Minutes of learning, without compilation (default: 20; no limit with --rounds).",
    ),
    option("Run", "--rounds", type=Whole(1, 1_000_000), help="Stop after this number of rounds."),
    option("Run", "-j", "--threads", type=Whole(1, 1024), help="Threads (default: one per core)."),
    option(
        "Run",
        "--device",
        type=Word(("auto", "cpu", "gpu")),
        default="auto",
        help="Where JAX computes (default: auto, a GPU if there is one).",
    ),
    learning("--games", type=Whole(1, 100_000), default=128, help="Games in a round."),
    learning("--sims", type=Whole(1, 100_000), default=32, help="Simulations of a long search."),
    learning(
        "--short-sims",
        type=Whole(1, 100_000),
        default=8,
        help="Simulations of a short search.",
    ),
    learning(
        "--channels",
        type=Whole(16, 512),
        default=32,
        help="Channels of the network, a multiple of 16.",
    ),
    learning("--layers", type=Whole(1, 64), default=6, help="Layers of the network."),
    learning("--rate", type=Number(1e-6, 1.0), default=3e-3, help="Learning rate."),
    learning("--batch", type=Whole(8, 65_536), default=64, help="Positions in a batch."),
    learning(
        "--window",
        type=Whole(1, 100_000_000),
        default=100_000,
        help="Learn from this number of the newest positions (default: 100,000).",
    ),
    learning(
        "--start",
        type=DataFile(),
        help="Begin with the weights of this network, e.g. of one for smaller boards.",
    ),
    learning(
        "--teacher",
        metavar="PLAYER",
        help="Learn from games of this strategy instead of self-play.",
    ),
    learning("--seed", type=SEED, default=0, help="Seed of the run."),
    matches(
        "--anchor",
        "anchors",
        multiple=True,
        metavar="PLAYER",
        help="Measure the network against this player (default: the anchors of the game).",
    ),
    matches(
        "--match-sims",
        type=Whole(0, 1_000_000),
        multiple=True,
        help="Simulations of the network in matches (default: 0, the network alone).",
    ),
    matches("--match-games", type=Whole(2, 100_000), default=40, help="Games of a match."),
    output(
        "--out",
        type=OutputFile(".npz", goes_on=True),
        required=True,
        help="File of the network; the folder of the run has its name without .npz." + CONTINUED,
    ),
    output("-q", "--quiet", is_flag=True, help="Write the result only."),
)


@games_group(
    "learn",
    OPTIONS,
    about="""Learn a network for {game} by self-play or from a strategy.

        The player net:weights=FILE plays with it. Needs the extra: pip install 'ludograph[learn]'.
        """,
    examples=EXAMPLES,
    no_players="nothing can follow the board",
    several=("board",),
    takes=lambda game: game.seats[1] >= 2,
    lacks="is a game for one player",
    subcommand_metavar="GAME [OPTIONS] --out FILE",
)
def learn(
    game: Declaration,
    given: Values,
    *,
    seats: int | None,
    minutes: float | None,
    rounds: int | None,
    threads: int | None,
    device: str,
    start: str | None,
    sims: int,
    short_sims: int,
    anchors: tuple[str, ...],
    match_sims: tuple[int, ...],
    match_games: int,
    out: Path,
    quiet: bool,
    **settings: Any,  # further fields of LearningSettings
) -> None:
    """Learn a network for a game by self-play or from a strategy.

    GAME is the name of a game, or the path of a folder or file with a game, as in ./mygame.
    """
    seconds = limit_of(minutes, rounds)
    make_ready(device)
    from ludograph.learning.device import computes_on_gpu
    from ludograph.learning.groups import in_processes
    from ludograph.learning.learner import Learner, check_task
    from ludograph.learning.matches import MatchSettings
    from ludograph.learning.selfplay import SelfPlayOptions
    from ludograph.learning.session import Session
    from ludograph.learning.store import RunFolder
    from ludograph.rules.announcer import announcer
    from ludograph.search.network import digest_of, read_network

    first = None if start is None else read_network(start, game=game.name)
    settings["start"] = None if first is None else digest_of(first)
    settings["selfplay"] = SelfPlayOptions(sims=sims, short_sims=short_sims)
    task = task_of(game, given, seats, **settings)
    check_task(task, first)
    every = seconds / MATCHES
    matches = MatchSettings(anchors or game.anchors, match_sims or (0,), match_games, every)
    for anchor in matches.anchors:
        parse_player(anchor, load(game), task.settings.seats)
    kept = RunFolder(
        out.with_suffix(""),
        {"game": game.name, **task.settings.to_data(), **board_files(given)},
    )
    announcer.prepare(f"learning of {game.name}")
    with ExitStack() as stack:
        threads = threads or usable_cores()
        on_gpu = stack.enter_context(in_processes(threads, device)) if computes_on_gpu() else None
        learner = Learner(task, kept, threads=threads, play_groups=on_gpu, start=first)
        tell = (lambda _: None) if quiet else (lambda line: click.echo(safe(line)))
        session = Session(learner, matches, out, tell)
        try:
            with with_enough_memory(), waiting("playing the first games", shown=not quiet) as say:
                session.learn(seconds, math.inf if rounds is None else rounds, say)
        except KeyboardInterrupt:
            session.write()
            raise Interrupted(f"interrupted after {session.summary()}; {RUN_AGAIN}") from None
        write_result(session, quiet=quiet)


def limit_of(minutes: float | None, rounds: int | None) -> float:
    """Return the time of the whole run in seconds; infinite if only rounds are given."""
    if minutes is not None:
        return 60.0 * minutes
    return 60.0 * DEFAULT_MINUTES if rounds is None else math.inf


def make_ready(device: str) -> None:
    """Load JAX for a device.

    Raises
    ------
    InvalidInput
        If a package is missing, or the device is ``gpu`` and there is none.
    """
    from ludograph.learning.groups import choose_device

    try:
        import jax  # noqa: F401
        import optax  # noqa: F401
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


def task_of(game: Declaration, given: Values, seats: int | None, **settings: Any) -> Task:
    """Return the learning task; each board is made once, so that errors are raised now.

    Parameters
    ----------
    settings
        Further fields of :class:`~ludograph.learning.settings.LearningSettings`.
    """
    from ludograph.learning.settings import LearningSettings, Task

    rules = load(game)
    texts = [each for text in board_texts(given) for each in sizes_in(text)]
    others = {name: value for name, value in given.items() if name != "board"}
    values = [
        chosen(game, {**others, **({"board": text} if text else {})}) for text in (texts or [""])
    ]
    if len(values) > MOST_BOARDS:
        raise click.UsageError(f"--board: at most {MOST_BOARDS} boards, got {len(values)}")
    names = [value["board"].name for value in values] if "board" in values[0] else [""]
    options = {
        each.name: each.type.to_text(values[0][each.name])
        for each in game.options
        if each.name != "board" and values[0].get(each.name) is not None
    }
    seats = seats or max(2, game.seats[0])

    def make_position(board: int, seed: int) -> Position:
        return rules.position(seats=seats, seed=seed, **values[board])

    made = LearningSettings(boards=tuple(names), options=options, seats=seats, **settings)
    return Task(game.name, make_position, made)


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


def write_result(session: Session, *, quiet: bool) -> None:
    """Write the result, with the curve."""
    from ludograph.learning.curve import panel_of
    from ludograph.views import chart

    points = session.learner.folder.curve()
    if not quiet and points:
        panel = panel_of(points, "Share of points over seconds of learning")
        columns = min(100, shutil.get_terminal_size().columns)
        for line in chart.text(panel, columns):
            click.echo(line)
        for curve in panel.curves:
            click.echo(f"{curve.symbol}: {curve.name}")
    name = session.game.name
    click.echo(safe(f"{session.out}: a network for {name} after {session.summary()}"))
    if session.best and session.best[0]["rounds"] < session.measured_round:
        click.echo(
            f"It is the network after round {session.best[0]['rounds']}: the matches show that "
            "later ones are weaker"
        )
