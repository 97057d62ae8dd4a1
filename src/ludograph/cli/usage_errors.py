"""Messages for options and arguments that are unknown, missing or wrong, each in one line."""

from __future__ import annotations

import click

from ludograph.cli.texts import safe

LONGEST = 80
"""The most letters of a wrong value in a message."""

WORDS_FOR_GAMES = {"-n", "--count", "--pairs", "--repeat"}
"""Options by which a number of games is looked for."""


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


def one_line(error: click.ClickException) -> str:
    """Return the message of an error in one line; click's own messages in our style.

    The message about an unknown option suggests similar ones. If an option is unknown, or an option
    or argument is missing, the message names the help that lists all.
    """
    if isinstance(error, click.NoSuchOption):
        meant = [name for name in error.possibilities or () if name.startswith("--")][:2]
        text = f"there is no option {error.option_name}"
        if error.option_name in WORDS_FOR_GAMES and plays_games(error.ctx):
            text += "; -r/--games gives the number of games"
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
