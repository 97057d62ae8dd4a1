"""``ludograph tournament``: its options, for each game and for a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ludograph.arena.overtime import EXPECTED, OVERTIME, UNTIL_DECIDED, Overtime, as_overtime
from ludograph.arena.sprt import Scale, Sprt
from ludograph.cli.game_options import GamesGroup, game_subcommand
from ludograph.cli.option_types import SEED, ClockText
from ludograph.cli.program import Command, option, options
from ludograph.cli.shared_options import (
    EXECUTOR_OPTIONS,
    FORMAT_OPTIONS,
    ISOLATION_OPTIONS,
    STORE,
    games_option,
)
from ludograph.errors import InvalidInput
from ludograph.games.declaration import Declaration, Values
from ludograph.games.options import OptionType, Unexpected, Whole, Word, decimal_number

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout")

GAMES_IF_NOT_GIVEN = 20

EXAMPLES = """\
  ludograph tournament {name} -r 100 my.py mcts random          all players against each other
  ludograph tournament {name} --format gauntlet my.py a.py b.so  the first one against all others
  ludograph tournament {name} --sprt elo0=0,elo1=20 -r 2000 new.py old.py        is new.py better?
"""

FILE_EXAMPLES = """\
  ludograph tournament course.toml -j 4                         the tournament in this file
  ludograph tournament course.toml --cluster tcp://host:8786    on the machines of a cluster
"""


class SprtType(OptionType):
    """A test, as in ``elo0=0,elo1=10``."""

    metavar = "elo0=N,elo1=N"
    expected = "as in elo0=0,elo1=10"

    def parse(self, text: str) -> Sprt:
        """Return the test; raise InvalidInput if the text is wrong."""
        given: dict[str, Any] = {}
        wrong = InvalidInput(f"sprt must be as in elo0=0,elo1=10, got {text[:80]!r}")
        for part in text.split(","):
            name, _, number = part.strip().partition("=")
            if name in given or name not in ("elo0", "elo1", "alpha", "beta", "scale"):
                raise wrong
            try:
                given[name] = Scale(number) if name == "scale" else decimal_number(number.strip())
            except ValueError:
                raise wrong from None
        if not {"elo0", "elo1"} <= given.keys():
            raise wrong
        return Sprt(**given)


class OvertimeType(OptionType):
    """A number of pairs of games, or ``until-decided``."""

    metavar = f"PAIRS|{UNTIL_DECIDED}"
    expected = EXPECTED

    def parse(self, text: str) -> Overtime:
        """Return the number, or the word; raise Unexpected if a text is neither."""
        try:
            return as_overtime(int(text) if re.fullmatch("[0-9]{1,9}", text) else text)
        except InvalidInput:
            raise Unexpected(self.expected) from None


RUN_OPTIONS = (
    *EXECUTOR_OPTIONS,
    *ISOLATION_OPTIONS,
    STORE,
    option("Output", "-q", "--quiet", is_flag=True, help="Write the tables only."),
    *FORMAT_OPTIONS,
)
"""Options of this machine and this run, so they are never in a tournament's file."""

TOURNAMENT_OPTIONS = (
    option("Tournament", "--format", type=Word(FORMATS), default=FORMATS[0], help="The schedule."),
    games_option(
        "Tournament",
        "Number of games in each pairing; swiss: of each player; knockout: in each match.",
        default=GAMES_IF_NOT_GIVEN,
    ),
    option(
        "Tournament",
        "--overtime",
        type=OvertimeType(),
        default=OVERTIME,
        help="Knockout: pairs of games at most after a tie, until one player is ahead (default: "
        "5). Without a decision the higher seed advances.",
    ),
    option(
        "Tournament",
        "--seats",
        type=Whole(2, 64),
        help="Number of seats (default: the fewest that the game allows).",
    ),
    option(
        "Tournament",
        "--sample",
        is_flag=True,
        help="With more than 2 seats: play a sample of games, not all combinations of players.",
    ),
    option(
        "Tournament",
        "--seed",
        type=SEED,
        help="Play the same games again with the same number. A player that guesses it knows all "
        "chance moves; small numbers are easy to guess (default: a secret is drawn).",
    ),
    option("Tournament", "--clock", type=ClockText(), help="Time limit: 1s, 60s+1s, start=20s."),
    option(
        "Tournament",
        "--openings",
        metavar="NAME|FILE|drawn",
        help="First moves of the games: the name of an opening suite of the game, a file with "
        "one opening in each line, or drawn by the seed. Overtime draws openings in any case if "
        "the start is always the same.",
    ),
    option(
        "Tournament",
        "--sprt",
        type=SprtType(),
        help="With two players: stop when the test accepts one of the two differences in Elo.",
    ),
    *RUN_OPTIONS,
)


def tournament_command(game: Declaration) -> click.Command:
    """Return ``ludograph tournament NAME``."""

    def command(_: click.Context, given: Values, players: Sequence[str], /, **rest: Any) -> None:
        from ludograph.cli.tournament.running import run

        run(game, players, [given], **rest)

    return game_subcommand(
        game,
        command,
        TOURNAMENT_OPTIONS,
        about=f"""Play a tournament of {game.name.capitalize()}.

        On each start, every player plays on every seat. You may interrupt or kill the command. To
        continue, run the same command again.
        """,
        short_help=f"A tournament of {game.name.capitalize()}.",
        examples=EXAMPLES,
    )


class Tournaments(GamesGroup):
    """A command for every game, and one for every file."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a game, or the command of a file."""
        if cmd_name.endswith(".toml"):
            return file_command(Path(cmd_name))
        return super().get_command(ctx, cmd_name)


@click.group(
    "tournament",
    cls=Tournaments,
    make=tournament_command,
    short_help="Play a tournament; it can be interrupted.",
    epilog=f"Examples:\n{EXAMPLES.format(name='flood')}{FILE_EXAMPLES}",
    options_metavar="",
    subcommand_metavar="GAME|FILE.toml [OPTIONS] PLAYERS...",
)
def tournament() -> None:
    """Play the games of a tournament, keep them in a store, and show tables.

    You may interrupt or kill the command. To continue, run the same command again.
    """


def file_command(path: Path) -> click.Command:
    """Return ``ludograph tournament FILE.toml``."""

    def command(**given: Any) -> None:
        from ludograph.cli.tournament.file import read_file
        from ludograph.cli.tournament.running import run

        run(**read_file(path), **given)

    command.__doc__ = "Play the tournament of a file."
    return click.command(
        path.name, cls=Command, epilog=f"Examples:\n{FILE_EXAMPLES}", options_metavar="[OPTIONS]"
    )(options(RUN_OPTIONS)(command))
