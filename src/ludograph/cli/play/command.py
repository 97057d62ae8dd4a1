"""``ludograph GAME``: one command for each game, which checks its arguments and plays."""

from __future__ import annotations

from typing import Any

import click

from ludograph.cli.game_options import declared_options, split
from ludograph.cli.play.options import MATCH_OPTIONS, GameArguments, check_shown
from ludograph.cli.program import Command, options
from ludograph.games.declaration import Declaration, Values
from ludograph.players.spec import check_name

PLAYERS = """
A player is a strategy ('ludograph strategies @' lists them), a Python file (my.py, my.py:Name:c=2),
a C source (my.c) or library (./my.so), a program ('cmd: ./my'), or you (human). The player on
seat 0 moves first.
"""


def game_command(game: Declaration) -> click.Command:
    """Return ``ludograph NAME`` for a game."""

    def command(players: tuple[str, ...], **chosen: Any) -> None:
        given, match = split(game, chosen)
        given, seated = game.leading(players, given)
        run(game, given, tuple(seated), GameArguments(**match))

    command.__doc__ = f"{game.summary[0].upper()}{game.summary[1:]}.\n\n    {game.help.text}\n"
    command = declared_options(game)(options(MATCH_OPTIONS)(command))
    command = click.argument("players", nargs=-1, metavar=f"{game.leading_metavar}PLAYER...")(
        command
    )
    return click.command(
        game.name,
        cls=Command,
        short_help=f"Play {game.name.capitalize()}, one game or many.",
        epilog=f"Examples:\n{game.help.examples}{PLAYERS.replace('@', game.name)}",
        options_metavar="[OPTIONS]",
    )(command)


def run(
    game: Declaration, given: Values, players: tuple[str, ...], arguments: GameArguments
) -> None:
    """Check the arguments together, then play."""
    if arguments.resume is None:
        check(game, players, arguments)
        for text in players:  # a wrong name is an error before the rules are loaded
            check_name(text, game)
    from ludograph.cli.play.match import plan_of, play, resume

    if arguments.resume is not None:
        resume(game, given, players, arguments, arguments.resume)
        return
    plan = plan_of(game, given, players, arguments)
    if arguments.games is None:
        play(plan, arguments)
        return
    from ludograph.cli.series import play_many

    play_many(plan, arguments)


def check(game: Declaration, players: tuple[str, ...], arguments: GameArguments) -> None:
    """Raise UsageError if options and players do not fit together."""
    count = len(players)
    check_number(game, count, game.name)
    check_shown(arguments.outputs, count)
    if isinstance(arguments.starter, int) and arguments.starter >= count:
        raise click.UsageError(
            f"--starter must be 0 to {count - 1} or random, got {arguments.starter}"
        )
    if arguments.games is not None:
        if arguments.record is not None:
            raise click.UsageError("--record keeps one game, so it cannot be used with -r")
        if arguments.thoughts and not (arguments.records or arguments.store):
            raise click.UsageError("--thoughts of many games go into their records: add --records")
        return
    many = {
        "--jobs": arguments.jobs != 1,
        "--store": arguments.store,
        "--games-file": arguments.list_file,
        "--records": arguments.records,
    }
    for option, value in many.items():
        if value:
            raise click.UsageError(f"{option} is for many games, so it needs -r")


def check_number(game: Declaration, count: int, command: str) -> None:
    """Raise UsageError if a game is not for this number of players.

    Parameters
    ----------
    command
        The given command, for the example in the error.
    """
    low, high = game.seats
    if not count:
        raise click.UsageError(f"name the players, as in 'ludograph {command} random random'")
    if not low <= count <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise click.UsageError(f"{game.name} is a game for {wanted} players, got {count}")
