"""Isolation of players' files: the level that holds on this machine, and a line that names it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from ludograph.players.factory import is_foreign
from ludograph.players.isolation.levels import Isolation, Level
from ludograph.players.isolation.trial import check_isolation
from ludograph.players.spec import PlayerSpec


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
    found = check_isolation(asked.level)
    if not quiet and (sys.stderr.isatty() or (asked.level is None and found is not Level.STRICT)):
        more = "" if found is Level.STRICT else "; 'ludograph doctor' tells more"
        click.echo(f"players' files: isolation {found}{more}", err=True)
    return Isolation(found, asked.memory)
