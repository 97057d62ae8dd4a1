"""``ludograph ladder table``: ranks and ratings on the terminal, as a page, for a grade sheet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import PICTURE_FILE, OutputFile
from ludograph.cli.program import Command, argument, option
from ludograph.games.options import OptionType

if TYPE_CHECKING:
    from ludograph.arena.ladder import LadderFolder

PAGE_FILE = OutputFile(".html")

EXAMPLES = """\
Examples:
  ludograph ladder table course                       rank, rating, 95 % interval
  ludograph ladder table course --csv > grades.csv    for a grade sheet
  ludograph ladder table course --html ladder.html --force   a page to put on a server
"""


class LadderPath(OptionType):
    """The folder of a ladder."""

    metavar = "FOLDER"
    expected = "the folder of a ladder"

    def parse(self, text: str) -> LadderFolder:
        """Return the folder, with whatever is in it."""
        from ludograph.arena.ladder import LadderFolder

        return LadderFolder(Path(text))


@click.command("table", cls=Command, epilog=EXAMPLES, short_help="Show the table of a ladder.")
@argument("folder", type=LadderPath(), metavar="FOLDER")
@option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object.")
@option("Output", "--csv", "as_csv", is_flag=True, help="Write the table as CSV.")
@option("Output", "--html", "page", type=PAGE_FILE, help="Write a page with table and plot.")
@option("Output", "--svg", "picture", type=PICTURE_FILE, help="Write a plot of ratings over time.")
def table(
    folder: LadderFolder,
    *,
    as_json: bool,
    as_csv: bool,
    page: Path | None,
    picture: Path | None,
) -> None:
    """Show the table of a ladder: rank, player, version, rating, 95 % interval, games, forfeits.

    It may be running.
    """
    from ludograph.cli.ladder.table_report import write_table

    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other")
    write_table(folder, page, picture, as_json=as_json, as_csv=as_csv)
