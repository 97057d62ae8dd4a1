"""The command of each game: its arguments, checked together, then played."""

from __future__ import annotations

from typing import Any

import click

from ludograph.cli.game_options import declared_options, split
from ludograph.cli.play.options import MATCH_OPTIONS, GameArguments, check_shown
from ludograph.cli.program import Command, options
from ludograph.games.declaration import Declaration, Values
from ludograph.players.spec import check_name

PLAYERS = """
Players are strategies ('ludograph strategies @'), Python files (my.py, my.py:Name), C libraries
(./my.so), programs ('cmd: ./my'), and you: human. The first one has place 0; seat 0 is the one that
moves first.
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


def run(game: Declaration, given: Values, players: tuple[str, ...], asked: GameArguments) -> None:
    """Check what the arguments say together, then play."""
    if asked.resume is None:
        check(game, players, asked)
        for text in players:  # a wrong name is told before the rules are loaded
            check_name(text, game)
    from ludograph.cli.play.match import plan_of, play, resume

    if asked.resume is not None:
        resume(game, given, players, asked, asked.resume)
        return
    plan = plan_of(game, given, players, asked)
    if asked.repeat is None:
        play(plan, asked.output)
        return
    from ludograph.cli.series import SeriesOptions, play_many

    series = SeriesOptions(asked.repeat, asked.jobs, asked.list_file, asked.records)
    play_many(plan, series, asked.output)


def check(game: Declaration, players: tuple[str, ...], asked: GameArguments) -> None:
    """Raise UsageError where options and players do not go together."""
    name, count, (low, high) = game.name, len(players), game.seats
    if not players:
        raise click.UsageError(f"name the players, as in 'ludograph {name} random random'")
    if not low <= count <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise click.UsageError(f"{name} is a game for {wanted} players, got {count}")
    check_shown(asked.outputs, count)
    if isinstance(asked.starter, int) and asked.starter >= count:
        raise click.UsageError(f"--starter must be 0 to {count - 1} or random, got {asked.starter}")
    if asked.repeat is not None:
        if asked.record is not None:
            raise click.UsageError("--record keeps one game, so it cannot be used with -r")
        if asked.thoughts and asked.records is None:
            raise click.UsageError("--thoughts of many games go into their records: add --records")
        return
    many = {"--jobs": asked.jobs != 1, "--games-file": asked.list_file, "--records": asked.records}
    for option, value in many.items():
        if value:
            raise click.UsageError(f"{option} is for many games, so it needs -r")
