"""The table of a ladder: on the terminal, as CSV and JSON, as a web page with a plot."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import click

from ludograph.arena.ladder import Ladder, LadderFolder
from ludograph.arena.ladder.folder import write_whole
from ludograph.arena.ladder.rating_history import plot, read_snapshots
from ludograph.arena.ladder.state import read_state
from ludograph.arena.ladder.table import LadderTable, ladder_now, sheet_of, table_data, texts_of
from ludograph.arena.ladder.table import page as made_page
from ludograph.cli.ladder.file import read_ladder
from ludograph.cli.texts import safe, show_tables
from ludograph.formatting import counted


def write_table(
    folder: LadderFolder,
    page: Path | None,
    picture: Path | None,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Write the table of a ladder in the form that the options name."""
    ladder = read_ladder(folder)
    standings = ladder_now(ladder).table
    write_pictures(ladder, standings, page, picture)
    if as_json:
        click.echo(json.dumps(table_data(standings), ensure_ascii=False))
    elif as_csv:
        click.echo(sheet_of(standings).csv(), nl=False)
    elif page is None and picture is None:
        write(standings)


def table_of(folder: LadderFolder) -> LadderTable:
    """Return the table of a ladder as it is now."""
    return ladder_now(read_ladder(folder)).table


def write_pictures(
    ladder: Ladder, standings: LadderTable, page: Path | None, picture: Path | None
) -> None:
    """Write the page and the plot that the options name."""
    if page is None and picture is None:
        return
    players = [line.player for line in standings.lines if line.rating is not None]
    drawn = plot(
        read_snapshots(ladder.folder, read_state(ladder.folder).number),
        players,
        "Ratings over time",
    )
    if picture is not None:
        write_whole(picture, drawn.encode())
    if page is not None:
        when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        write_whole(page, made_page(standings, drawn, when).encode())


def write(standings: LadderTable) -> None:
    """Write a table for people."""
    click.echo(safe(f"{standings.title}, {counted(standings.games, 'game')}"))
    if standings.remark:
        click.echo(standings.remark)
    if not standings.lines:
        click.echo("No player has joined yet.")
        return
    show_tables(texts_of(standings))
    click.echo(
        f"\nRatings are measured from {standings.anchor}, fixed at {standings.anchor_elo:g}."
    )
    repeated = standings.games - standings.distinct
    if repeated > 0:
        click.echo(
            f"{counted(repeated, 'game')} repeated earlier ones move by move; "
            f"ratings use the other {standings.distinct}."
        )
