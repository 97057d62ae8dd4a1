"""``ludograph player check``: a test of a player in all situations of a ladder."""

from __future__ import annotations

import json
from typing import Any

import click

from ludograph.cli.option_types import GAMES, SEED
from ludograph.cli.program import Command, argument, option
from ludograph.cli.shared_options import ISOLATION_OPTIONS
from ludograph.games.options import Seconds, Word
from ludograph.hosting.c_sources import joined_sources

FAULTY = 1
"""The exit code where the player does something wrong."""

KINDS = ("games", "itself", "ends-early", "drop-out", "tiny-clock", "memory")

EPILOG = """\
Examples:
  ludograph player check ./my_bot.so flood     everything, for a minute at most
  ludograph player check my_bot.c flood        compile it; AddressSanitizer looks too
  ludograph player check my_bot.c list.c flood the same, of several sources
  ludograph player check my_bot.py hex --time 10
  ludograph player check my_bot.py --json      find out the game; for programs

The exit code is 1 where the player does something wrong.
"""


class CheckCommand(Command):
    """The command, which takes several C sources for one player."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take C sources that follow each other for one player."""
        return super().parse_args(ctx, joined_sources(args))


@click.command(
    "check-player",
    cls=CheckCommand,
    epilog=EPILOG,
    short_help="Test a player as a ladder would.",
)
@argument("player", metavar="PLAYER")
@argument("game_name", metavar="[GAME]", required=False)
@option(
    "Options",
    "--time",
    "seconds",
    type=Seconds(1, 86_400),
    default=60,
    help="Seconds at most (default: 60).",
)
@option(
    "Options", "--games", type=GAMES, help="Games at most (default: as many as the time allows)."
)
@option("Options", "--only", type=Word(KINDS), help=f"One kind of trials: {', '.join(KINDS)}.")
@option("Options", "--seed", type=SEED, default=0, help="Seed of the first games (default: 0).")
@ISOLATION_OPTIONS[0]
@ISOLATION_OPTIONS[1]
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object.")
@option("Output", "-q", "--quiet", is_flag=True, help="Show no progress.")
def check_player(player: str, game_name: str | None, **values: Any) -> None:
    """Try a player on all boards and options that its game has, and say what is wrong.

    It plays from all seats, on small and odd boards, from the starts that courses use, with three
    seats where the game has them; opponents give up, games end early, the clock is tiny. As long
    as no fault is found, more games with other seeds are played until the time is over. The memory
    of a C player is checked by valgrind, and by AddressSanitizer if its source is given or lies
    beside it. The report names the smallest game for each kind of fault, and how to play it again.
    """
    from ludograph.cli.player.fault_search import CheckArguments, checked, page

    arguments = CheckArguments(**values)
    report = checked(player, game_name, arguments)
    click.echo(json.dumps(report, ensure_ascii=False) if arguments.as_json else page(report))
    click.get_current_context().exit(FAULTY if report["problems"] else 0)
