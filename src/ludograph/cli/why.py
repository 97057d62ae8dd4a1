"""``ludograph why``: where a recorded game was lost, and better moves."""

from __future__ import annotations

from typing import Any

import click

from ludograph.cli.option_types import PICTURE_FILE, SEED, SHARE
from ludograph.cli.program import Command, argument, option
from ludograph.cli.shared_options import AS_JSON
from ludograph.games.options import Seconds, Whole

EPILOG = """\
Examples:
  ludograph flood --record game.jsonl mcts greedy
  ludograph why game.jsonl                       where was it lost?
  ludograph why game.jsonl --time 2 --total 300  search each position longer
  ludograph why game.jsonl --svg why.svg         the curves as a picture
  ludograph why game.jsonl --sims 1000           the same answer each time
"""


@click.command(
    "why", cls=Command, short_help="Explain where a recorded game was lost.", epilog=EPILOG
)
@argument("file", metavar="FILE")
@option(
    "Search",
    "--time",
    "limit",
    type=Seconds(0.001, 3600),
    help="Seconds per position (default: 0.2).",
)
@option(
    "Search",
    "--total",
    type=Seconds(0.1, 1e6),
    help="Seconds for the whole game at most (default: 60).",
)
@option(
    "Search", "--sims", type=Whole(1, 10**9), help="Simulations per position, instead of --time."
)
@option("Search", "--seed", type=SEED, default=0, help="Seed of the search.")
@option(
    "Search",
    "--lost",
    type=SHARE,
    default=0.2,
    help="Value below which a position counts as lost.",
)
@option("Output", "--svg", type=PICTURE_FILE, help="Write the curves as a picture.")
@option("Output", "-q", "--quiet", is_flag=True, help="Write neither curves nor progress.")
@AS_JSON
def why(file: str, **values: Any) -> None:
    """Explain where a recorded game was lost: values, times, the worst moves and better moves.

    The strategy 'mcts' of the game searches every position. A value is from 0 (lost) to 1 (won).
    """
    from ludograph.cli.loss_report import WhyArguments, run

    run(file, WhyArguments(**values))
