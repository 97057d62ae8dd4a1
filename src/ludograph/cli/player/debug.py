"""``ludograph player debug``: one game with a player in this process or under a memory checker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ludograph.cli.game_options import GamesGroup, game_subcommand
from ludograph.cli.option_types import SEED
from ludograph.cli.program import argument, option
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Whole
from ludograph.players.c_sources import joined_sources

EXAMPLES = """\
  ludograph player debug ./my_bot.so {name}                     play a game and say what happens
  ludograph player debug my_bot.c {name} --asan                 compile it with AddressSanitizer
  ludograph player debug my_bot.c list.c {name} --asan          the same, from several sources
  ludograph player debug ./my_bot.so {name} --valgrind          check every access to memory
  ludograph player debug my_bot.py {name}                       open pdb at a breakpoint() in it
  ludograph player debug ./my_bot.so {name} --record game.jsonl play a recorded game again

The exit code is 1 if the player failed.
"""


OPTIONS = (
    option("Match", "--against", multiple=True, help="Built-in player for all other seats."),
    option("Match", "--seat", type=Whole(0, 63), help="Seat of the player (default: 0)."),
    option("Match", "--seed", type=SEED, help="Seed of the start and all chance (default: 0)."),
    option("Match", "--record", metavar="FILE", help="Play a recorded game again."),
    option(
        "Tools", "--valgrind", "tool", flag_value="valgrind", help="Run the player in valgrind."
    ),
    option(
        "Tools", "--asan", "tool", flag_value="asan", help="Run the player with AddressSanitizer."
    ),
    option("Output", "-q", "--quiet", is_flag=True, help="Write no moves."),
)


def debug_command(game: Declaration) -> click.Command:
    """Return ``ludograph player debug PLAYER NAME``."""

    def command(context: click.Context, given: Values, _: Sequence[str], /, **values: Any) -> int:
        from ludograph.cli.player.debugged_match import DebugArguments, run

        return run(game, given, str(context.obj), DebugArguments(**values))

    return game_subcommand(
        game,
        command,
        OPTIONS,
        about=f"""Run one player of {game.name.capitalize()} alone in a process.

        No clock runs, and the output of the player is shown at once. With --record the other seats
        repeat their recorded moves, as long as the player repeats its own.
        """,
        short_help=f"Run a player of {game.name.capitalize()}.",
        examples=EXAMPLES,
        no_players="nothing can follow the board",
    )


class DebugGroup(GamesGroup):
    """A command for every game, after a player's file or its C sources."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join C sources that follow each other to one player."""
        return super().parse_args(ctx, joined_sources(args))


@click.group(
    "debug",
    cls=DebugGroup,
    make=debug_command,
    short_help="Run a player alone, to debug it.",
    subcommand_metavar="GAME [OPTIONS]...",
)
@argument("player", metavar="PLAYER")
@click.pass_context
def debug(context: click.Context, player: str) -> None:
    """Run one player alone in a process, without clocks, against a built-in one.

    PLAYER is a Python file, a C library, or C sources, which are compiled first. The output of the
    player is shown at once. 'ludograph player debug PLAYER GAME --help' lists the options.
    """
    context.obj = player
