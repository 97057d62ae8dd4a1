"""The options that say what is written on the cells of a board that is shown or drawn."""

from __future__ import annotations

from ludograph.cli.program import option

LETTERING = (
    option(
        "Output",
        "--numbers",
        is_flag=True,
        help="Number stones, tiles and all else that moves put down, by ply.",
    ),
    option("Output", "--names", is_flag=True, help="Write on cells what moves call them."),
)
