"""Progress on standard error: bars with the remaining time, and the standing of a tournament."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from ludograph.formatting import duration, points_text
from ludograph.views.table import Columns, Table, left

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from ludograph.arena.finished_game import FinishedGame
    from ludograph.arena.results import Results


LINE_SECONDS = 60.0
"""The time between two lines about progress where standard error is no terminal."""


def on_terminal() -> bool:
    """Tell whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextlib.contextmanager
def waiting(text: str, *, shown: bool) -> Iterator[Callable[[str], None]]:
    """Show a text with the elapsed time, if standard error is a terminal.

    Yields
    ------
    A function that replaces the text.
    """
    with _shown(text, None, shown=shown) as update:
        yield update


@contextlib.contextmanager
def progress(
    total: int | None, unit: str, *, shown: bool, done: int = 0
) -> Iterator[Callable[..., None]]:
    """Show a bar with the elapsed and the remaining time; a line a minute where is no terminal.

    Parameters
    ----------
    total, unit
        The number of steps, None if it is not known, and the name of the steps.
    done
        The number of earlier steps; they do not count for the remaining time.

    Yields
    ------
    A function that advances the bar. Its arguments are the text behind the bar, often empty, and
    the number of steps done so far, if it is not one more.
    """
    with _shown("", unit, shown=shown, total=total, completed=done) as update:

        def advance(what: str, done: int | None = None) -> None:
            update(what, completed=done, advance=1 if done is None else None)

        yield advance


@contextlib.contextmanager
def _shown(
    text: str, unit: str | None, *, shown: bool, **task: Any
) -> Iterator[Callable[..., None]]:
    """Show a bar of steps with this unit, without one a spinner; yield what updates it."""
    if not shown or not on_terminal():
        yield _lines(unit, **task) if shown and unit is not None else lambda _, **__: None
        return
    from rich import progress as rich
    from rich.console import Console

    from ludograph.rules.announcer import announcer

    said, elapsed = rich.TextColumn("{task.description}", markup=False), rich.TimeElapsedColumn()
    columns: list[str | rich.ProgressColumn] = [rich.SpinnerColumn(), said, elapsed]
    if unit is not None:
        columns = [rich.BarColumn(), rich.MofNCompleteColumn(), unit, elapsed, "gone,"]
        columns += [rich.TimeRemainingColumn(), "left", said]
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        number = bar.add_task(text, **{"total": None, **task})
        now = text

        def update(words: str, **settings: Any) -> None:
            nonlocal now
            now = words
            bar.update(number, description=now, **settings)

        with announcer.shown_by(lambda words: bar.update(number, description=words or now)):
            yield update


def _lines(unit: str, total: int | None = None, completed: int = 0) -> Callable[..., None]:
    """Return a function that counts steps, and writes their number once a minute."""
    done, said = completed, time.monotonic()

    def update(_: str, completed: int | None = None, advance: int | None = None) -> None:
        nonlocal done, said
        done = done + (advance or 0) if completed is None else completed
        if time.monotonic() - said >= LINE_SECONDS:
            said = time.monotonic()
            of = "" if total is None else f" of {total}"
            click.echo(f"{done}{of} {unit}", err=True)

    return update


ROWS = 12
"""The most rows of the table of a standing."""

REFRESHES = 4
"""The most updates of the table per second."""


class LiveStanding:
    """The counts of games, points and forfeits while games are played."""

    def __init__(self, total: int | None, games: Results) -> None:
        from ludograph.arena.tables import standings

        self.lines = {line.player: line for line in standings(games)}
        self.total, self.count = total, len(games)
        self.begin()

    def begin(self) -> None:
        """Measure games per second from now on."""
        self.now, self._began = 0, time.monotonic()

    def add(self, game: FinishedGame) -> None:
        """Count a game."""
        from ludograph.arena.tables import Standing

        self.count += 1
        self.now += 1
        for seat, points in zip(game.seats, game.points, strict=True):
            line = self.lines.setdefault(seat.player, Standing(seat.player))
            line.games += 1
            line.points += points
            if seat.forfeit:
                line.forfeits[seat.forfeit] += 1

    @property
    def speed(self) -> float:
        """Games per second of this run."""
        return self.now / max(time.monotonic() - self._began, 1e-9)

    def line(self) -> str:
        """Return the number of games, the speed and the remaining time, in words."""
        of = f" of {self.total}" if self.total is not None else ""
        text = f"{self.count}{of} games, {self.speed:.3g} a second"
        if self.total is not None and self.now:
            left = (self.total - self.count) / self.speed
            text += f", {duration(left)} left"
        return text


@contextlib.contextmanager
def live(standing: LiveStanding, *, shown: bool) -> Iterator[Callable[[], None]]:
    """Show the table while games are played, if standard error is a terminal.

    Yields
    ------
    A function to call after each game.
    """
    if not shown or not on_terminal():
        yield lambda: None
        return
    from rich.console import Console
    from rich.live import Live

    from ludograph.rules.announcer import announcer

    said = ""
    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as screen:
        last = 0.0

        def draw(force: bool = False) -> None:
            nonlocal last
            if force or time.monotonic() - last > 1 / REFRESHES:
                last = time.monotonic()
                screen.update(standing_table(standing, said), refresh=True)

        def hear(text: str) -> None:
            nonlocal said
            said = text
            draw(force=True)

        draw(force=True)
        with announcer.shown_by(hear):
            yield draw


def standing_table(standing: LiveStanding, said: str) -> RichTable:
    """Return the best players, below what is said now, or the number of games and the speed."""
    order = sorted(standing.lines.values(), key=lambda line: -line.score)
    rows = []
    for line in order[:ROWS]:
        share, forfeits = f"{100 * line.score:.1f} %", line.forfeits.total()
        rows.append([line.player, line.games, points_text(line.points), share, forfeits])
    columns: Columns = [left("player"), "games", "points", "share", "forfeits"]
    return Table(columns, rows).rich(said or standing.line())
