"""Tables: the same rows as aligned text, with rules on a terminal, as Markdown, HTML or CSV."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludograph.quoting import inert, printable
from ludograph.views.columns import pad, width

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Cell = str | int | float | None

MARKUP = str.maketrans(
    {"<": "&lt;", ">": "&gt;", "&": "&amp;", **{s: f"\\{s}" for s in "\\|`*[]~$"}}
)

EMPHASIS = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
"""An underscore with which Markdown may begin or end emphasis: not one within a word."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts under their heads.

    Attributes
    ----------
    left
        The columns of texts, which are aligned to the left, and where no spreadsheet finds a
        formula; others are aligned to the right, as numbers.

    Examples
    --------
    >>> table = Table(["player", "points"], [["greedy", "7.5"], ["random", "12"]])
    >>> print("\\n".join(table.plain()))
    player  points
    greedy     7.5
    random      12
    """

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Sequence[int] = (0,)

    def plain(self) -> list[str]:
        """Return aligned lines of text, without control characters."""
        lines = self._lines()
        widths = [max(width(line[column]) for line in lines) for column in range(len(self.heads))]
        return [
            "  ".join(
                pad(cell, size) if column in self.left else " " * (size - width(cell)) + cell
                for column, (cell, size) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        ]

    def markdown(self) -> str:
        """Return a Markdown table whose columns are aligned as plain text, too."""
        cells = [[escaped(cell) for cell in row] for row in self._lines()]
        widths = [max(3, *(len(row[column]) for row in cells)) for column in range(len(self.heads))]

        def line(row: Sequence[str]) -> str:
            padded = (
                cell.ljust(width) if column in self.left else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            return f"| {' | '.join(padded)} |\n"

        rule = [
            "-" * width if column in self.left else "-" * (width - 1) + ":"
            for column, width in enumerate(widths)
        ]
        return line(cells[0]) + line(rule) + "".join(map(line, cells[1:]))

    def html(self, caption: str = "", faint: Collection[int] = ()) -> str:
        """Return an HTML table in which every text is escaped.

        Parameters
        ----------
        faint
            The rows of the class ``out``. Cells of left-aligned columns have the class ``text``.
        """

        def line(tag: str, cells: Sequence[str], kind: str = "") -> str:
            classes = [' class="text"' if n in self.left else "" for n in range(len(cells))]
            written = (
                f"<{tag}{of_text}>{_html(cell)}</{tag}>"
                for of_text, cell in zip(classes, cells, strict=True)
            )
            return f"<tr{kind}>{''.join(written)}</tr>\n"

        heads, *rows = self._lines()
        body = (
            line("td", row, ' class="out"' if number in faint else "")
            for number, row in enumerate(rows)
        )
        above = f"<caption>{_html(caption)}</caption>" if caption else ""
        head = line("th", heads)
        return f"<table>{above}<thead>{head}</thead>\n<tbody>{''.join(body)}</tbody></table>"

    def rich(self, caption: str = "") -> RichTable:
        """Return the table with rules, for a terminal, without control characters."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        heads, *rows = self._lines()
        drawn = RichTable(
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            caption=Text(_blanked(caption)) if caption else None,
        )
        for number, head in enumerate(heads):
            drawn.add_column(Text(head), justify="left" if number in self.left else "right")
        for row in rows:
            drawn.add_row(*map(Text, row))
        return drawn

    def _lines(self) -> list[list[str]]:
        """Return the heads and the rows, without control characters and without formulas."""
        return [
            [
                inert(_blanked(cell)) if column in self.left else _blanked(cell)
                for column, cell in enumerate(row)
            ]
            for row in (self.heads, *self.rows)
        ]


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """Return rows as CSV, without control characters and without formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow([_of_csv(cell) for cell in row])
    return text.getvalue()


def _of_csv(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return inert(printable(cell, len(cell)))
    return round(cell, 6) if isinstance(cell, float) and math.isfinite(cell) else cell


def escaped(text: str) -> str:
    """Return a text that stays in its cell and has no markup: names come from outside."""
    return EMPHASIS.sub(r"\\_", _blanked(text).translate(MARKUP))


def _html(text: str) -> str:
    return html.escape(_blanked(text))


def _blanked(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)
