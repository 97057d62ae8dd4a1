"""The program ``ludograph``."""

from __future__ import annotations

import contextlib
import sys

import click

from ludograph.cli.check_game import check_game
from ludograph.cli.check_player import check_player
from ludograph.cli.debug import debug
from ludograph.cli.doctor import doctor
from ludograph.cli.game_command import game_command
from ludograph.cli.htp import htp
from ludograph.cli.ladder import ladder
from ludograph.cli.lists import boards, games, strategies
from ludograph.cli.new_player import header, new_player
from ludograph.cli.played import played
from ludograph.cli.playouts import playouts
from ludograph.cli.program import Program
from ludograph.cli.replay import replay
from ludograph.cli.results import rate, results
from ludograph.cli.serve import serve
from ludograph.cli.solve import solve
from ludograph.cli.stopping import stop
from ludograph.cli.tournament import tournament
from ludograph.cli.warm_up import warm_up
from ludograph.cli.why import why
from ludograph.games.registry import declaration, is_game, names

EPILOG = """\
Examples:
  ludograph flood -m 12 -c 6 greedy random      watch a game
  ludograph new-player flood my_bot.py          start a player of your own
  ludograph flood -r 100 my_bot.py greedy       is it better?
"""


def _version(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: ARG001
    if value and not context.resilient_parsing:
        from ludograph.version import VERSION

        click.echo(f"ludograph {VERSION}")
        context.exit()


class Ludograph(Program):
    """The program, with a command for every game."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or that of the game of this name."""
        found = super().get_command(ctx, cmd_name)
        if found is None and is_game(cmd_name):
            found = game_command(declaration(cmd_name))
            self.add_command(found)
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the games, then the others in the order in which they were added."""
        games = names()
        return [*games, *(name for name in super().list_commands(ctx) if name not in games)]


@click.group(
    cls=Ludograph,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Version."
)
@click.pass_context
def cli(context: click.Context) -> None:
    """Board games on any graph: write a player in Python or C, play it, watch it, rank it."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    serve,
    tournament,
    results,
    played,
    rate,
    ladder,
    htp,
    replay,
    why,
    solve,
    playouts,
    new_player,
    header,
    debug,
    strategies,
    games,
    boards,
    check_game,
    check_player,
    warm_up,
    doctor,
):
    cli.add_command(command)


def main() -> None:
    """Run the program: the entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    stop.watch()
    cli(prog_name="ludograph")
