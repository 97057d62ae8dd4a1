"""Plays pairs of games until it is certain which of two players is better, and tells it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import click

from ludograph.arena.comparison import Answer, Comparison
from ludograph.arena.series import Series, SeriesResult
from ludograph.cli.play.match import plan_of, prepare
from ludograph.cli.play.options import GameArguments
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import progress
from ludograph.cli.series_report import tell_faults
from ludograph.cli.texts import safe
from ludograph.errors import HostFailure
from ludograph.games.declaration import Declaration, Values


def run(
    game: Declaration,
    given: Values,
    players: tuple[str, str],
    *,
    pairs: int,
    elo: float,
    jobs: int,
    quiet: bool,
    as_json: bool,
    **match: Any,
) -> None:
    """Play pairs and write the answer; that of the games so far if Ctrl-C stops them."""
    arguments = GameArguments(repeat=2 * pairs, jobs=jobs, quiet=quiet, as_json=as_json, **match)
    plan = plan_of(game, given, players, arguments)
    prepare(plan)
    comparison = Comparison(elo)
    series = Series(plan.make_position, plan.players, plan.options)
    result = series.empty_result(2 * pairs)
    trouble: BaseException | None = None
    try:
        play(series, comparison, result, 2 * pairs, jobs=jobs, shown=not (quiet or as_json))
    except (KeyboardInterrupt, HostFailure) as error:
        trouble = error
    if trouble is None or comparison.pairs.total:
        tell(comparison, series.names, as_json=as_json)
        tell_faults(result)
    far = f"{comparison.pairs.total} of {pairs} pairs; --seed {plan.seed} plays the same again"
    if isinstance(trouble, HostFailure):
        raise HostFailure(f"{trouble}; {far}")
    if trouble is not None:
        raise Interrupted(f"interrupted after {far}")


def play(
    series: Series,
    comparison: Comparison,
    result: SeriesResult,
    games: int,
    *,
    jobs: int,
    shown: bool,
) -> None:
    """Play games of a series until the answer is certain, or all pairs are played."""
    clock = series.match_options.foreign_clock
    if clock and shown:
        click.echo(f"players' files have {clock} for each move; see --clock", err=True)
    with ExitStack() as stack:
        rows = stack.enter_context(series.playing(range(games), jobs=jobs))
        advance = stack.enter_context(progress(games, "games", shown=shown))
        for row in rows:
            comparison.add(row)
            result.add(row)
            advance("")
            if comparison.answer != Answer.OPEN:
                return


def tell(comparison: Comparison, names: Sequence[str], *, as_json: bool) -> None:
    """Write the answer as it was asked for."""
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
