"""Values in sentences: numbers with nouns or units; what is from outside, bounded and printable."""

from __future__ import annotations

import re
from typing import Any

NAME_LIMIT = 60
VALUE_LIMIT = 200
MESSAGE_LIMIT = 4096
"""The stored characters of a fault's message."""

HIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""A control character, but no space; a direction mark; a character that is not drawn."""

SEPARATORS = r"[,;|\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]"
"""Characters at which a spreadsheet may split a text into cells."""

HARMLESS = rf"[0-9]+(?:\.[0-9]+)? +[^\W\d_]\w*(?: +\w+)* *(?:(?!\|){SEPARATORS}|\Z)"
"""A number and words behind a plus or minus: no formula, whatever the next cell is.

A number alone may go on there: ``-1`` with ``,5*A1`` where commas are decimal points.
"""

FORMULA = re.compile(rf"((?:^|{SEPARATORS})[\s\"']*)([=@＝＋－＠]|[+\-](?!{HARMLESS}))")
"""A sign with which a formula begins in a spreadsheet, and what is before it.

It begins a cell: of the text itself, or of a part of it, for a spreadsheet that splits lines at
another separator than the writer's, or splits quoted texts, too.
"""


def printable(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """Return a text that is safe to show and to store: bounded, without control characters."""
    if len(text) > limit:
        text = text[: limit // 2] + f" [... {len(text) - limit} more ...] " + text[-limit // 2 :]
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)


def visible(text: str) -> str:
    r"""Return a text with the code of each character that changes what is around it unseen.

    Examples
    --------
    >>> print(visible("a\u202egpj.exe"))
    a\x202egpj.exe
    """
    return HIDDEN.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def one_line(text: str, limit: int = NAME_LIMIT) -> str:
    r"""Return a text for a place in a line, such as a player's own name.

    Examples
    --------
    >>> print(one_line("my\n bot\a"))
    my bot\x07
    >>> len(one_line("x" * 10_000))
    60
    """
    line = printable(" ".join(text[: 8 * limit].split()), 8 * limit)
    return line if len(line) <= limit else line[: limit - 3] + "..."


def described(value: Any) -> str:
    """Return a short text for any answer of a player; it never raises."""
    try:
        if isinstance(value, str | bytes):
            value = value[: 2 * VALUE_LIMIT]
        elif isinstance(value, int) and value.bit_length() > 64:
            return f"an integer of {value.bit_length()} bits"
        elif isinstance(value, list | tuple | set | frozenset | dict) and len(value) > 20:
            return f"a {type(value).__name__} of {len(value)}"
        return one_line(repr(value), VALUE_LIMIT)
    except Exception:  # noqa: BLE001  (a player's own code)
        return f"a {one_line(type(value).__name__)}"


def quoted(name: Any) -> str:
    r"""Return a name from outside, for example of a vertex, for use in a sentence.

    Examples
    --------
    >>> print(quoted("Rue\n1"), quoted(7), len(quoted("x" * 10_000)))
    'Rue\n1' 7 60
    """
    return one_line(described(name))


FOLDERS = re.compile(r"(?<![\w./])/(?:[^\s/:;,'\"]+/)+")
"""The folders of an absolute path."""


def without_folders(text: str) -> str:
    """Return a text for visitors of a server: paths in it are names of files.

    Examples
    --------
    >>> without_folders("/srv/course/people.json: it is damaged (see ladders/course/me)")
    'people.json: it is damaged (see ladders/course/me)'
    """
    return FOLDERS.sub("", text)


def inert(text: str) -> str:
    """Return a text for a table, in which no spreadsheet finds a formula.

    Each sign with which one would begin has a quotation mark before it.

    Examples
    --------
    >>> print(inert("=1+1"), inert("my_bot.py"), inert("broken; =1+1"))
    '=1+1 my_bot.py broken; '=1+1
    >>> print(inert("3,-1 r2 m4"), inert("-1*2"))
    3,-1 r2 m4 '-1*2
    """
    return FORMULA.sub(r"\1'\2", text)


IRREGULAR = {"vertex": "vertices"}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, as in ``1 game``, ``2 games``, ``2 vertices``."""
    return f"{number} {noun if number == 1 else IRREGULAR.get(noun, f'{noun}s')}"


def points_text(points: float) -> str:
    """Return a sum of points with six digits; a large one with all digits up to the tenths.

    Examples
    --------
    >>> points_text(12.5), points_text(100000.5), points_text(2000000.0)
    ('12.5', '100000.5', '2000000')
    """
    return f"{points:zg}" if abs(points) < 1e5 else f"{points:.1f}".removesuffix(".0")


def seconds(time: float) -> str:
    """Return a duration with three digits and a fitting unit."""
    if time >= 99.95:
        return f"{time:.0f} s"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if time >= 0.9995 * size:
            return f"{time / size:.3g} {unit}"
    return f"{time / 1e-6:.0f} µs"


def duration(seconds: float) -> str:
    """Return a time to wait, as in ``40 s``, ``12 min`` and ``3 h 5 min``."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
