"""Isolation of players' files: its options, its level on this machine, one line about it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ludograph.cli.program import option
from ludograph.games.options import OptionType, Unexpected, Word
from ludograph.players.isolation.levels import Isolation, Level

if TYPE_CHECKING:
    from ludograph.players.spec import PlayerSpec

LEVELS = ("strict", "basic", "none")
LEVEL = Word(LEVELS)
UNITS = {"M": 1 << 20, "G": 1 << 30}


class MemoryText(OptionType):
    """An amount of memory, as in ``512M`` and ``2G``."""

    metavar = "SIZE"
    expected = "an amount of memory, as in 512M or 2G"

    def parse(self, text: str) -> int:
        """Return the bytes."""
        size = text.upper().removesuffix("B").removesuffix("I")
        number, unit = size[:-1], UNITS.get(size[-1:], 0)
        if not (number.isascii() and number.isdecimal() and unit and len(number) < 6):
            raise Unexpected(self.expected)
        if not 16 << 20 <= int(number) * unit <= 1 << 44:
            raise Unexpected("from 16M to 16384G")
        return int(number) * unit


ISOLATION_OPTIONS = (
    option(
        "Players' files",
        "--isolation",
        type=LEVEL,
        help="How they are kept from the rest; the strongest that holds here.",
    ),
    option(
        "Players' files",
        "--memory",
        type=MemoryText(),
        help="What each may hold; 2G.",
    ),
)
"""Of every command that runs players."""


def isolation_for(
    players: Sequence[PlayerSpec], level: str | None, memory: int | None, *, quiet: bool
) -> Isolation:
    """Return the isolation of some players, and say which it is where that is news.

    On a terminal it is said whenever files play; elsewhere, where a level holds that is weaker
    than ``strict`` and nobody has asked for it by name.

    Raises
    ------
    InvalidInput
        If none holds here, or not the one that was asked for.
    """
    from ludograph.players.factory import is_foreign

    asked = Isolation.chosen(level, memory)
    if not any(map(is_foreign, players)):
        return asked
    return holding(asked, quiet=quiet)


def holding(asked: Isolation, *, quiet: bool) -> Isolation:
    """Return the isolation that holds here, for players that have files; say which it is likewise.

    Raises
    ------
    InvalidInput
        If none holds here, or not the one that was asked for.
    """
    from ludograph.players.isolation.trial import check_isolation

    found = check_isolation(asked.level)
    if not quiet and (sys.stderr.isatty() or (asked.level is None and found is not Level.STRICT)):
        more = "" if found is Level.STRICT else "; 'ludograph doctor' tells more"
        click.echo(f"players' files: isolation {found}{more}", err=True)
    return Isolation(found, asked.memory)
