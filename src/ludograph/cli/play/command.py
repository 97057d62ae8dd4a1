"""``ludograph GAME``: one command for each game: its options, their checks, what it plays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.game_options import game_subcommand
from ludograph.cli.option_types import (
    JOBS,
    RECORD_FILE,
    ClockText,
    PlaceOr,
    SeedText,
)
from ludograph.cli.program import option, output
from ludograph.cli.shared_options import (
    ALL,
    AS_JSON,
    ISOLATION_OPTIONS,
    LETTERING,
    STORE_OF_SERIES,
    Lettering,
    check_shown,
    games_option,
)
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import Seconds
from ludograph.players.spec import check_name

if TYPE_CHECKING:
    from ludograph.referee.seed import Seed

match = partial(option, "Match")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameArguments:
    """The values of the options below; each value is valid by itself."""

    games: int | None = None
    jobs: int = 1
    store: str | None = None
    seed: Seed | None = None
    starter: int | str | None = None
    clock: str | None = None
    record: Path | None = None
    quiet: bool = False
    as_json: bool = False
    delay: float | None = None
    outputs: tuple[int | str, ...] = ()
    isolation: str | None = None
    memory: int | None = None
    numbers: bool = False
    names: bool = False
    resume: str | None = None
    thoughts: bool = False
    opening: str | None = None

    @property
    def silent(self) -> bool:
        """Whether only the result is written."""
        return self.quiet or self.as_json

    @property
    def lettering(self) -> Lettering:
        """What is written on the cells of the board."""
        return Lettering(numbers=self.numbers, names=self.names)


MATCH_OPTIONS = (
    games_option("Match", "Play N games and count the results."),
    match("-j", "--jobs", type=JOBS, default=1, help="Number of games at a time."),
    match(
        "--seed",
        type=SeedText(),
        help="Play the same game again: a number, or the key that a game shows at its end. A "
        "player that guesses the number knows all chance moves; small numbers are easy to guess.",
    ),
    match(
        "--starter",
        type=PlaceOr("N", "random", "the place of a player, counted from 0"),
        help="Player that starts: 0 is the first in the command (default: drawn; alternating "
        "with -r).",
    ),
    match(
        "--clock",
        type=ClockText(),
        help="Time limit: 1s for each move; 60s+1s for a game, and a second more for each "
        "move; start=20s for the start of a player.",
    ),
    match(
        "--opening",
        metavar="MOVES",
        help="First moves of the game, as in c2 or 'c2 e4'; write ; between moves of several "
        "words.",
    ),
    *ISOLATION_OPTIONS,
    match("--resume", metavar="FILE", help="Continue the interrupted game in this record."),
    STORE_OF_SERIES,
    output("--record", type=RECORD_FILE, help="Write the game to a file for 'replay'."),
    *LETTERING,
    output(
        "--thoughts",
        is_flag=True,
        help="Show the analysis of the players after each move; records and --json keep it.",
    ),
    output("-q", "--quiet", is_flag=True, help="Write the result only."),
    output(
        "--show-output",
        "outputs",
        type=PlaceOr("SEAT", ALL, "a seat, counted from 0"),
        multiple=True,
        help="Show the output of the player on this seat at once; may be repeated.",
    ),
    AS_JSON,
    output(
        "--delay",
        type=Seconds(0, 60),
        help="Seconds between moves (default: 0.15 in a terminal, otherwise 0).",
    ),
)


PLAYERS = """
A player is a strategy ('ludograph strategies {name}' lists them), a Python file (my.py, \
my.py:Name:c=2),
a C source (my.c) or library (./my.so), a program ('cmd: ./my'), or you (human). The player on
seat 0 moves first.
"""


def game_command(game: Declaration) -> click.Command:
    """Return ``ludograph NAME`` for a game."""

    def command(_: Declaration, given: Values, players: Sequence[str], **match: Any) -> None:
        run(game, given, tuple(players), GameArguments(**match))

    return game_subcommand(
        game,
        command,
        MATCH_OPTIONS,
        about=f"{game.summary[0].upper()}{game.summary[1:]}.\n\n    {game.help.text}\n",
        short_help=f"Play {game.name.capitalize()}, one game or many.",
        examples=game.help.examples + PLAYERS,
    )


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
        if arguments.thoughts and arguments.store is None:
            raise click.UsageError("--thoughts of many games go into their records: add --store")
        return
    for name, value in (("--jobs", arguments.jobs != 1), ("--store", arguments.store)):
        if value:
            raise click.UsageError(f"{name} is for many games, so it needs -r")


def check_number(game: Declaration, count: int, command: str) -> None:
    """Raise UsageError if a game is not for this number of players.

    Parameters
    ----------
    command
        The given command, for the example in the error.
    """
    low, high = game.seats
    if not count:
        example = " ".join(["random"] * min(max(low, 2), high))
        raise click.UsageError(f"name the players, as in 'ludograph {command} {example}'")
    if not low <= count <= high:
        wanted = f"{low}" if low == high else f"{low} to {high}"
        raise click.UsageError(f"{game.name} is a game for {wanted} players, got {count}")
