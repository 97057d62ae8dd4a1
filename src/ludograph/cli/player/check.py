"""``ludograph player check``: a test of a player in all situations of a ladder."""

from __future__ import annotations

import json
from typing import Any

import click

from ludograph.cli.option_types import GAMES, SEED
from ludograph.cli.program import Command, argument, option
from ludograph.cli.shared_options import AS_JSON, ISOLATION_OPTIONS
from ludograph.games.options import Seconds, Word
from ludograph.players.c_sources import joined_sources

FAULTY = 1
"""The exit code if a fault is found."""

KINDS = ("games", "itself", "ends-early", "drop-out", "tiny-clock", "memory")

EPILOG = """\
Examples:
  ludograph player check ./my_bot.so flood     everything, for a minute at most
  ludograph player check my_bot.c flood        compile it; AddressSanitizer checks it, too
  ludograph player check my_bot.c list.c flood the same, from several sources
  ludograph player check my_bot.py hex --time 10
  ludograph player check my_bot.py --json      find out which game it plays; write JSON

The exit code is 1 if a fault is found.
"""


class CheckCommand(Command):
    """A command that takes several C sources as one player."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join C sources that follow each other to one player."""
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
@option("Options", "--games", type=GAMES, help="Number of games at most (default: no limit).")
@option("Options", "--only", type=Word(KINDS), help="Run only the tests of this kind.")
@option("Options", "--seed", type=SEED, default=0, help="Seed of the first games (default: 0).")
@ISOLATION_OPTIONS[0]
@ISOLATION_OPTIONS[1]
@AS_JSON
@option("Output", "-q", "--quiet", is_flag=True, help="Show no progress.")
def check_player(player: str, game_name: str | None, **values: Any) -> None:
    """Test a player on all kinds of boards and options of its game, and report its faults.

    The player plays on all seats, on small and unusual boards, on the starts that courses use, and
    with three seats if the game allows it. Opponents give up, games end early, clocks are short. If
    no fault is found, games with other seeds follow until the time is over.

    Valgrind checks the memory of a C player. AddressSanitizer checks it, too, if you name the
    source or the source lies beside the library. For each kind of fault, the report shows the
    smallest game and the command that plays it again.
    """
    from ludograph.cli.player.fault_search import CheckArguments, checked, page

    arguments = CheckArguments(**values)
    report = checked(player, game_name, arguments)
    click.echo(json.dumps(report, ensure_ascii=False) if arguments.as_json else page(report))
    click.get_current_context().exit(FAULTY if report["problems"] else 0)
