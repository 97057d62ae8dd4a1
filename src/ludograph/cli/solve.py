"""``ludograph solve``: the result of best play in a small game."""

from __future__ import annotations

from typing import Any

import click

from ludograph.cli.game_options import GamesGroup, game_subcommand, split
from ludograph.cli.option_types import JOBS, SEED
from ludograph.cli.program import option
from ludograph.games.declaration import Declaration
from ludograph.games.options import Seconds, Whole
from ludograph.games.registry import declaration

EXAMPLES = """\
  ludograph solve {name}                                    the small game that is meant if none is
  ludograph solve {name} --record game.jsonl --ply 40       who wins from there on?
  ludograph solve {name} --record game.jsonl                which was the first losing move?

The exit code is 1 where the time is over before anything is proven.
"""


class SolveGroup(GamesGroup):
    """A command for every game that can be solved."""

    def subcommand(self, game: Declaration) -> click.Command:
        """Return the command of a game."""
        return solve_command(game)

    def takes(self, name: str) -> bool:
        """Tell whether a game can be solved."""
        return declaration(name).solving is not None


@click.group("solve", cls=SolveGroup, short_help="Solve a small game: the result of best play.")
def solve() -> None:
    """Find the result of best play, with a proof; for small games."""


OPTIONS = (
    option(
        "Game",
        "--seats",
        type=Whole(1, 64),
        help="Number of players; two where the game allows it.",
    ),
    option("Game", "--record", metavar="FILE", help="A recorded game of two players, ply by ply."),
    option(
        "Game",
        "--ply",
        type=Whole(0, 10**9),
        help="Solve its position after this number of moves only.",
    ),
    option("Search", "--seed", type=SEED, help="Seed of a random start; drawn if not given."),
    option(
        "Search",
        "--time",
        "limit",
        type=Seconds(0.01, 1e6),
        help="Seconds at most; 60 if not given, with --store no limit.",
    ),
    option(
        "Search", "-j", "--jobs", type=JOBS, help="First moves solved at a time; 1 if not given."
    ),
    option(
        "Search",
        "--store",
        metavar="FILE",
        help="Keep solved first moves in this file; the same command goes on.",
    ),
    option("Output", "-q", "--quiet", is_flag=True, help="Write the answer only."),
    option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object."),
)


def solve_command(game: Declaration) -> click.Command:
    """Return ``ludograph solve NAME``."""

    @click.pass_context
    def command(context: click.Context, /, words: tuple[str, ...], **options: Any) -> None:
        given, rest = split(game, options)
        given, left = game.leading(words, given)
        if left:
            raise click.UsageError(f"nothing can follow the board, got {left[0][:80]!r}")
        from ludograph.cli.best_play import SolveArguments, run

        code = run(game, given, SolveArguments(**rest))
        if code:
            context.exit(code)

    command.__doc__ = f"""Find the result of best play in a game of {game.name.capitalize()}.

    The position of a recorded game may be given instead of options.
    """
    return game_subcommand(
        game,
        command,
        OPTIONS,
        short_help=f"Solve a game of {game.name.capitalize()}.",
        examples=EXAMPLES,
    )
