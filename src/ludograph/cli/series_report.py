"""A series on the terminal: its tables, and the faults of its players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ludograph.cli.player_output import write_log
from ludograph.cli.texts import safe, show_tables
from ludograph.counting import counted
from ludograph.quoting import one_line

if TYPE_CHECKING:
    from ludograph.arena.series import SeriesResult


def show_counts(result: SeriesResult) -> None:
    """Write the tables, with ruled lines in a terminal; elsewhere they are ``str(result)``."""
    click.echo(safe(result.heading))
    show_tables(*result.tables())


def write_faults(result: SeriesResult) -> None:
    """Write to standard error each player's first fault of a kind, with the player's output."""
    games, logged = result.games, set()
    if games and result.forfeited == games:
        every = "the game was forfeited" if games == 1 else f"all {games} games were forfeited"
        click.echo(f"{every}: none was played to its end", err=True)
    kinds = ((result.first_faults, "the first {}"), (result.first_finish_faults, "{}"))
    for firsts, called in kinds:
        for (place, reason), first in firsts.items():
            tally = result.players[place]
            line = f"{tally.name}, {called.format(reason)}"
            if firsts is result.first_finish_faults:
                times = counted(tally.finish_faults[reason], "game")
                line += f" at the end of {times}, whose result stands"
            click.echo(safe(f"{line}: {one_line(first.message, 400)}"), err=True)
            if first.log not in logged:  # for example, a leak at the end is printed once
                logged.add(first.log)
                write_log(tally.name, first.seat, first.log)
