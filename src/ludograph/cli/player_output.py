"""Output of players on the terminal: as it comes, after a fault, out of a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import word_or_place
from ludograph.cli.texts import safe
from ludograph.games.options import OptionType
from ludograph.players.sanitizers import excerpt

if TYPE_CHECKING:
    from ludograph.cli.play.renderers import Pause
    from ludograph.referee import Fault, MatchResult

ALL = "all"
HEAD_LINES, TAIL_LINES = 8, 16
"""Of the log of a player that failed."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """What is written on the cells of a board: numbers of moves, names of cells."""

    numbers: bool = False
    names: bool = False


PLAIN = Lettering()


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What a command that plays writes to the terminal.

    Attributes
    ----------
    quiet, as_json
        The result only; one JSON object only.
    delay
        Seconds between two moves, or ``step``: a key for each.
    outputs
        Seats, or ``all``, whose players' own output is shown as it comes.
    """

    quiet: bool = False
    as_json: bool = False
    delay: Pause = None
    outputs: Sequence[int | str] = ()
    lettering: Lettering = PLAIN

    @property
    def silent(self) -> bool:
        """Whether only the result is wanted."""
        return self.quiet or self.as_json


class Seat(OptionType):
    """A seat, or all of them."""

    metavar = "SEAT|all"
    expected = "a seat, counted from 0, or all"

    def parse(self, text: str) -> int | str:
        """Return the seat, or ``all``."""
        return word_or_place(self, text, ALL)


def check_shown(wanted: Sequence[int | str], seats: int) -> None:
    """Raise UsageError if a seat is to be heard that the game has not."""
    for seat in wanted:
        if isinstance(seat, int) and seat >= seats:
            raise click.UsageError(f"--show-output must be 0 to {seats - 1} or all, got {seat}")


def listener(
    wanted: Sequence[int | str], names: Sequence[str]
) -> Callable[[int, str], None] | None:
    """Return what writes lines of players to standard error; None if nobody wants to see any.

    Parameters
    ----------
    wanted
        Seats, or ``all``.
    names
        By seat.
    """
    if not wanted:
        return None

    def write(seat: int, line: str) -> None:
        if ALL in wanted or seat in wanted:
            write_line(names[seat], seat, line)

    return write


def series_listener(
    wanted: Sequence[int | str], names: Sequence[str]
) -> Callable[[int, int, str], None] | None:
    """Return the same for many games, in which players change seats; names are by place."""
    if not wanted:
        return None

    def write(place: int, seat: int, line: str) -> None:
        if ALL in wanted or seat in wanted:
            write_line(names[place], seat, line)

    return write


def write_line(name: str, seat: int, line: str) -> None:
    """Write what a player has printed."""
    click.echo(f"{safe(name)} (seat {seat}): {safe(line.expandtabs())}", err=True)


def tell_faults(result: MatchResult) -> None:
    """Write to standard error how players failed at the end, and what those that failed printed."""
    from ludograph.referee.sentences import finish_line

    for remark in result.remarks:
        click.echo(safe(remark), err=True)
    for fault in result.finish_faults:
        name = result.names[fault.seat]
        line = finish_line(name, fault.seat, fault.reason, fault.message)
        click.echo(safe(line), err=True)
    told: set[int] = set()
    for fault in (*result.faults, *result.finish_faults):
        if fault.seat not in told:
            told.add(fault.seat)
            tell_log(result.names[fault.seat], fault.seat, log_of(result, fault))


def log_of(result: MatchResult, fault: Fault) -> str:
    """Return what a player that failed has printed, or the trace of its error."""
    return result.logs.get(fault.seat) or fault.log


def tell_log(name: str, seat: int, log: str) -> None:
    """Write the lines of a log that matter to standard error."""
    lines = excerpt(log, HEAD_LINES, TAIL_LINES)
    if lines:
        click.echo(f"--- {safe(name)} (seat {seat}) wrote:", err=True)
        for line in lines:
            click.echo(safe(line.expandtabs()), err=True)


def show_logs(names: Sequence[str], logs: Mapping[int, str]) -> None:
    """Write all that a record keeps of what players printed, to standard output."""
    for seat, log in sorted(logs.items()):
        click.echo(f"--- {safe(names[seat])} (seat {seat}) wrote:")
        for line in log.rstrip("\n").splitlines():
            click.echo(safe(line.expandtabs()))
    if not logs:
        click.echo("No player has printed anything.")
