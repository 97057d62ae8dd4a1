"""The table of a ladder as a page: one file, no script, light or dark as the reader likes it."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.arena.ladder.table import LadderTable, Line, table_cells
from ludograph.views.canvas import clean

STYLE = """\
:root{color-scheme:light dark;
--ink:#26262b;--quiet:#63636c;--rule:#d8d7d2;--ground:#fff;--row:#f4f3ef}
@media(prefers-color-scheme:dark){
:root{--ink:#e6e6ea;--quiet:#a3a3ad;--rule:#3c3c44;--ground:#1d1d21;--row:#26262c}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground);
max-width:62rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0}p{color:var(--quiet)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .6rem;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
th{color:var(--quiet);font-weight:600}td.text,th.text{text-align:left}
td.note{white-space:normal;color:var(--quiet);min-width:12rem}
tbody tr:nth-child(even){background:var(--row)}tr.out td{color:var(--quiet)}
code{font-size:.85em}svg{max-width:100%;height:auto}
"""

TEXT_COLUMNS = (1, 2, 7, 8)
NOTE = 8


def page(table: LadderTable, picture: str, when: str) -> str:
    """Return the page.

    Parameters
    ----------
    picture
        The plot of ratings over time, as SVG.
    when
        It was made.
    """
    heads, rows = table_cells(table)
    head = "".join(_cell("th", text, column) for column, text in enumerate(heads))
    body = "".join(_row(line, row) for line, row in zip(table.lines, rows, strict=True))
    title = clean(table.title)
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>\n{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
        f"<p>{table.games} games, {clean(when)}. Ratings are measured from {clean(table.anchor)}, "
        f"fixed at {table.anchor_elo:g}.</p>\n"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>'
        f"</div>\n{picture}</body></html>\n"
    )


def _row(line: Line, cells: Sequence[str]) -> str:
    kind = ' class="out"' if line.rank is None else ""
    return f"<tr{kind}>{''.join(_cell('td', text, at) for at, text in enumerate(cells))}</tr>\n"


def _cell(tag: str, text: str, column: int) -> str:
    kind = ""
    if column in TEXT_COLUMNS:
        kind = ' class="text note"' if column == NOTE and tag == "td" else ' class="text"'
    return f"<{tag}{kind}>{clean(text)}</{tag}>"
