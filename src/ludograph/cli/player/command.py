"""``ludograph player``: its commands ``new``, ``check`` and ``debug``."""

from __future__ import annotations

import click

from ludograph.cli.program import Group

EPILOG = """\
Examples:
  ludograph player new flood my_bot.py          a small, complete player
  ludograph player check my_bot.py flood        test it as a ladder would
  ludograph player debug my_bot.c flood --asan  find errors in its use of memory
"""


@click.group(
    "player",
    cls=Group,
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
