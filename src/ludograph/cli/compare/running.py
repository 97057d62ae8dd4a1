"""Plays pairs of games until the better of two players is certain, and reports the result."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from ludograph.arena.comparison import Comparison, ComparisonAnswer
from ludograph.arena.series import Series, SeriesResult
from ludograph.arena.series.files import SeriesFiles
from ludograph.arena.series.game_rows import GameRow
from ludograph.cli.play.match import plan_of, prepare
from ludograph.cli.play.options import GameArguments
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import progress
from ludograph.cli.series import SeriesOptions, begin
from ludograph.cli.series_report import write_faults
from ludograph.cli.shared_options import RUN_AGAIN
from ludograph.cli.texts import safe
from ludograph.errors import HostFailure
from ludograph.games.declaration import Declaration, Values


def run(
    game: Declaration,
    given: Values,
    players: tuple[str, str],
    *,
    games: int,
    elo: float,
    jobs: int,
    list_file: Path | None,
    records: Path | None,
    **match: Any,
) -> None:
    """Play pairs of games and write the answer; after Ctrl-C, the answer of the games so far."""
    options = SeriesOptions(games, jobs, list_file, records)
    arguments = GameArguments(games=games, list_file=list_file, records=records, **match)
    plan = plan_of(game, given, players, arguments)
    prepare(plan)
    comparison = Comparison(elo)
    series = Series(plan.make_position, plan.players, plan.options, details=plan.details)
    result = series.empty_result(games)
    trouble: BaseException | None = None
    with options.files_of(series) as files:
        try:
            play(series, files, comparison, result, options, shown=not arguments.output.silent)
        except (KeyboardInterrupt, HostFailure) as error:
            trouble = error
    if trouble is None or comparison.pairs.total:
        write_answer(comparison, series.names, as_json=arguments.as_json)
        write_faults(result)
    again = f"--seed {plan.seed} plays the same again"
    if options.are_kept:
        again = RUN_AGAIN
    reached = f"{comparison.pairs.total} of {games // 2} pairs; {again}"
    if isinstance(trouble, HostFailure):
        raise HostFailure(f"{trouble}; {reached}")
    if trouble is not None:
        raise Interrupted(f"interrupted after {reached}")


def play(
    series: Series,
    files: SeriesFiles,
    comparison: Comparison,
    result: SeriesResult,
    options: SeriesOptions,
    *,
    shown: bool,
) -> None:
    """Play the missing games until the answer is certain, or all pairs are played."""

    def add(row: GameRow) -> None:
        comparison.add(row)
        result.add(row)

    played, missing = begin(series, files, options, shown=shown)
    for row in played:
        add(row)
    if comparison.answer != ComparisonAnswer.OPEN:
        return
    with ExitStack() as stack:
        rows = stack.enter_context(
            series.playing(missing, jobs=options.jobs, record=files.record_of)
        )
        advance = stack.enter_context(
            progress(options.games, "games", shown=shown, done=len(played))
        )
        for row in rows:
            files.add(row)
            advance("")
            add(row)
            if comparison.answer != ComparisonAnswer.OPEN:
                break
    if comparison.answer != ComparisonAnswer.OPEN:
        files.drop_unfinished()


def write_answer(comparison: Comparison, names: Sequence[str], *, as_json: bool) -> None:
    """Write the answer as a sentence or as JSON."""
    first, second = names
    sentence = comparison.sentence(first, second)
    if not as_json:
        click.echo(safe(sentence))
        return
    pairs, share = comparison.pairs, comparison.points
    found = {
        "players": [first, second],
        "answer": str(comparison.answer),
        "better": {"first": first, "second": second}.get(comparison.answer),
        "games": 2 * pairs.total,
        "pairs": {"first": pairs.first, "second": pairs.second, "even": pairs.even},
        "points": share._asdict() if pairs.total else None,
        "sentence": sentence,
    }
    click.echo(json.dumps(found, ensure_ascii=False))
