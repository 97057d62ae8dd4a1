"""``ludograph solve``: the result of best play in a small game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ludograph.cli.game_options import GamesGroup, game_subcommand
from ludograph.cli.option_types import JOBS, SEED
from ludograph.cli.program import option
from ludograph.cli.shared_options import AS_JSON, CONTINUED, SEATS
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Seconds, Whole

EXAMPLES = """\
  ludograph solve {name}                                    a small game: the default
  ludograph solve {name} --record game.jsonl --ply 40       who wins from ply 40 on?
  ludograph solve {name} --record game.jsonl                which was the first losing move?

The exit code is 1 if the time ends before anything is proven.
"""


OPTIONS = (
    SEATS,
    option("Game", "--record", metavar="FILE", help="Solve the positions of this recorded game."),
    option(
        "Game",
        "--ply",
        type=Whole(0, 10**9),
        help="With --record: solve only the position after ply N.",
    ),
    option("Search", "--seed", type=SEED, help="Seed of a random start (default: drawn)."),
    option(
        "Search",
        "--time",
        "limit",
        type=Seconds(0.01, 1e6),
        help="Seconds at most (default: 60; no limit with --store).",
    ),
    option(
        "Search",
        "-j",
        "--jobs",
        type=JOBS,
        help="Number of first moves to solve at a time (default: 1).",
    ),
    option(
        "Search",
        "--store",
        metavar="FILE",
        help="Keep solved first moves in this file." + CONTINUED,
    ),
    option("Output", "-q", "--quiet", is_flag=True, help="Write the answer only."),
    AS_JSON,
)


def solve_command(game: Declaration) -> click.Command:
    """Return ``ludograph solve NAME``."""

    def command(_: click.Context, given: Values, __: Sequence[str], /, **values: Any) -> int:
        from ludograph.cli.best_play import SolveArguments, run

        return run(game, given, SolveArguments(**values))

    return game_subcommand(
        game,
        command,
        OPTIONS,
        about=f"""Find the result of best play in a game of {game.name.capitalize()}.

        Solve the start that the options describe, or positions of a recorded game (--record).
        """,
        short_help=f"Solve a game of {game.name.capitalize()}.",
        examples=EXAMPLES,
        no_players="nothing can follow the board",
    )


@click.group(
    "solve",
    cls=GamesGroup,
    make=solve_command,
    takes=lambda game: game.solving is not None,
    short_help="Solve a small game: the result of best play.",
)
def solve() -> None:
    """Find the result of best play in a small game, and prove it."""
