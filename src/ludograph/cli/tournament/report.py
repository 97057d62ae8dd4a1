"""The tables of tournaments: read from a store, rated, written as text, Markdown, CSV, JSON."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ludograph.arena.bracket import bracket_drawing, bracket_table
from ludograph.arena.rendering import WIDE
from ludograph.arena.report import (
    TournamentReport,
    is_pairing,
    rated,
    title_of,
    tournament_report,
)
from ludograph.arena.store import Store
from ludograph.cli.texts import safe, show_tables
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games.options import decimal_number
from ludograph.views.columns import width
from ludograph.views.table import Columns, Table, left

if TYPE_CHECKING:
    from ludograph.arena.results import Results
    from ludograph.arena.schedules import Duel
    from ludograph.arena.store import KeptTournament


def write(report: TournamentReport, form: str, *, cross: bool = True) -> None:
    """Write a report to standard output: ``text``, ``markdown``, ``csv`` or ``json``.

    Parameters
    ----------
    cross
        Whether the cross table, with each player's results against each other one, is written.
    """
    if form == "json":
        click.echo(json.dumps(report.to_data(), ensure_ascii=False))
    elif form == "csv":
        click.echo(report.csv(), nl=False)
    elif form == "markdown":
        click.echo(report.markdown(cross=cross), nl=False)
    else:
        click.echo(f"{safe(report.title)}, {counted(len(report.games), 'game')}")
        standings, *others = report.tables(cross=cross)
        show_tables(standings.without(*WIDE), *others)
        if report.bracket:
            click.echo()
            _show_bracket(report.bracket)
        for note in report.notes:
            click.echo(f"\n{safe(note)}")


def write_results(number: int | None, store: str | None, form: str) -> None:
    """Write the tables of a tournament of a store; without a number, of the last one."""
    with Store(store, must_exist=True) as opened:
        (found,), games = chosen(opened, () if number is None else (number,))
        report = report_of(opened, found.number, found.declaration, games)
    write(report, form)


def report_of(
    store: Store, number: int, declaration: Mapping[str, Any], games: Results
) -> TournamentReport:
    """Return the report of some games of a tournament, with the counts of a pairing."""
    totals = None
    if len(games) and is_pairing(declaration):
        totals = store.totals(number, declaration["seats"], int(games.starts.max()))
    return tournament_report(number, declaration, games, totals)


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
        found, games = chosen(opened, numbers)
    options: dict[str, Any] = {"forfeits": counted}
    if anchor is not None:
        options |= anchor_of(anchor, games.names)
    write(
        TournamentReport(
            title="; ".join(title_of(one.number, one.declaration) for one in found),
            games=games.sorted(),
            players=games.names,
            data={"tournaments": [one.number for one in found]},
            ratings=rated(games, games.names, **options),
        ),
        form,
        cross=False,
    )


def _show_bracket(rounds: list[list[Duel]]) -> None:
    """Draw a bracket; a terminal that is too narrow for it shows a table instead."""
    drawing = [safe(line) for line in bracket_drawing(rounds)]
    columns = shutil.get_terminal_size().columns
    if sys.stdout.isatty() and max(map(width, drawing)) > columns:
        show_tables(bracket_table(rounds))
    else:
        click.echo("\n".join(drawing))


def chosen(store: Store, numbers: Sequence[int]) -> tuple[list[KeptTournament], Results]:
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
    columns: Columns = ["number", left("began"), "games", "players", left("what")]
    rows = []
    for one in found:
        told = one.declaration
        what = f"{told['format']}: {told['title']}"
        rows.append([one.number, one.created, one.games, len(told["names"]), what])
    show_tables(Table(columns, rows))
