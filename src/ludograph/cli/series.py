"""``ludograph GAME -r``: plays a series, keeps its games in files, and reports the counts."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click

from ludograph.arena.series import Series, SeriesResult
from ludograph.arena.series.files import SeriesFiles
from ludograph.arena.series.game_rows import GameRow
from ludograph.cli.play.match import MatchPlan, prepare
from ludograph.cli.play.options import OutputOptions
from ludograph.cli.player_output import series_listener
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import progress
from ludograph.cli.series_report import show_counts, tell_faults
from ludograph.cli.texts import safe
from ludograph.counting import counted
from ludograph.errors import HostFailure


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

    @property
    def are_kept(self) -> bool:
        """Whether games go to files, so that the same command plays only those that are missing."""
        return self.list_file is not None or self.records is not None

    def files_of(self, series: Series) -> SeriesFiles:
        """Return the files of a series, opened; InvalidInput if they hold another one."""
        header = series.declaration if self.are_kept else {}
        return SeriesFiles(header, self.list_file, self.records)


def play_many(plan: MatchPlan, options: SeriesOptions, output: OutputOptions) -> None:
    """Play games and write the counts; those of the games so far if Ctrl-C stops them."""
    prepare(plan)
    series = Series(plan.make_position, plan.players, plan.options, plan.starter, plan.details)
    result = series.empty_result(options.games)
    trouble: BaseException | None = None
    with options.files_of(series) as keeping:
        try:
            _play(series, keeping, result, options, output)
        except (KeyboardInterrupt, HostFailure) as error:
            trouble = error
    if trouble is None or isinstance(trouble, KeyboardInterrupt) or result.games:
        tell(result, output)
    if trouble is None:
        return
    if isinstance(trouble, HostFailure):
        raise HostFailure(f"{trouble}; {stands(result, plan, options)}")
    raise Interrupted(f"interrupted after {stands(result, plan, options)}")


def tell(result: SeriesResult, output: OutputOptions) -> None:
    """Write the counts as they were asked for."""
    if output.as_json:
        click.echo(json.dumps(result.to_data(), ensure_ascii=False))
    elif output.quiet:
        click.echo(safe(result.sentence))
    else:
        show_counts(result)
    tell_faults(result)


def stands(result: SeriesResult, plan: MatchPlan, options: SeriesOptions) -> str:
    """Return how far a series came, and how it goes on."""
    far = f"{result.games} of {counted(options.games, 'game')}"
    if options.are_kept:
        return f"{far}; the same command plays the others"
    return f"{far}; --seed {plan.seed} plays the same games again"


def _play(
    series: Series,
    keeping: SeriesFiles,
    result: SeriesResult,
    options: SeriesOptions,
    output: OutputOptions,
) -> None:
    """Play the games that are missing; count all in their order."""
    played_before, missing = begin(series, keeping, options, shown=not output.silent)
    rows = {row.game: row for row in played_before}
    try:
        with ExitStack() as stack:
            played = stack.enter_context(
                series.playing(
                    missing,
                    jobs=options.jobs,
                    record=keeping.record_of,
                    on_output=series_listener(output.outputs, series.names),
                )
            )
            shown = stack.enter_context(
                progress(options.games, "games", shown=not output.silent, done=len(rows))
            )
            for row in played:
                keeping.add(row)
                rows[row.game] = row
                while result.games in rows:
                    result.add(rows.pop(result.games))
                shown("")
    finally:
        for number in sorted(rows):  # those that have overtaken one that is not there
            result.add(rows[number])


def begin(
    series: Series, keeping: SeriesFiles, options: SeriesOptions, *, shown: bool
) -> tuple[list[GameRow], list[int]]:
    """Return the games that were played before, and the numbers of those that are missing.

    It writes to standard error how many were played, and the clock of players' files.
    """
    played = [row for number, row in keeping.rows.items() if number < options.games]
    missing = [number for number in range(options.games) if number not in keeping.rows]
    if played and missing and shown:
        was = f"{counted(len(played), 'game')} of {options.games} were played before"
        click.echo(was, err=True)
    clock = series.match_options.foreign_clock
    if missing and clock:
        click.echo(f"players in files get {clock} per move (change with --clock)", err=True)
    return played, missing
