"""``ludograph ladder table``: ranks and ratings on the terminal, as a page, for a grade sheet."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludograph.cli.option_types import PICTURE_FILE, OutputFile
from ludograph.cli.program import Command, argument, option
from ludograph.cli.texts import amount, safe, show_table
from ludograph.games.options import OptionType

if TYPE_CHECKING:
    from ludograph.arena.ladder import LadderFolder
    from ludograph.arena.ladder.table import LadderTable

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
    from ludograph.arena.ladder.table import table_csv, table_data

    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other")
    found = table_of(folder)
    write_pictures(folder, found, page, picture)
    if as_json:
        click.echo(json.dumps(table_data(found), ensure_ascii=False))
    elif as_csv:
        click.echo(table_csv(found), nl=False)
    elif page is None and picture is None:
        write(found)


def table_of(folder: LadderFolder) -> LadderTable:
    """Return the table of a ladder as it is now."""
    from ludograph.arena.ladder.table import ladder_now
    from ludograph.cli.ladder.file import read_ladder

    return ladder_now(read_ladder(folder)).table


def write_pictures(
    folder: LadderFolder, found: LadderTable, page: Path | None, picture: Path | None
) -> None:
    """Write the page and the plot that were asked for."""
    if page is None and picture is None:
        return

    from ludograph.arena.ladder.folder import write_whole
    from ludograph.arena.ladder.rating_history import plot, read_snapshots
    from ludograph.arena.ladder.table import page as made_page

    players = [line.player for line in found.lines if line.rating is not None]
    drawn = plot(read_snapshots(folder), players, "Ratings over time")
    if picture is not None:
        write_whole(picture, drawn.encode())
    if page is not None:
        when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        write_whole(page, made_page(found, drawn, when).encode())


def write(found: LadderTable) -> None:
    """Write a table for people."""
    from ludograph.arena.ladder.table import texts_of

    click.echo(safe(f"{found.title}, {amount(found.games, 'game')}"))
    if not found.lines:
        click.echo("Nobody has come yet.")
        return
    texts = texts_of(found)
    rows = [[safe(cell) for cell in row] for row in texts.rows]
    show_table(texts.heads, rows, texts.left)
    click.echo(f"\nRatings are measured from {found.anchor}, fixed at {found.anchor_elo:g}.")
    if found.distinct < found.games:
        click.echo(
            f"{amount(found.games - found.distinct, 'game')} repeated earlier ones move by move; "
            f"ratings stand on the other {found.distinct}."
        )
