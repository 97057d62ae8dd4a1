"""Output of players on the terminal: during a game, and after a fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from ludograph.cli.shared_options import ALL
from ludograph.cli.texts import safe
from ludograph.hosting.output_log import excerpt
from ludograph.referee import Fault, MatchResult
from ludograph.referee.sentences import finish_line

HEAD_LINES, TAIL_LINES = 8, 16
"""The most lines from the beginning and from the end of a failed player's log."""


def listener(
    wanted: Sequence[int | str], names: Sequence[str]
) -> Callable[[int, str], None] | None:
    """Return a function that writes players' lines to standard error; None without wanted seats.

    Parameters
    ----------
    wanted
        Seats, or ``all``.
    names
        By seat.
    """
    tell = series_listener(wanted)
    return tell and (lambda seat, line: tell(names[seat], seat, line))


def series_listener(wanted: Sequence[int | str]) -> Callable[[str, int, str], None] | None:
    """Return a `listener` for many games, in which players change seats."""
    if not wanted:
        return None

    def write(name: str, seat: int, line: str) -> None:
        if ALL in wanted or seat in wanted:
            click.echo(f"{safe(name)} (seat {seat}): {safe(line.expandtabs())}", err=True)

    return write


def write_faults(result: MatchResult) -> None:
    """Write to standard error the faults at the end of a game, and the output of failed players."""
    for remark in result.remarks:
        click.echo(safe(remark), err=True)
    for fault in result.finish_faults:
        name = result.names[fault.seat]
        line = finish_line(name, fault.seat, fault.reason, fault.message)
        click.echo(safe(line), err=True)
    written: set[int] = set()
    for fault in (*result.faults, *result.finish_faults):
        if fault.seat not in written:
            written.add(fault.seat)
            write_log(result.names[fault.seat], fault.seat, log_of(result, fault))


def log_of(result: MatchResult, fault: Fault) -> str:
    """Return the output of a failed player, or the trace of its error."""
    return result.logs.get(fault.seat) or fault.log


def write_log(name: str, seat: int, log: str) -> None:
    """Write the first and the last lines of a log to standard error."""
    lines = excerpt(log, HEAD_LINES, TAIL_LINES)
    if lines:
        click.echo(f"--- {safe(name)} (seat {seat}) wrote:", err=True)
        for line in lines:
            click.echo(safe(line.expandtabs()), err=True)
