"""Options of several commands: the store, tables, boards, the executor, isolation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import click

from ludograph.cli.option_types import (
    GAMES,
    JOBS,
    LEVEL,
    MemoryText,
    SeedText,
)
from ludograph.cli.program import option, output
from ludograph.games.options import Whole

RUN_AGAIN = "run the same command again to continue"
"""The advice after an interruption that loses nothing."""

CONTINUED = f" If interrupted, {RUN_AGAIN}."
"""The last sentence of the help of options that name files of results."""

STORE = option(
    "Store",
    "--store",
    metavar="FILE|URL",
    help="Store of the tournaments (default: one in your home folder).",
)
"""The option of all commands that read or write tournaments."""

STORE_OF_SERIES = option(
    "Store",
    "--store",
    metavar="FILE|URL",
    help="Store for the games of a series, which 'ludograph results' reads."
    f" If interrupted, {RUN_AGAIN} (default: the games are not stored).",
)

AS_JSON = output("--json", "as_json", is_flag=True, help="Write one JSON object.")
"""The option of commands whose result is one object."""

SEATS = option(
    "Game",
    "--seats",
    type=Whole(1, 64),
    help="Number of players (default: two if the game allows it).",
)


ORIGIN = (
    SEATS,
    option("Game", "--record", metavar="FILE", help="Take positions of this recorded game."),
    option("Game", "--ply", type=Whole(0, 10**9), help="With --record: the position after ply N."),
)
"""The options of commands that begin at a start, or at a position of a recorded game."""


def games_option(section: str, meaning: str, **settings: Any) -> Callable[..., Any]:
    """Return the option of commands that play a number of games."""
    return option(section, "-r", "--games", help=meaning, **{"type": GAMES, **settings})


def seed_option(section: str) -> Callable[..., Any]:
    """Return the option of commands that can play the same games again."""
    text = "Play the same games again: a number, or a key that was shown."
    return option(section, "--seed", type=SeedText(), help=text)


@dataclass(frozen=True, slots=True)
class Lettering:
    """Whether the numbers of moves and the names of cells are written on a board."""

    numbers: bool = False
    names: bool = False


PLAIN = Lettering()


LETTERING = (
    output("--numbers", is_flag=True, help="Write the ply of its move on each stone or piece."),
    output("--names", is_flag=True, help="Write its name on each cell, such as c5."),
)
"""Options of commands that show or draw a board."""

ALL = "all"


def check_shown(wanted: Sequence[int | str], seats: int) -> None:
    """Raise UsageError if ``--show-output`` names a seat that the game does not have."""
    for seat in wanted:
        if isinstance(seat, int) and seat >= seats:
            raise click.UsageError(f"--show-output must be 0 to {seats - 1} or all, got {seat}")


FORMAT_OPTIONS = (
    AS_JSON,
    output("--csv", "as_csv", is_flag=True, help="Write the table as CSV."),
    output("--markdown", is_flag=True, help="Write the tables as Markdown."),
)


def format_of(as_json: bool, as_csv: bool, markdown: bool) -> str:
    """Return the form of tables that an option names, or ``text``; raise UsageError for two."""
    given = {"json": as_json, "csv": as_csv, "markdown": markdown}
    chosen = [name for name, value in given.items() if value]
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    return chosen[0] if chosen else "text"


CLUSTER = option(
    "Run", "--cluster", metavar="ADDRESS", help="Dask scheduler, as in tcp://host:8786."
)

EXECUTOR_OPTIONS = (
    option("Run", "-j", "--jobs", type=JOBS, help="Games at a time (default: one per core)."),
    CLUSTER,
)
"""The options of commands that play many games and store them."""


ISOLATION_OPTIONS = (
    option(
        "Players' files",
        "--isolation",
        type=LEVEL,
        help="Isolation level (default: the strongest that this machine supports).",
    ),
    option(
        "Players' files",
        "--memory",
        type=MemoryText(),
        help="Memory limit of each player (default: 2G).",
    ),
)
"""The options of commands that run players."""
