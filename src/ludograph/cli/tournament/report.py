"""The tables of tournaments: read from a store, rated, written as text, Markdown, CSV, JSON."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ludograph.arena.bracket import BRACKET, bracket_drawing, bracket_markdown, bracket_rows
from ludograph.arena.rendering import (
    cross_table_markdown,
    elo_text,
    forfeits_text,
    interval_text,
    standings_csv,
    standings_markdown,
)
from ludograph.arena.report import TournamentReport, rated, title_of, tournament_report
from ludograph.arena.store import Store
from ludograph.cli.texts import safe, show_table
from ludograph.counting import counted, points_text
from ludograph.errors import InvalidInput
from ludograph.numerals import decimal_number
from ludograph.views.columns import width
from ludograph.views.table import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ludograph.arena import Ratings, Standing
    from ludograph.arena.schedules import Duel
    from ludograph.arena.store import KeptTournament, Played


def write(report: TournamentReport, form: str, *, cross: bool = True) -> None:
    """Write a report to standard output: ``text``, ``markdown``, ``csv`` or ``json``.

    Parameters
    ----------
    cross
        Whether the cross table, with each player's results against each other one, is written.
    """
    lines, rounds = report.standings, report.bracket
    if form == "json":
        click.echo(json.dumps(report.to_data(), ensure_ascii=False))
    elif form == "csv":
        click.echo(standings_csv(lines), nl=False)
    elif form == "markdown":
        parts = [standings_markdown(lines, report.ratings)]
        parts += [cross_table_markdown(report.cross_table)] if cross else []
        parts += [bracket_markdown(rounds, report.bracket_notes)] if rounds else []
        click.echo("\n".join(parts), nl=False)
    else:
        click.echo(f"{safe(report.title)}, {counted(len(report.games), 'game')}")
        show_table(Table(*_standings(lines, report.ratings)))
        if cross and len(lines) > 2:
            click.echo()
            show_table(Table(*_cross(report.cross_table)))
        if rounds:
            click.echo()
            _show_bracket(rounds)
        for note in filter(None, [*report.notes, *report.bracket_notes, report.champion]):
            click.echo(f"\n{safe(note)}")


def write_results(number: int | None, store: str | None, form: str) -> None:
    """Write the tables of a tournament of a store; without a number, of the last one."""
    with Store(store, must_exist=True) as opened:
        (found,), (games, _) = chosen(opened, () if number is None else (number,))
    write(tournament_report(found.number, found.declaration, games), form)


def write_ratings(
    numbers: Sequence[int], store: str | None, form: str, anchor: str | None, *, counted: bool
) -> None:
    """Write the ratings of the players of tournaments.

    Parameters
    ----------
    anchor
        ``PLAYER`` or ``PLAYER=ELO``: the player with a fixed rating.
    counted
        Whether games that ended by forfeits count.
    """
    with Store(store, must_exist=True) as opened:
        found, (games, players) = chosen(opened, numbers)
    options: dict[str, Any] = {"forfeits": counted}
    if anchor is not None:
        options |= anchor_of(anchor, players)
    write(
        TournamentReport(
            title="; ".join(title_of(one.number, one.declaration) for one in found),
            games=sorted(games),
            players=players,
            data={"tournaments": [one.number for one in found]},
            ratings=rated(games, players, **options),
        ),
        form,
        cross=False,
    )


def _standings(
    lines: Sequence[Standing], ratings: Ratings | None
) -> tuple[list[str], list[list[str]]]:

    heads = ["player", "Elo", "95 %", "games", "points", "wins", "draws", "losses", "forfeits"]
    rows = []
    for line in lines:
        counts = [str(line.games), points_text(line.points)]
        counts += [str(line.wins), str(line.draws), str(line.losses), forfeits_text(line.forfeits)]
        elo = [elo_text(line.rating), interval_text(line.rating)] if ratings else ["", ""]
        rows.append([safe(line.player), *elo, *counts])
    return heads, rows


def _cross(table: dict[str, dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    places = range(1, len(table) + 1)
    rows = []
    for place, (player, row) in zip(places, table.items(), strict=True):
        cells = [
            f"{points_text(row[other].points)}/{row[other].games}" if other in row else "-"
            for other in table
        ]
        rows.append([f"{place} {safe(player)}", *cells])
    return ["points of games against", *map(str, places)], rows


def _show_bracket(rounds: list[list[Duel]]) -> None:
    """Draw a bracket; a terminal that is too narrow for it shows a table instead."""
    drawing = [safe(line) for line in bracket_drawing(rounds)]
    columns = shutil.get_terminal_size().columns
    if sys.stdout.isatty() and max(map(width, drawing)) > columns:
        rows = [[safe(cell) for cell in row] for row in bracket_rows(rounds)]
        show_table(Table(BRACKET, rows, left=(0, 1, 3)))
    else:
        click.echo("\n".join(drawing))


def chosen(store: Store, numbers: Sequence[int]) -> tuple[list[KeptTournament], Played]:
    """Return tournaments of one game, or the last one if no number is given, with their games."""
    found = chosen_tournaments(store, numbers)
    kinds = {(one.game, one.declaration["seats"]) for one in found}
    if len(kinds) > 1:
        kinds_text = " and ".join(f"{game} with {seats} seats" for game, seats in sorted(kinds))
        raise click.UsageError(f"games of {kinds_text} cannot be rated together")
    return found, store.played(*(one.number for one in found))


def chosen_tournaments(store: Store, numbers: Sequence[int]) -> list[KeptTournament]:
    """Return the tournaments with these numbers; without numbers, the last one that began.

    Raises
    ------
    InvalidInput
        If the store has no tournaments, or not all of these.
    """
    known = {found.number: found for found in store.tournaments()}
    if not known:
        raise InvalidInput(f"{store.name}: the store has no tournaments yet")
    for number in numbers:
        if number not in known:
            raise InvalidInput(
                f"{store.name}: there is no tournament {number}; 'ludograph results --list' "
                "lists them all"
            )
    return [known[number] for number in numbers] or [known[max(known)]]


def anchor_of(text: str, players: Sequence[str]) -> dict[str, Any]:
    """Return the anchor and, if given, its rating, as arguments of :func:`rated`."""
    name, _, elo = text.rpartition("=")
    if text in players or not name:
        return {"anchor": text}
    try:
        return {"anchor": name, "anchor_elo": decimal_number(elo)}
    except ValueError:
        raise click.UsageError(f"--anchor must be as in greedy=1000, got {text[:80]!r}") from None


def write_list(store: str | None, form: str) -> None:
    """Write a line for each tournament of a store."""
    with Store(store, must_exist=True) as opened:
        found = opened.tournaments()
    if form == "json":
        data = [
            {"tournament": one.number, "created": one.created, "games": one.games, "of": one.game}
            for one in found
        ]
        click.echo(json.dumps(data))
        return
    if form != "text":
        raise click.UsageError(f"--list has no --{form}")
    rows = [
        [str(one.number), one.created, str(one.games), str(len(one.declaration["names"])), title]
        for one in found
        for title in [f"{one.declaration['format']}: {safe(one.declaration['title'])}"]
    ]
    show_table(Table(["number", "began", "games", "players", "what"], rows, left=(1, 4)))
