"""The frames of HTP, which are those of GTP version 2.

A command is a line, ``[id] name arguments``; a response is ``=[id] text`` or ``?[id] message``,
ended by an empty line. Nothing else is ever written to standard output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

COLORS = {"black": 0, "b": 0, "white": 1, "w": 1}
"""The names of colors, in any case."""

COLOR_NAMES = ("black", "white")

LONGEST = 1 << 12
"""The most bytes of a line; the rest is cut off."""

_IGNORED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ID = re.compile(r"([0-9]{1,10})(?:\s+|$)")


class HtpCommand(NamedTuple):
    """A command, taken apart; its ``number`` is empty if it has none."""

    number: str
    name: str
    arguments: list[str]


def read_lines(source: BinaryIO) -> Iterator[str]:
    r"""Read lines until the input ends; invalid UTF-8 is replaced, and long lines are cut.

    Examples
    --------
    >>> import io
    >>> list(read_lines(io.BytesIO(b"name\\nqu\\xffit")))
    ['name\\n', 'qu\ufffdit']
    """
    while line := source.readline(LONGEST):
        rest = line
        while len(rest) == LONGEST and not rest.endswith(b"\n"):
            rest = source.readline(LONGEST)
        yield line.decode("utf-8", "replace")


def parse_command(line: str) -> HtpCommand | None:
    r"""Parse a line; None for one that is empty or a comment.

    Examples
    --------
    >>> parse_command("12 play  black\\ta1 # the corner\\n")
    Command(number='12', name='play', arguments=['black', 'a1'])
    >>> parse_command("# nothing") is None
    True
    """
    text = _IGNORED.sub("", line).partition("#")[0].strip()
    found = _ID.match(text)
    number = found[1] if found else ""
    words = text[found.end() if found else 0 :].split()
    if not words:
        return None if not number else HtpCommand(number, "", [])
    return HtpCommand(number, words[0], words[1:])


def success(number: str, text: str) -> str:
    """Return the response to a successful command."""
    return f"={number}{_body(text)}\n\n"


def failure(number: str, message: str) -> str:
    """Return the response to a failed command."""
    return f"?{number}{_body(message)}\n\n"


def _body(text: str) -> str:
    """Return the text after the status, without empty lines, which would end the response.

    A text that begins with a line feed begins on a line of its own.
    """
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    first = "\n" if text.startswith("\n") else " " if lines else ""
    return first + "\n".join(lines)
