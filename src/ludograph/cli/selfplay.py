"""``ludograph selfplay``: games of players, whose decisions are written to a folder as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ludograph.cli.game_options import games_group
from ludograph.cli.option_types import ClockText, Folder
from ludograph.cli.play.command import GameArguments, check_number
from ludograph.cli.program import Interrupted, option, output
from ludograph.cli.progress import progress
from ludograph.cli.shared_options import (
    CONTINUED,
    EXECUTOR_OPTIONS,
    ISOLATION_OPTIONS,
    games_option,
    seed_option,
)
from ludograph.cli.texts import safe
from ludograph.errors import HostFailure, InvalidInput
from ludograph.formatting import counted
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Whole
from ludograph.players.spec import check_name
from ludograph.version import VERSION

if TYPE_CHECKING:
    from ludograph.arena.executor import Executor, Failure, OnOutput
    from ludograph.arena.playing import GamePlan
    from ludograph.arena.tournament import Tournament
    from ludograph.cli.executors import Machines
    from ludograph.games import Position
    from ludograph.referee import PlayedMove
    from ludograph.referee.seed import Seed
    from ludograph.rl.selfplay import SelfplayFolder
    from ludograph.rules.observer import Arrays

EXAMPLES = """\
  ludograph selfplay {name} random random -r 1000 --out data
  ludograph selfplay {name} mcts mcts -r 200 --thoughts --out data     with visit counts
  ludograph selfplay {name} mcts mcts -r 9000 --cluster tcp://host:8786 --out data
