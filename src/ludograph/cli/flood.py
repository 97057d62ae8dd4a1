"""``ludograph flood``: play Flood."""

from __future__ import annotations

import functools
import secrets
from pathlib import Path

import click

from ludograph.cli.flood_setting import FloodSetting, flood_options
from ludograph.cli.program import Command, option
from ludograph.cli.values import GAMES, SEED, Clock, OutputFile, Seconds, Starter

EPILOG = """\
Examples:
  ludograph flood -m 12 -c 6 greedy random           watch two strategies
  ludograph flood -t h -a 2 -f 1 ./player1.so my.py  a C player and a Python player
  ludograph flood -m 9 greedy mcts:time=0.5 minimax  three seats
  ludograph flood -r 100 greedy random               a hundred games, seats exchanged
  ludograph flood -m 14 greedy                       alone: as few moves as possible

Players are strategies ('ludograph strategies flood'), Python files (my.py, my.py:Name) and C
libraries (./my.so). The first of them has place 0; seat 0 is the one that moves first.
"""


@click.command(
    "flood",
    cls=Command,
    short_help="Play Flood, one game or many.",
    epilog=EPILOG,
    options_metavar="[OPTIONS]",
)
@click.argument("players", nargs=-1, metavar="PLAYER...")
@flood_options
@option("Match", "-r", "--games", type=GAMES, help="Play so many games and count.")
@option(
    "Match", "--seed", type=SEED, help="Fixes board, colors and luck; drawn and shown if not given."
)
@option(
    "Match",
    "--starter",
    type=Starter(),
    help="Place of the player that starts. If not given: drawn by the seed; with -r in turns.",
)
@option("Match", "--clock", type=Clock(), help="1s for each move, 60s+1s for a game, or both.")
@option("Output", "--record", type=OutputFile(), help="Write the game to a file for 'replay'.")
@option("Output", "-q", "--quiet", is_flag=True, help="Write the result only.")
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object.")
@option("Output", "--delay", type=Seconds(0, 60), help="Pause between moves; 0.15 in a terminal.")
def flood(
    setting: FloodSetting,
    players: tuple[str, ...],
    games: int | None,
    seed: int | None,
    starter: int | str | None,
    clock: str | None,
    record: Path | None,
    quiet: bool,
    as_json: bool,
    delay: float | None,
) -> None:
    """Play Flood: name a color, and your zone takes it and all that touches it.

    One player plays alone, two or more against each other.
    """
    if not players:
        raise click.UsageError("name the players, as in 'ludograph flood greedy random'")
    if isinstance(starter, int) and starter >= len(players):
        raise click.UsageError(
            f"--starter must be 0 to {len(players) - 1} or random, got {starter}"
        )
    if record is not None and games is not None:
        raise click.UsageError("--record keeps one game, so it cannot be used with -r")
    from ludograph.cli.playing import MatchPlan, play
    from ludograph.games import game
    from ludograph.players.naming import parse_player

    rules = game("flood")
    specs = [parse_player(text, rules, len(players)) for text in players]
    board = setting.board()
    plan = MatchPlan(
        game=rules,
        make_position=functools.partial(setting.position, board, len(players)),
        players=specs,
        seed=secrets.randbelow(1_000_000) if seed is None else seed,
        starter=starter,
        clock=clock,
        details=setting.details(),
    )
    if games is None:
        play(plan, record=record, quiet=quiet, as_json=as_json, delay=delay)
    else:
        from ludograph.cli.series import play_many

        play_many(plan, games, quiet=quiet, as_json=as_json)
