"""Choice of the isolation level for players' files, and the line that reports it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from ludograph.hosting.sandbox.self_test import check_isolation
from ludograph.players.isolation import Isolation, Level
from ludograph.players.spec import PlayerSpec
from ludograph.referee.player_factory import is_foreign


def isolation_for(
    players: Sequence[PlayerSpec], level: str | None, memory: int | None, *, quiet: bool
) -> Isolation:
    """Return the isolation of players; write its level if the user may not know it.

    On a terminal the level is written whenever players have files; elsewhere, if it is weaker than
    ``strict`` and was not given by name.

    Raises
    ------
    InvalidInput
        If this machine has no isolation, or not the given level.
    """
    wanted = Isolation.chosen(level, memory)
    if not any(map(is_foreign, players)):
        return wanted
    return holding(wanted, quiet=quiet)


def holding(wanted: Isolation, *, quiet: bool) -> Isolation:
    """Return the isolation of players' files on this machine; write its level, too.

    Raises
    ------
    InvalidInput
        If this machine has no isolation, or not the given level.
    """
    level = check_isolation(wanted.level)
    if not quiet and (sys.stderr.isatty() or (wanted.level is None and level is not Level.STRICT)):
        more = "" if level is Level.STRICT else "; see 'ludograph doctor'"
        click.echo(f"players' files: isolation {level}{more}", err=True)
    return Isolation(level, wanted.memory)
