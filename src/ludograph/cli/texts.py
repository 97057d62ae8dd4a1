"""Texts for people: safe for a terminal; one line for a wrong option or argument."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

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


def show_json(data: Any) -> None:
    """Write data as one line of JSON."""
    click.echo(json.dumps(data, ensure_ascii=False))


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


LONGEST = 80
"""The most letters of a wrong value in a message."""

NUMBER = "-r/--games gives the number of games"
KEPT = "--store keeps the games, and 'ludograph results games --export' writes them to a file"
FOR_MANY_GAMES = {
    **dict.fromkeys(("-n", "--count", "--pairs", "--repeat"), NUMBER),
    **dict.fromkeys(("--games-file", "--records"), KEPT),
}
"""Advice on options that are looked for in commands that play many games."""


def wrong_value(
    parameter: click.Parameter | None, expected: object, value: str
) -> click.UsageError:
    """Return the error for a value that a parameter cannot have.

    Parameters
    ----------
    expected
        The valid values, as in ``a whole number from 1 to 50``.
    """
    name = "the value" if parameter is None else max(parameter.opts, key=len)
    return click.UsageError(f"{name} must be {expected}, got {value[:LONGEST]!r}")


def error_line(error: click.ClickException) -> str:
    """Return the message of an error in one line; click's own messages in our style.

    The message about an unknown option suggests similar ones. If an option is unknown, or an option
    or argument is missing, the message names the help that lists all.
    """
    if isinstance(error, click.NoSuchOption):
        meant = [name for name in error.possibilities or () if name.startswith("--")][:2]
        text = f"there is no option {error.option_name}"
        if error.option_name in FOR_MANY_GAMES and plays_games(error.ctx):
            text += f"; {FOR_MANY_GAMES[error.option_name]}"
        elif meant:
            text += f", did you mean {' or '.join(meant)}?"
    else:
        text = error.format_message()
    if text.startswith(("Missing ", "Option ", "Got ")):  # click's own words
        text = text[0].lower() + text[1:].rstrip(".")
    if isinstance(error, click.NoSuchOption | click.MissingParameter):
        path = error.ctx.command_path if error.ctx else "ludograph"
        text = f"{text} (see {path} --help)"
    return safe(" ".join(text.split()))


def plays_games(context: click.Context | None) -> bool:
    """Tell whether a command has the option for a number of games."""
    return context is not None and any("-r" in known.opts for known in context.command.params)
