"""``ludograph GAME -r``: plays a series, writes its games to files, and reports the counts."""

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
from ludograph.cli.series_report import show_counts, write_faults
from ludograph.cli.texts import safe
from ludograph.counting import counted
from ludograph.errors import HostFailure


@dataclass(frozen=True, slots=True)
class SeriesOptions:
    """The size of a series, and its files.

    Attributes
    ----------
    games
        The number of games, including those of an earlier run.
    jobs
        The number of processes that play games.
    list_file, records
        The file with a line for each game, and the folder of the records; None: not written.
    """

    games: int
    jobs: int = 1
    list_file: Path | None = None
    records: Path | None = None

    @property
    def are_kept(self) -> bool:
        """Whether games are written to files, so that the same command plays only missing ones."""
        return self.list_file is not None or self.records is not None

    def files_of(self, series: Series) -> SeriesFiles:
        """Open and return the files of a series; raise InvalidInput if they have another series."""
        header = series.declaration if self.are_kept else {}
        return SeriesFiles(header, self.list_file, self.records)


def play_many(plan: MatchPlan, options: SeriesOptions, output: OutputOptions) -> None:
    """Play games and write the counts; after Ctrl-C, the counts of the games so far."""
    prepare(plan)
    series = Series(plan.make_position, plan.players, plan.options, plan.starter, plan.details)
    result = series.empty_result(options.games)
    trouble: BaseException | None = None
    with options.files_of(series) as files:
        try:
            _play(series, files, result, options, output)
        except (KeyboardInterrupt, HostFailure) as error:
            trouble = error
    if trouble is None or isinstance(trouble, KeyboardInterrupt) or result.games:
        write_counts(result, output)
    if trouble is None:
        return
    if isinstance(trouble, HostFailure):
        raise HostFailure(f"{trouble}; {progress_text(result, plan, options)}")
    raise Interrupted(f"interrupted after {progress_text(result, plan, options)}")


def write_counts(result: SeriesResult, output: OutputOptions) -> None:
    """Write the counts as JSON, as a sentence or as tables."""
    if output.as_json:
        click.echo(json.dumps(result.to_data(), ensure_ascii=False))
    elif output.quiet:
        click.echo(safe(result.sentence))
    else:
        show_counts(result)
    write_faults(result)


def progress_text(result: SeriesResult, plan: MatchPlan, options: SeriesOptions) -> str:
    """Return the number of games that were played, and how to continue."""
    reached = f"{result.games} of {counted(options.games, 'game')}"
    if options.are_kept:
        return f"{reached}; run the same command again to play the others"
    return f"{reached}; --seed {plan.seed} plays the same games again"


def _play(
    series: Series,
    files: SeriesFiles,
    result: SeriesResult,
    options: SeriesOptions,
    output: OutputOptions,
) -> None:
    """Play the missing games; count all games in their order."""
    played_before, missing = begin(series, files, options, shown=not output.silent)
    rows = {row.game: row for row in played_before}
    try:
        with ExitStack() as stack:
            played = stack.enter_context(
                series.playing(
                    missing,
                    jobs=options.jobs,
                    record=files.record_of,
                    on_output=series_listener(output.outputs, series.names),
                )
            )
            shown = stack.enter_context(
                progress(options.games, "games", shown=not output.silent, done=len(rows))
            )
            for row in played:
                files.add(row)
                rows[row.game] = row
                while result.games in rows:
                    result.add(rows.pop(result.games))
                shown("")
    finally:
        for number in sorted(rows):  # those that ended before an earlier game, which is missing
            result.add(rows[number])


def begin(
    series: Series, files: SeriesFiles, options: SeriesOptions, *, shown: bool
) -> tuple[list[GameRow], list[int]]:
    """Return the games that were played before, and the numbers of the missing ones.

    Write to standard error the number of games played before, and the clock of players' files.
    """
    played = [row for number, row in files.rows.items() if number < options.games]
    missing = [number for number in range(options.games) if number not in files.rows]
    if played and missing and shown:
        was = f"{counted(len(played), 'game')} of {options.games} were played before"
        click.echo(was, err=True)
    clock = series.match_options.foreign_clock
    if missing and clock:
        click.echo(f"players in files get {clock} per move (change with --clock)", err=True)
    return played, missing
