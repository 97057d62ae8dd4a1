"""``ludograph playouts``: the results of a large number of random games of a position."""

from __future__ import annotations

import math
import secrets
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.game_options import games_group, start_of
from ludograph.cli.option_types import SEED
from ludograph.cli.program import option, output
from ludograph.cli.progress import progress
from ludograph.cli.shared_options import AS_JSON, ORIGIN, games_option
from ludograph.cli.texts import bar, show_json
from ludograph.formatting import counted, seconds
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Whole

if TYPE_CHECKING:
    from ludograph.games.bulk import Playouts

playing = partial(option, "Playouts")

BINS, BAR = 16, 40
"""The most lines of a distribution, and the columns of its longest bar."""

EXAMPLES = """\
  ludograph playouts {name} -r 1000000                          from the start
  ludograph playouts {name} --record game.jsonl --ply 20 --json  from ply 20 of a game, as data
"""


OPTIONS = (
    *ORIGIN,
    games_option("Playouts", "Number of games.", type=Whole(1, 10**8), default=10_000),
    playing("--seed", type=SEED, help="Seed of all random choices (default: drawn)."),
    playing("--threads", type=Whole(1, 1024), help="Number of threads (default: one per core)."),
    playing("--uniform", is_flag=True, help="Draw all legal moves with equal probability."),
    output("-q", "--quiet", is_flag=True, help="Write the table only."),
    AS_JSON,
)


@games_group(
    "playouts",
    OPTIONS,
    about="""Play a large number of random games of {game}.

        The games begin at the start, or at a position of a recorded game.
        """,
    examples=EXAMPLES,
    no_players="no players are needed",
)
def playouts(
    game: Declaration,
    given: Values,
    *,
    games: int,
    seed: int | None,
    record: str | None,
    threads: int | None,
    uniform: bool,
    quiet: bool,
    as_json: bool,
    **origin: Any,
) -> None:
    """Play many random games from a position, and show their results."""
    from ludograph.games import bulk
    from ludograph.rules.announcer import announcer

    announcer.prepare(f"playouts of {game.name}")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    position, details, data = start_of(game, given, seed=seed, record=record, **origin)
    if record is not None:
        details, data = [*details, f"seed {seed}"], {**data, "seed": seed}
    heading = position.title(details)
    with progress(games, "playouts", shown=not quiet and not as_json) as advance:
        results = bulk.playouts(
            position,
            games,
            seed=seed,
            threads=threads,
            uniform=uniform,
            progress=lambda done: advance("", done),
        )
    if as_json:
        data = {"heading": heading, **data, "uniform": uniform, **as_data(results)}
        show_json(data)
        return
    if not quiet:
        speed = results.count / max(results.seconds, 1e-9)
        click.echo(
            f"{heading}: {counted(results.count, 'playout')} in {seconds(results.seconds)}, "
            f"{speed:.3g} a second on {counted(results.threads, 'thread')}\n"
        )
    click.echo(str(results))
    if not quiet:
        click.echo("\n".join(["", *distribution_lines(results)]))


def distribution_lines(results: Playouts) -> list[str]:
    """Return the distribution of the first seat's scores, in ranges if there are many."""
    values, counts = (each.tolist() for each in results.distribution(0))
    if len(values) > BINS:
        low, high = values[0], values[-1]
        step = (high - low) / BINS
        if all(value == math.floor(value) for value in values):
            step = math.ceil((high - low + 1) / BINS)
        totals: Counter[int] = Counter()
        for value, count in zip(values, counts, strict=True):
            totals[min(int((value - low) / step), BINS - 1)] += count
        counts = [totals[place] for place in range(max(totals) + 1)]
        labels = [f"{low + step * place:.5g} .." for place in range(len(counts))]
    else:
        labels = [f"{value:g}" for value in values]
    wide = max(map(len, labels))
    return [
        "Scores of seat 0:",
        *(
            f"{label:>{wide}}  {count:>{len(str(max(counts)))}}  "
            f"{bar(count / max(counts), BAR)}".rstrip()
            for label, count in zip(labels, counts, strict=True)
        ),
    ]


def as_data(results: Playouts) -> Values:
    """Return the results as JSON-able data."""
    distributions = [results.distribution(seat) for seat in range(results.scores.shape[1])]
    errors = [None if results.count == 1 else float(each) for each in results.standard_error]
    return {
        "playouts": results.count,
        "threads": results.threads,
        "seconds": round(results.seconds, 6),
        "wins": results.wins.tolist(),
        "draws": results.draws,
        "shares": results.shares.tolist(),
        "mean": results.mean.tolist(),
        "standard_error": errors,
        "distribution": [
            {"scores": values.tolist(), "counts": counts.tolist()}
            for values, counts in distributions
        ],
    }
