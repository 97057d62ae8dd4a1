"""Plays games of players, and writes their decisions to a folder, chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import click

from ludograph.arena.executor import Executor, Failure, ListedJobs, OnOutput, play_all
from ludograph.arena.playing import GamePlan, failure_of, finished_game, referee_plan
from ludograph.arena.schedules import Series
from ludograph.arena.series import heading_of, series_of
from ludograph.arena.tournament import Tournament
from ludograph.cli.executors import check_executor_options, choose_executor
from ludograph.cli.play.match import plan_of, prepare
from ludograph.cli.play.options import GameArguments
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import progress
from ludograph.cli.texts import safe
from ludograph.errors import HostFailure, InvalidInput
from ludograph.formatting import counted
from ludograph.games import Position
from ludograph.games.declaration import Declaration, Values
from ludograph.hosting.sandbox.readable_paths import withheld
from ludograph.referee.seed import Seed, as_seed
from ludograph.rl.selfplay import DECLARATION, SelfplayFolder, finished_rows, read_declaration
from ludograph.rules.observer import Arrays
from ludograph.version import VERSION


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
        try:
            result = referee_plan(plan, on_output)
        except (OSError, HostFailure, InvalidInput) as error:
            return failure_of(error)
        game = finished_game(plan, result)
        seating = [self.names.index(name) for name in plan.key.seating]
        number = Series(self.names, 0).number(plan.key)
        if any(game.forfeits):
            return GameRows(number, None, game.sentence)
        arrays = finished_rows(
            plan.start,
            result.moves,
            number=number,
            seating=seating,
            results=game.points,
            scores=tuple(seat.score for seat in game.seats),
            touches=self.touches,
            thoughts=self.thoughts,
        )
        return GameRows(number, arrays, game.sentence)

    def empty(self, start: Position) -> Arrays:
        """Return the arrays of a game without decisions."""
        seats = range(len(self.names))
        nothing = [0.0 for _ in seats]
        return finished_rows(
            start,
            [],
            number=0,
            seating=seats,
            results=nothing,
            scores=nothing,
            touches=self.touches,
            thoughts=self.thoughts,
        )


@dataclass(frozen=True, slots=True)
class SelfplayArguments:
    """The values of the command's options, each valid by itself."""

    games: int
    out: Path
    chunk: int
    touches: bool
    thoughts: bool
    seed: Seed | None
    clock: str | None
    isolation: str | None
    memory: int | None
    jobs: int | None
    cluster: str | None
    scale_clocks: bool
    quiet: bool

    def of_games(self) -> GameArguments:
        """Return the arguments of the games, with the seed that the folder has, if it has one."""
        return GameArguments(
            games=self.games,
            seed=kept_seed(self.out) if self.seed is None else self.seed,
            clock=self.clock,
            isolation=self.isolation,
            memory=self.memory,
            quiet=self.quiet,
            thoughts=self.thoughts,
        )

    def chunks(self) -> list[range]:
        """Return the numbers of the games in each chunk."""
        firsts = range(0, self.games, self.chunk)
        return [range(first, min(first + self.chunk, self.games)) for first in firsts]


def run(
    game: Declaration, given: Values, players: tuple[str, ...], arguments: SelfplayArguments
) -> None:
    """Play the games that a folder lacks, and write the numbers of its games and decisions."""
    cluster, count, out = arguments.cluster, arguments.games, arguments.out
    check_executor_options(
        jobs=arguments.jobs, cluster=cluster, scale_clocks=arguments.scale_clocks
    )
    plan = plan_of(game, given, players, arguments.of_games(), elsewhere=cluster is not None)
    prepare(plan)
    series = series_of(plan.make_position, plan.players, count, plan.options, details=plan.details)
    play_self = PlaySelf(series.names, arguments.touches, arguments.thoughts)
    about = {
        "ludograph": VERSION,
        "game": series.game,
        "seed": series.luck.data,
        **{name: series.declaration[name] for name in ("players", "clock", "foreign_clock")},
        "heading": heading_of(series),
        "files": series.versions,
        "key": series.key,
        "options": options_of(game, given),
        "games": count,
        "games_in_a_chunk": arguments.chunk,
        "touches": arguments.touches,
        "thoughts": arguments.thoughts,
    }
    start = series.start(0)
    folder = SelfplayFolder(out, about, play_self.empty(start), start.board)
    play_missing(series, play_self, folder, arguments)
    files = len(arguments.chunks())
    decisions = sum(folder.decisions(number) for number in range(files))
    click.echo(
        safe(
            f"{counted(count, 'game')} of {game.name} in {out}: "
            f"{counted(decisions, 'decision')} in {counted(files, 'file')}"
        )
    )


