"""``ludograph player``: its commands ``new``, ``check`` and ``debug``."""

from __future__ import annotations

import importlib

import click

from ludograph.cli.program import Group

COMMANDS = {"new": "new_player", "check": "check_player", "debug": "debug"}
"""The function of each command, in the module with the command's name; imported when needed."""

EPILOG = """\
Examples:
  ludograph player new flood my_bot.py          a small, complete player
  ludograph player check my_bot.py flood        test it as a ladder would
  ludograph player debug my_bot.c flood --asan  find errors in its use of memory
"""


class PlayerGroup(Group):
    """The commands about your own players."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return a command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"ludograph.cli.player.{cmd_name}")
        command: click.Command = getattr(module, COMMANDS[cmd_name])
        return command

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the commands."""
        return list(COMMANDS)


@click.group(
    "player",
    cls=PlayerGroup,
    short_help="Create, check or debug your own player.",
    epilog=EPILOG,
    options_metavar="",
    subcommand_metavar="new|check|debug ...",
)
def player() -> None:
    """Create your own player, check it, or debug it.

    The older names 'new-player', 'check-player' and 'debug' work, too.
    """
