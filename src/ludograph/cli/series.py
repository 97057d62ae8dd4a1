"""Many games from the command line: played in one process or several, kept, counted, told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ludograph.arena.series import SeriesResult
from ludograph.arena.series.files import SeriesFiles
from ludograph.arena.series.series import PlayerTally, SeriesPlan
from ludograph.boards import to_data
from ludograph.cli.play.match import MatchPlan, prepare, starter_drawn
from ludograph.cli.player_output import OutputOptions, series_listener
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import progress
from ludograph.cli.series_report import Count, data, sentence, show_counts, tell_faults
from ludograph.cli.texts import amount
from ludograph.errors import HostFailure
from ludograph.players import PlayerSpec
from ludograph.players.factory import labels


@dataclass(frozen=True, slots=True)
class SeriesOptions:
    """How many games a series has, and where they are kept.

    Attributes
    ----------
    games
        How many games there shall be, those of an earlier run included.
    jobs
        How many processes play them.
    list_file, records
        Where their lines and their records go.
    """

    games: int
    jobs: int = 1
    list_file: Path | None = None
    records: Path | None = None


def play_many(plan: MatchPlan, options: SeriesOptions, output: OutputOptions) -> None:
    """Play games and write the counts; those of the games so far if Ctrl-C stops them."""
    prepare(plan)
    start = plan.make_position(plan.seed.start())
    heading = start.title([*plan.details, f"seed {plan.seed}"])
    tallies = [PlayerTally(name) for name in labels(plan.players)]
    count = Count(plan, options.games, heading, SeriesResult(tallies))
    series = SeriesPlan(plan.make_position, plan.players, plan.options, _starter(plan))
    kept = options.list_file or options.records
    header = header_of(plan, heading) if kept else {}
    trouble: BaseException | None = None
    with SeriesFiles(header, options.list_file, options.records) as keeping:
        try:
            _play(series, keeping, count, options, output)
        except (KeyboardInterrupt, HostFailure) as error:
            trouble = error
    if trouble is None or isinstance(trouble, KeyboardInterrupt) or count.rows:
        tell(count, output)
    if trouble is None:
        return
    if isinstance(trouble, HostFailure):
        raise HostFailure(f"{trouble}; {stands(count, options)}")
    raise Interrupted(f"interrupted after {stands(count, options)}")


def tell(count: Count, output: OutputOptions) -> None:
    """Write the counts as they were asked for."""
    if output.as_json:
        click.echo(json.dumps(data(count), ensure_ascii=False))
    elif output.quiet:
        click.echo(sentence(count))
    else:
        show_counts(count)
    tell_faults(count)


def stands(count: Count, options: SeriesOptions) -> str:
    """Return how far a series came, and how it goes on."""
    far = f"{count.series.games} of {amount(options.games, 'game')}"
    if options.list_file or options.records:
        return f"{far}; the same command plays the others"
    return f"{far}; --seed {count.plan.seed} plays the same games again"


def _play(
    series: SeriesPlan,
    keeping: SeriesFiles,
    count: Count,
    options: SeriesOptions,
    output: OutputOptions,
) -> None:
    """Play the games that are missing; count all in their order."""
    rows = {n: row for n, row in keeping.rows.items() if n < options.games}
    missing = [number for number in range(options.games) if number not in rows]
    count.found = len(rows)
    if rows and missing and not output.silent:
        click.echo(f"{amount(len(rows), 'game')} of {options.games} were played before", err=True)
    clock = series.options.foreign_clock
    if missing and clock:
        click.echo(f"players' files have {clock} for each move; see --clock", err=True)
    try:
        with ExitStack() as stack:
            played = stack.enter_context(
                series.playing(
                    missing,
                    jobs=options.jobs,
                    record=keeping.record_of,
                    on_output=series_listener(output.outputs, labels(series.players)),
                )
            )
            shown = stack.enter_context(
                progress(options.games, "games", shown=not output.silent, done=len(rows))
            )
            for row in played:
                keeping.add(row)
                rows[row.game] = row
                while count.series.games in rows:
                    count.add(rows.pop(count.series.games))
                shown("")
    finally:
        for number in sorted(rows):  # those that have overtaken one that is not there
            count.add(rows[number])


def header_of(plan: MatchPlan, heading: str) -> dict[str, Any]:
    """Return what tells a series from others: in which its games are the same ones."""
    options = plan.options
    start = plan.make_position(plan.seed.start())
    described = [start.game.version, start.game.describe(start), to_data(start.board)]
    text = json.dumps(described, sort_keys=True, default=str)
    files = {
        name: hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
        for spec in plan.players
        for name, file in named_files(spec).items()
    }
    return {
        "game": plan.game.name,
        "seed": plan.seed.data,
        "players": [spec.text for spec in plan.players],
        "clock": options.clock and options.clock.text,
        "foreign_clock": options.foreign_clock and options.foreign_clock.text,
        "starter": "turns" if plan.starter is None else plan.starter,
        "heading": heading,
        "start": hashlib.sha256(text.encode()).hexdigest()[:16],
        "files": files,
        **({"opening": list(options.opening)} if options.opening else {}),
        **({"margin": options.margin} if options.margin else {}),
    }


def named_files(spec: PlayerSpec) -> dict[str, str]:
    """Return the files of a player, each by the name of the player or its own."""
    return {file if file != spec.target else spec.text: file for file in spec.files}


def _starter(plan: MatchPlan) -> int | Callable[[int], int] | None:
    if plan.starter == "random":
        return lambda number: starter_drawn(plan.seed.start(number), len(plan.players))
    return plan.starter if isinstance(plan.starter, int) else None
