"""``ludograph player``: its commands ``new``, ``check`` and ``debug``."""

from __future__ import annotations

import click

from ludograph.cli.program import Group
from ludograph.players.c_sources import joined_sources

EPILOG = """\
Examples:
  ludograph player new flood my_bot.py          a small, complete player
  ludograph player check my_bot.py flood        test it as a ladder would
  ludograph player debug my_bot.c flood --asan  find errors in its use of memory
"""


class PlayerGroup(Group):
    """Commands that take several C sources as one player."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join C sources that follow each other to one player."""
        return super().parse_args(ctx, joined_sources(args))


@click.group(
    "player",
    cls=PlayerGroup,
    modules={
        "new": "player.new:new_player",
        "check": "player.check:check_player",
        "debug": "player.debug:debug",
    },
    epilog=EPILOG,
    options_metavar="",
    subcommand_metavar="new|check|debug ...",
)
def player() -> None:
    """Create, check or debug your own player."""
