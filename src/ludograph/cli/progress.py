"""Progress bars on standard error, with the elapsed and the remaining time."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator


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
    if not shown or not on_terminal():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown_now:
        task = shown_now.add_task(text, total=None)
        now = text

        def say(words: str) -> None:
            nonlocal now
            now = words
            shown_now.update(task, description=now)

        with compiling_in(lambda said: shown_now.update(task, description=said or now)):
            yield say


@contextlib.contextmanager
def progress(
    total: int | None, unit: str, *, shown: bool, done: int = 0
) -> Iterator[Callable[[str], None]]:
    """Show a bar with the elapsed and the remaining time, if standard error is a terminal.

    Parameters
    ----------
    total, unit
        The number of steps, None if it is not known, and the name of the steps.
    done
        The number of earlier steps; they do not count for the remaining time.

    Yields
    ------
    A function that advances the bar by one step; its argument is the text behind the bar, often
    empty.
    """
    if not shown or not on_terminal():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        unit,
        TimeElapsedColumn(),
        "gone,",
        TimeRemainingColumn(),
        "left",
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        with compiling_in(lambda said: bar.update(task, description=said)):
            yield lambda what: bar.update(task, advance=1, description=what)


@contextlib.contextmanager
def compiling_in(line: Callable[[str], None]) -> Iterator[None]:
    """Pass messages about compilation to a function while a bar uses the terminal's line."""
    from ludograph.rules.announcer import announcer

    before, announcer.line = announcer.line, line
    try:
        yield
    finally:
        announcer.line = before
