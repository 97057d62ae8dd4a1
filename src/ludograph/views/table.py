"""Tables: columns and rows of values, written as text, with rules, as Markdown, HTML or CSV.

Cells may come from outside, such as names. No way of writing lets them act: no control character
reaches a terminal, no markup a page, no formula a spreadsheet.
"""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludograph.formatting import inert, printable
from ludograph.views.columns import pad, width

if TYPE_CHECKING:
    from rich.table import Table as RichTable

MARKUP = str.maketrans(
    {"<": "&lt;", ">": "&gt;", "&": "&amp;", **{s: f"\\{s}" for s in "\\|`*[]~$"}}
)

EMPHASIS = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
"""An underscore with which Markdown may begin or end emphasis: not one within a word."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table for people.

    Attributes
    ----------
    form
        Returns the text of a number, with its unit and its sign: the only text that is not quoted.
        None: texts and whole numbers are written as they are.
    left
        Whether it is aligned to the left, as texts are.
    absent
        The text of None.
    """

    head: str
    form: Callable[[Any], str] | None = None
    left: bool = False
    absent: str = ""

    def text(self, value: Any) -> str:
        """Return the text of a value: one line without control characters and formulas."""
        if value is None:
            return self.absent
        if self.form is not None:
            return _blanked(self.form(value))
        return inert(_blanked(value)) if isinstance(value, str) else str(value)


def left(head: str) -> Column:
    """Return a column of texts, which are aligned to the left."""
    return Column(head, left=True)


Columns = list[Column | str]
"""A text is the head of a column of whole numbers or short texts, aligned to the right."""


class Table:
    """Rows of values in columns, see :data:`Columns`.

    Examples
    --------
    >>> table = Table([left("player"), "points"], [["greedy", 7], ["random", 12]])
    >>> print("\\n".join(table.plain()))
    player  points
    greedy       7
    random      12
    >>> print(table.csv(), end="")
    player,points
    greedy,7
    random,12
    """

    def __init__(self, columns: Sequence[Column | str], rows: Iterable[Sequence[Any]]) -> None:
        self.columns = [one if isinstance(one, Column) else Column(one) for one in columns]
        self.rows = list(rows)

    def without(self, *heads: str) -> Table:
        """Return the table without the columns of these heads."""
        kept = [place for place, one in enumerate(self.columns) if one.head not in heads]
        rows = [[row[place] for place in kept] for row in self.rows]
        return Table([self.columns[place] for place in kept], rows)

    def plain(self) -> list[str]:
        """Return aligned lines of text."""
        return ["  ".join(line).rstrip() for line in self._aligned(self._lines())]

    def markdown(self) -> str:
        """Return a Markdown table whose columns are aligned as plain text, too."""
        escaped_lines = [[escaped(text) for text in line] for line in self._lines()]
        heads, *rows = self._aligned(escaped_lines, least=3)
        rule = [
            "-" * width(head) if column.left else "-" * (width(head) - 1) + ":"
            for column, head in zip(self.columns, heads, strict=True)
        ]
        return "".join(f"| {' | '.join(line)} |\n" for line in (heads, rule, *rows))

    def html(self, caption: str = "", faint: Collection[int] = ()) -> str:
        """Return an HTML table.

        Parameters
        ----------
        faint
            The rows of the class ``out``. Cells of left-aligned columns have the class ``text``.
        """
        heads, *rows = self._lines()
        classes = [' class="out"' if number in faint else "" for number in range(len(rows))]
        body = (
            f"<tr{kind}>{self._cells('td', row)}</tr>\n"
            for kind, row in zip(classes, rows, strict=True)
        )
        above = f"<caption>{_html(caption)}</caption>" if caption else ""
        head = f"<thead><tr>{self._cells('th', heads)}</tr>\n</thead>\n"
        return f"<table>{above}{head}<tbody>{''.join(body)}</tbody></table>"

    def _cells(self, tag: str, texts: Sequence[str]) -> str:
        """Return the cells of a row as HTML."""
        begins = [f'<{tag} class="text">' if column.left else f"<{tag}>" for column in self.columns]
        return "".join(
            f"{begin}{_html(text)}</{tag}>" for begin, text in zip(begins, texts, strict=True)
        )

    def rich(self, caption: str = "") -> RichTable:
        """Return the table with rules, for a terminal."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        heads, *rows = self._lines()
        drawn = RichTable(
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            caption=Text(_blanked(caption)) if caption else None,
        )
        for column, head in zip(self.columns, heads, strict=True):
            drawn.add_column(Text(head), justify="left" if column.left else "right")
        for row in rows:
            drawn.add_row(*map(Text, row))
        return drawn

    def csv(self) -> str:
        """Return the heads and the values as CSV: numbers in full, nothing for None."""
        return csv_text([[column.head for column in self.columns], *self.rows])

    def _lines(self) -> list[list[str]]:
        """Return the texts of the heads and of the rows."""
        heads = [inert(_blanked(column.head)) for column in self.columns]
        return [heads] + [
            [column.text(value) for column, value in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    def _aligned(self, lines: Sequence[Sequence[str]], least: int = 0) -> list[list[str]]:
        """Return texts padded to the width of their columns."""
        sizes = [max(least, *map(width, texts)) for texts in zip(*lines, strict=True)]
        return [
            [
                pad(text, size) if column.left else " " * (size - width(text)) + text
                for column, text, size in zip(self.columns, line, sizes, strict=True)
            ]
            for line in lines
        ]


def csv_text(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows of texts and numbers as CSV; no spreadsheet finds a formula in it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([_of_csv(value) for value in row])
    return text.getvalue()


def _of_csv(value: Any) -> Any:
    if isinstance(value, str):
        return inert(printable(value, len(value)))
    if isinstance(value, float) and math.isfinite(value):
        return round(value, 6)
    return value


def escaped(text: str) -> str:
    """Return a text that stays in its cell and has no markup: names come from outside."""
    return EMPHASIS.sub(r"\\_", _blanked(text).translate(MARKUP))


def _html(text: str) -> str:
    return html.escape(_blanked(text))


def _blanked(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else " " for sign in text)