"""

OPTIONS = (
    games_option("Games", "Number of games.", required=True),
    seed_option("Games"),
    option("Games", "--clock", type=ClockText(), help="Time limit: 1s, 60s+1s, start=20s."),
    *EXECUTOR_OPTIONS,
    *ISOLATION_OPTIONS,
    output("--out", type=Folder(), required=True, help="Folder for the arrays." + CONTINUED),
    output("--chunk", type=Whole(1, 100_000), default=50, help="Number of games in each file."),
    output("--touches", is_flag=True, help="Write the vertices that each move touches."),
    output("--thoughts", is_flag=True, help="Write the players' visit counts and values."),
    output("-q", "--quiet", is_flag=True, help="Write the result only."),
)


@games_group(
    "selfplay",
    OPTIONS,
    about="""Write games of {game} as arrays: a row for each decision.

        A row holds the player's observation, its legal moves, its move, and its result of the game.
        """,
    examples=EXAMPLES,
)
def selfplay(
    game: Declaration,
    given: Values,
    players: Sequence[str],
    *,
    games: int,
    out: Path,
    chunk: int,
    touches: bool,
    seed: Seed | None,
    jobs: int | None,
    cluster: str | None,
    **match: Any,  # further fields of GameArguments
) -> None:
    """Play games and write them as arrays for supervised learning."""
    from ludograph.arena.series import heading_of, series_of
    from ludograph.cli.executors import Machines
    from ludograph.cli.play.match import plan_of, prepare
    from ludograph.rl.selfplay import SelfplayFolder

    check_number(game, len(players), f"selfplay {game.name}")
    for text in players:
        check_name(text, game)
    seed = kept_seed(out) if seed is None else seed
    arguments = GameArguments(games=games, seed=seed, **match)
    machines = Machines(jobs, cluster, arguments.quiet)
    plan = plan_of(game, given, tuple(players), arguments, elsewhere=cluster is not None)
    prepare(plan)
    series = series_of(plan.make_position, plan.players, games, plan.options, details=plan.details)
    play_self = PlaySelf(series.names, touches, arguments.thoughts)
    about = {
        "ludograph": VERSION,
        "game": series.game,
        "seed": series.luck.data,
        **{name: series.declaration[name] for name in ("players", "clock", "foreign_clock")},
        "heading": heading_of(series),
        "files": series.versions,
        "key": series.key,
        "options": options_of(game, given),
        "games": games,
        "games_in_a_chunk": chunk,
        "touches": touches,
        "thoughts": arguments.thoughts,
    }
    start = series.start(0)
    folder = SelfplayFolder(out, about, play_self.empty(start), start.board)
    firsts = range(0, games, chunk)
    chunks = dict(enumerate(range(first, min(first + chunk, games)) for first in firsts))
    play_missing(series, play_self, folder, chunks, machines)
    decisions = sum(folder.decisions(number) for number in chunks)
    click.echo(
        safe(
            f"{counted(games, 'game')} of {game.name} in {out}: "
            f"{counted(decisions, 'decision')} in {counted(len(chunks), 'file')}"
        )
    )


class GameRows(NamedTuple):
    """A finished game.

    Attributes
    ----------
    arrays
        The decisions of the players; None if a player failed in the game.
    sentence
        The result.
    """

    number: int
    arrays: Arrays | None
    sentence: str


@dataclass(frozen=True, slots=True)
class PlaySelf:
    """Plays a game in any process, and returns its decisions without a record.

    Attributes
    ----------
    names
        The names of the players, whose places are their numbers in arrays.
    touches, thoughts
        See :func:`ludograph.rl.selfplay.decision_rows`.
    """

    names: tuple[str, ...]
    touches: bool
    thoughts: bool

    def __call__(self, plan: GamePlan, on_output: OnOutput | None = None) -> GameRows | Failure:
        """Play a game."""
        from ludograph.arena.playing import failure_of, finished_game, referee_plan
        from ludograph.arena.schedules import Series

        try:
            result = referee_plan(plan, on_output)
        except (OSError, HostFailure, InvalidInput) as error:
            return failure_of(error)
        game = finished_game(plan, result)
        seating = [self.names.index(name) for name in plan.key.seating]
        number = Series(self.names, 0).number(plan.key)
        if any(game.forfeits):
            return GameRows(number, None, game.told)
        arrays = self.rows(
            plan.start,
            result.moves,
            number=number,
            seating=seating,
            results=game.points,
            scores=tuple(seat.score for seat in game.seats),
        )
        return GameRows(number, arrays, game.told)

    def empty(self, start: Position) -> Arrays:
        """Return the arrays of a game without decisions."""
        seats = range(len(self.names))
        nothing = [0.0 for _ in seats]
        return self.rows(start, [], number=0, seating=seats, results=nothing, scores=nothing)

    def rows(self, start: Position, moves: Sequence[PlayedMove], **game: Any) -> Arrays:
        """Return the decisions of a game, see :func:`ludograph.rl.selfplay.finished_rows`."""
        from ludograph.rl.selfplay import finished_rows

        return finished_rows(start, moves, touches=self.touches, thoughts=self.thoughts, **game)


def play_missing(
    series: Tournament,
    play_self: PlaySelf,
    folder: SelfplayFolder,
    chunks: Mapping[int, range],
    machines: Machines,
) -> None:
    """Play the games of the missing chunks; if that ends early, say how many the folder has.

    Parameters
    ----------
    chunks
        The numbers of the games in each chunk.
    """
    from ludograph.hosting.sandbox.readable_paths import withheld

    def is_kept(number: int) -> bool:
        return folder.chunk(number).exists()

    missing = {number: games for number, games in chunks.items() if not is_kept(number)}
    left = sum(map(len, missing.values()))
    executor = machines.executor(play_self, series.prepare, series.check_files, left)
    try:
        if missing:
            with withheld(folder.path):
                play(executor, series, folder, missing, shown=not machines.quiet)
    except (KeyboardInterrupt, HostFailure) as error:
        kept = sum(len(games) for number, games in chunks.items() if is_kept(number))
        reached = (
            f"{kept} of {counted(series.games, 'game')}; run the same command again to play "
            "the others"
        )
        if isinstance(error, HostFailure):
            raise HostFailure(f"{error}; {reached}") from None
        raise Interrupted(f"interrupted after {reached}") from None


def options_of(game: Declaration, given: Values) -> dict[str, str]:
    """Return all options of a game as texts; missing ones have their defaults."""
    values = {option.name: option.default for option in game.options} | game.resolve(given)
    return {name: str(value) for name, value in values.items() if value is not None}


def kept_seed(folder: Path) -> Seed | None:
    """Return the seed of the games in a folder; None if there are none."""
    from ludograph.referee.seed import as_seed
    from ludograph.rl.selfplay import DECLARATION, read_selfplay_declaration

    if not (folder / DECLARATION).exists():
        return None
    return as_seed(str(folder / DECLARATION), read_selfplay_declaration(folder).get("seed"))


def play(
    executor: Executor[GamePlan, GameRows],
    series: Tournament,
    folder: SelfplayFolder,
    missing: dict[int, range],
    *,
    shown: bool,
) -> None:
    """Play the games of the chunks that are missing, and write each chunk when it is complete."""
    from ludograph.arena.executor import ListedJobs, play_all

    numbers = [number for each in missing.values() for number in each]
    chunk_of = {number: n for n, each in missing.items() for number in each}
    played: dict[int, list[GameRows]] = {n: [] for n in missing}
    left_out: list[GameRows] = []
    bar = progress(series.games, "games", shown=shown, done=series.games - len(numbers))
    with executor, bar as advance:
        for _, game in play_all(executor, ListedJobs(jobs_of(series, numbers))):
            number = chunk_of[game.number]
            played[number].append(game)
            if game.arrays is None:
                left_out.append(game)
            if len(played[number]) == len(missing[number]):
                done = sorted(played.pop(number), key=lambda game: game.number)
                folder.write(number, [each.arrays for each in done if each.arrays is not None])
            advance("")
    write_left_out(left_out)


def jobs_of(series: Tournament, numbers: Iterable[int]) -> Iterator[list[GamePlan]]:
    """Yield games by their numbers; those of one start, which share their chance, are one job."""
    keys = map(series.game_key, numbers)
    for _, same in groupby(keys, series.chance_of):
        yield [series.plan(key) for key in same]


def write_left_out(games: Sequence[GameRows]) -> None:
    """Write to standard error the number of games without arrays, and the first one's result."""
    if not games:
        return
    first = min(games, key=lambda game: game.number)
    text = f"{counted(len(games), 'game')} with a player's fault left out"
    click.echo(safe(f"{text}; game {first.number}: {first.sentence}"), err=True)
