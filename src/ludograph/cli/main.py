"""The program ``ludograph``."""

from __future__ import annotations

import contextlib
import sys

import click

from ludograph.cli.program import CommandLine
from ludograph.cli.terminal import stop
from ludograph.games.registry import declaration, is_game, name_of, names

EPILOG = """\
Examples:
  ludograph flood -m 12 -c 6 greedy random      watch a game
  ludograph player new flood my_bot.py          create a player of your own
  ludograph flood -r 100 my_bot.py greedy       play 100 games: which player is better?
"""


COMMANDS = {
    "serve": "serve",
    "compare": "compare",
    "tournament": "tournament",
    "results": "results",
    "ladder": "ladder",
    "htp": "htp",
    "replay": "replay",
    "why": "why",
    "solve": "solve",
    "puzzles": "puzzles",
    "playouts": "playouts",
    "selfplay": "selfplay",
    "learn": "learn",
    "player": "player.command",
    "header": "player.new",
    "strategies": "games",
    "games": "games",
    "boards": "games",
    "check-game": "check_game",
    "warm-up": "warm_up",
    "doctor": "doctor",
}
"""The module of each command that is not a game; it is imported when the command is looked up."""

GONE = {
    "new-player": "player new",
    "check-player": "player check",
    "debug": "player debug",
    "played": "results games",
    "rate": "results rate",
    "store": "results check",
}
"""Commands that checkouts before the first release had, by the names that replace them."""


def _version(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: ARG001
    if value and not context.resilient_parsing:
        from ludograph.version import VERSION

        click.echo(f"ludograph {VERSION}")
        context.exit()


class Ludograph(CommandLine):
    """The program, with a command for every game."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or the command of the game with this name or path."""
        known = cmd_name in COMMANDS or cmd_name in self.commands
        if not known and is_game(name := name_of(cmd_name)):
            from ludograph.cli.play.command import game_command

            self.add_command(game_command(declaration(name)), cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command by its name; raise UsageError for one that has another name now."""
        if args and args[0] in GONE and not (ctx.resilient_parsing or is_game(args[0])):
            raise click.UsageError(f"'ludograph {args[0]}' is 'ludograph {GONE[args[0]]}' now")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of the games, then the others, the most used first."""
        return [*names(), *COMMANDS]


@click.group(
    cls=Ludograph,
    modules={name: f"{module}:{name.replace('-', '_')}" for name, module in COMMANDS.items()},
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_version,
    help="Show the version.",
)
@click.pass_context
def cli(context: click.Context) -> None:
    """Board games on any graph: write a player in Python or C, play it, watch it, rank it."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """Run the program: the entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    stop.watch()
    cli(prog_name="ludograph")
