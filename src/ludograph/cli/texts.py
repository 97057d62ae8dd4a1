"""Texts for people: safe for a terminal, with their numbers and units."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from ludograph.views.table import Table

FULL, EIGHTHS = "█", " ▏▎▍▌▋▊▉"


def safe(text: str) -> str:
    """Return a text with ``?`` for each control character, which could control the terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def common_start(texts: Sequence[str]) -> str:
    """Return the longest common beginning of texts."""
    low, high = min(texts), max(texts)
    same = (place for place, letter in enumerate(low) if letter != high[place])
    return low[: next(same, len(low))]


def bar(share: float, columns: int) -> str:
    """Return a bar that fills a share of some columns, to an eighth of a column."""
    eighths = round(8 * columns * min(max(share, 0.0), 1.0))
    text = FULL * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")
    return text.ljust(columns)


def show_tables(*tables: Table) -> None:
    """Write tables with empty lines between them, with ruled lines in a terminal."""
    for number, table in enumerate(tables):
        if number:
            click.echo()
        if sys.stdout.isatty():
            from rich.console import Console

            Console().print(table.rich())
        else:
            click.echo("\n".join(table.plain()))
