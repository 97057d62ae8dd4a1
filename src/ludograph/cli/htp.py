"""``ludograph htp``: a Hex engine for front ends and other referees."""

from __future__ import annotations

import sys

import click

from ludograph.cli.option_types import SEED
from ludograph.cli.program import Command, option
from ludograph.games.options import Whole
from ludograph.version import VERSION

EPILOG = """\
Examples:
  ludograph htp --strategy mcts:time=1                  the command to enter in HexGui
  ludograph hex mcts 'htp: ludograph htp --strategy random'

The engine reads commands from standard input and answers on standard output. The command
'list_commands' lists all commands.
All other messages go to standard error.
"""


@click.command("htp", cls=Command, epilog=EPILOG)
@option("Engine", "--strategy", default="mcts:time=1", help="Strategy that plays.")
@option("Engine", "--size", type=Whole(1, 50), default=11, help="Size of the first board.")
@option("Engine", "--no-pie", is_flag=True, help="Never swap the first stone (swap-pieces).")
@option("Engine", "--seed", type=SEED, default=0, help="Seed of the engine's random choices.")
def htp(strategy: str, size: int, no_pie: bool, seed: int) -> None:
    """Play Hex for other programs: an engine that speaks HTP, which is GTP version 2 for Hex."""
    from ludograph.protocols.htp import HtpServer, engine_of, read_lines, strategy_spec

    spec = strategy_spec(strategy)
    click.echo(f"Ludograph {VERSION}, HTP, {spec.label}", err=True)
    server = HtpServer(engine_of(spec, size=size, pie=not no_pie, seed=seed))
    server.serve(read_lines(sys.stdin.buffer), sys.stdout)