def play_missing(
    series: Tournament, play_self: PlaySelf, folder: SelfplayFolder, arguments: SelfplayArguments
) -> None:
    """Play the games of the missing chunks; if that ends early, say how many the folder has."""
    chunks = dict(enumerate(arguments.chunks()))

    def is_kept(number: int) -> bool:
        return folder.chunk(number).exists()

    missing = {number: games for number, games in chunks.items() if not is_kept(number)}
    executor = choose_executor(
        play_self,
        series.prepare,
        series.check_files,
        jobs=arguments.jobs,
        cluster=arguments.cluster,
        scale_clocks=arguments.scale_clocks,
        left=sum(map(len, missing.values())),
        quiet=arguments.quiet,
    )
    try:
        if missing:
            with withheld(arguments.out):
                done, shown = arguments.games, not arguments.quiet
                play(executor, series, folder, missing, done=done, shown=shown)
    except (KeyboardInterrupt, HostFailure) as error:
        kept = sum(len(games) for number, games in chunks.items() if is_kept(number))
        reached = (
            f"{kept} of {counted(arguments.games, 'game')}; run the same command again to play "
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
    if not (folder / DECLARATION).exists():
        return None
    return as_seed(str(folder / DECLARATION), read_declaration(folder).get("seed"))


def play(
    executor: Executor[GamePlan, GameRows],
    series: Tournament,
    folder: SelfplayFolder,
    missing: dict[int, range],
    *,
    done: int,
    shown: bool,
) -> None:
    """Play the games of the chunks that are missing, and write each chunk when it is complete.

    Parameters
    ----------
    missing
        The numbers of the games in each missing chunk, by chunk.
    done
        The number of games in all chunks.
    """
    numbers = [number for each in missing.values() for number in each]
    chunk_of = {number: n for n, each in missing.items() for number in each}
    played: dict[int, list[GameRows]] = {n: [] for n in missing}
    left_out: list[GameRows] = []
    bar = progress(done, "games", shown=shown, done=done - len(numbers))
    with executor, bar as advance:
        for _, game in play_all(executor, ListedJobs(jobs_of(series, numbers))):
            number = chunk_of[game.number]
            played[number].append(game)
            if game.arrays is None:
                left_out.append(game)
            if len(played[number]) == len(missing[number]):
                folder.write(number, in_order(played.pop(number)))
            advance("")
    write_left_out(left_out)


def jobs_of(series: Tournament, numbers: Iterable[int]) -> Iterator[list[GamePlan]]:
    """Yield games by their numbers; those of one start, which share their chance, are one job."""
    keys = map(series.game_key, numbers)
    for _, same in groupby(keys, series.chance_of):
        yield [series.plan(key) for key in same]


def in_order(games: Sequence[GameRows]) -> list[Arrays]:
    """Return the arrays of the games that have arrays, in the order of the games' numbers."""
    ordered = sorted(games, key=lambda game: game.number)
    return [game.arrays for game in ordered if game.arrays is not None]


def write_left_out(games: Sequence[GameRows]) -> None:
    """Write to standard error the number of games without arrays, and the first one's result."""
    if not games:
        return
    first = min(games, key=lambda game: game.number)
    text = f"{counted(len(games), 'game')} with a player's fault left out"
    click.echo(safe(f"{text}; game {first.number}: {first.sentence}"), err=True)
