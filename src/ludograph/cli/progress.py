"""A bar on standard error for what takes longer than a look."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def waiting(text: str, *, shown: bool) -> Iterator[None]:
    """Show a text with the time that has passed, if standard error is a terminal."""
    if not shown or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown_now:
        shown_now.add_task(text, total=None)
        yield


@contextlib.contextmanager
def progress(
    total: int, unit: str, *, shown: bool, done: int = 0
) -> Iterator[Callable[[str], None]]:
    """Show a bar with the time that went by and is left, if standard error is a terminal.

    Parameters
    ----------
    total, unit
        How much there is to do, and of what.
    done
        How much of it was done before; the time left is told from what is done now.

    Yields
    ------
    A function that advances the bar by one; its argument, often empty, says what is done.
    """
    if not shown or not sys.stderr.isatty():
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
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total, completed=done)
        yield lambda what: bar.update(task, advance=1, description=what)
