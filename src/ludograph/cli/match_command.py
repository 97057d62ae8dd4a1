"""The command that plays a game, one match or many: the same for every game but for its setting."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from ludograph.cli.program import Command, option
from ludograph.cli.values import GAMES, RECORD_FILE, SEED, Clock, Seconds, Starter

if TYPE_CHECKING:
    from ludograph.boards import Board
    from ludograph.games import Position

PLAYERS = """
Players are strategies ('ludograph strategies @'), Python files (my.py, my.py:Name) and C
libraries (./my.so). The first one has place 0; seat 0 is the one that moves first.
"""


class Setting(Protocol):
    """All that is fixed in a game, beside its seed and its seats."""

    def board(self) -> Board:
        """Return the board; raise InvalidInput if there is none such."""

    def position(self, board: Board, seats: int, seed: int) -> Position:
        """Return the start of a game; raise InvalidInput if the options do not fit."""

    def details(self) -> list[str]:
        """Return what a title should say beside the board's name."""


MATCH_OPTIONS = (
    option("Match", "-r", "--games", type=GAMES, help="Play so many games and count."),
    option(
        "Match",
        "--seed",
        type=SEED,
        help="Fixes the start and all luck; drawn and shown if not given.",
    ),
    option(
        "Match",
        "--starter",
        type=Starter(),
        help="Place of the player that starts. If not given: drawn by the seed; with -r in turns.",
    ),
    option("Match", "--clock", type=Clock(), help="1s for each move, 60s+1s for a game, or both."),
    option("Output", "--record", type=RECORD_FILE, help="Write the game to a file for 'replay'."),
    option("Output", "-q", "--quiet", is_flag=True, help="Write the result only."),
    option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object."),
    option(
        "Output", "--delay", type=Seconds(0, 60), help="Pause between moves; 0.15 in a terminal."
    ),
)


def match_command(
    name: str,
    options: Callable[[Callable[..., None]], Callable[..., None]],
    *,
    summary: str,
    text: str,
    examples: str,
    seats: tuple[int, int] = (1, 64),
    arguments: str = "PLAYER...",
) -> click.Command:
    """Return ``ludograph NAME``.

    Parameters
    ----------
    name
        The game's.
    options
        Adds the game's own options to a command, which gets them as one ``setting``.
    summary, text
        For the list of commands, and for the help.
    examples
        Command lines that the help ends with.
    seats
        The least and the greatest number of players.
    arguments
        How the help calls what is no option; ``options`` leaves the players of it.
    """

    def command(setting: Setting, players: tuple[str, ...], **match: Any) -> None:
        run(name, setting, players, seats, **match)

    command.__doc__ = text
    for add in reversed(MATCH_OPTIONS):
        command = add(command)
    command = click.argument("players", nargs=-1, metavar=arguments)(options(command))
    return click.command(
        name,
        cls=Command,
        short_help=summary,
        epilog=f"Examples:\n{examples}{PLAYERS.replace('@', name)}",
        options_metavar="[OPTIONS]",
    )(command)


def run(
    name: str,
    setting: Setting,
    players: tuple[str, ...],
    seats: tuple[int, int],
    *,
    games: int | None,
    seed: int | None,
    starter: int | str | None,
    clock: str | None,
    record: Path | None,
    quiet: bool,
    as_json: bool,
    delay: float | None,
) -> None:
    """Check what the options say together, then play."""
    check(name, players, seats, games, starter, record)
    from ludograph.cli.playing import MatchPlan, play
    from ludograph.games import game
    from ludograph.players.naming import parse_player

    rules = game(name)
    specs = [parse_player(text, rules, len(players)) for text in players]
    plan = MatchPlan(
        game=rules,
        make_position=functools.partial(setting.position, setting.board(), len(players)),
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


def check(
    name: str,
    players: tuple[str, ...],
    seats: tuple[int, int],
    games: int | None,
    starter: int | str | None,
    record: Path | None,
) -> None:
    """Raise UsageError where options and players do not go together."""
    count, (low, high) = len(players), seats
    if not players:
        raise click.UsageError(f"name the players, as in 'ludograph {name} random random'")
    if not low <= count <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise click.UsageError(f"{name} is a game for {wanted} players, got {count}")
    if isinstance(starter, int) and starter >= count:
        raise click.UsageError(f"--starter must be 0 to {count - 1} or random, got {starter}")
    if record is not None and games is not None:
        raise click.UsageError("--record keeps one game, so it cannot be used with -r")
