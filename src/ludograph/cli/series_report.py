"""A series on the terminal: its tables, and how its players failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ludograph.cli.player_output import tell_log
from ludograph.cli.texts import safe, show_table
from ludograph.counting import counted
from ludograph.quoting import one_line

if TYPE_CHECKING:
    from ludograph.arena.series import SeriesResult


def show_counts(result: SeriesResult) -> None:
    """Write the tables, with rules in a terminal; as text they are ``str(result)``."""
    click.echo(safe(result.heading))
    for number, table in enumerate(result.tables()):
        if number:
            click.echo()
        show_table(table)


def tell_faults(result: SeriesResult) -> None:
    """Write to standard error how players failed first, with what they printed then."""
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
            if first.log not in logged:  # a leak at the end, say, is printed once
                logged.add(first.log)
                tell_log(tally.name, first.seat, first.log)
