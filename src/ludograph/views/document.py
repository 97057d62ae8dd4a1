"""An HTML document in one file, with dark colors if the reader's system is dark."""

from __future__ import annotations

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
td:last-child{white-space:normal;color:var(--quiet);min-width:12rem}
tbody tr:nth-child(even){background:var(--row)}tr.out td{color:var(--quiet)}
code{font-size:.85em}svg{max-width:100%;height:auto}
"""


def document(title: str, body: str) -> str:
    """Return a complete HTML document with a title; ``body`` is HTML."""
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{clean(title)}</title><style>\n{STYLE}</style></head>\n"
        f"<body><h1>{clean(title)}</h1>\n{body}</body></html>\n"
    )
