"""The tables of a tournament: as text, Markdown, CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.series_report import show
from ludograph.cli.texts import amount, safe

if TYPE_CHECKING:
    from ludograph.arena import PlayedGame, Rating, Ratings, Standing
    from ludograph.arena.tournament import Decided


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say of games.

    Attributes
    ----------
    title
        What they were.
    games, players
        All of them; players may have no game yet.
    data
        What a JSON object says before the tables.
    test
        How the test stands, if there is one.
    ratings
        None where there is nothing to rate.
    cross
        Whether who did what against whom is wanted.
    """

    title: str
    games: Sequence[PlayedGame]
    players: Sequence[str]
    data: dict[str, Any]
    test: Decided | None = None
    ratings: Ratings | None = None
    cross: bool = True


def write(report: Report, form: str) -> None:
    """Write a report to standard output: ``text``, ``markdown``, ``csv`` or ``json``."""
    from ludograph.arena import cross_table, standings
    from ludograph.arena.rendering import (
        cross_table_markdown,
        notes,
        standings_csv,
        standings_markdown,
    )

    lines = standings(report.games, report.players, report.ratings)
    table = cross_table(report.games, [line.player for line in lines])
    if form == "json":
        click.echo(json.dumps(as_data(report, lines), ensure_ascii=False))
    elif form == "csv":
        click.echo(standings_csv(lines), nl=False)
    elif form == "markdown":
        parts = [standings_markdown(lines, report.ratings)]
        parts += [cross_table_markdown(table)] if report.cross else []
        click.echo("\n".join(parts), nl=False)
    else:
        click.echo(f"{safe(report.title)}, {amount(len(report.games), 'game')}")
        show(*_standings(lines, report.ratings))
        if report.cross and len(lines) > 2:
            click.echo()
            show(*_cross(table))
        for note in [*notes(report.ratings), *([sentence(report.test)] if report.test else [])]:
            click.echo(f"\n{safe(note)}")


def rated(games: Sequence[PlayedGame], players: Sequence[str], **options: Any) -> Ratings | None:
    """Return ratings of games; None if there are none of two seats or more."""
    from ludograph.arena import rate

    if not games or len(games[0].seating) < 2:
        return None
    return rate(sorted(games), players, **options)


def sentence(test: Decided) -> str:
    """Return how a test stands."""
    state = test.state
    pairs = amount(state.pairs, "pair")
    bounds = f"{state.lower:.2f} to {state.upper:.2f}"
    told = {"goes on": "is not sure yet", "elo0": "accepts elo0", "elo1": "accepts elo1"}
    return f"SPRT {told[str(state.verdict)]}: LLR {state.llr:.2f} ({bounds}) after {pairs}."


def as_data(report: Report, lines: Sequence[Standing]) -> dict[str, Any]:
    """Return a report as JSON-able data."""
    from ludograph.arena import cross_table

    found = {
        **report.data,
        "title": report.title,
        "games": len(report.games),
        "players": [
            {
                "player": line.player,
                **_rating(line.rating),
                "games": line.games,
                "points": line.points,
                "wins": line.wins,
                "draws": line.draws,
                "losses": line.losses,
                "forfeits": dict(sorted(line.forfeits.items())),
            }
            for line in lines
        ],
        "meetings": [
            {
                "player": player,
                "opponent": other,
                "wins": m.wins,
                "draws": m.draws,
                "losses": m.losses,
            }
            for player, row in cross_table(report.games, [line.player for line in lines]).items()
            for other, m in row.items()
        ],
    }
    if report.test is not None:
        state = report.test.state._asdict()
        found["sprt"] = {**state, "verdict": str(state["verdict"]), "counts": report.test.counts}
    return found


def _rating(rating: Rating | None) -> dict[str, Any]:
    if rating is None:
        return {}
    return {
        name: None if (value := getattr(rating, name)) is None else round(value, 6)
        for name in ("elo", "low", "high", "superiority")
    }


def _standings(
    lines: Sequence[Standing], ratings: Ratings | None
) -> tuple[list[str], list[list[str]]]:
    from ludograph.arena.rendering import elo_text, forfeits_text, interval_text

    heads = ["player", "Elo", "95 %", "games", "points", "wins", "draws", "losses", "forfeits"]
    rows = []
    for line in lines:
        counts = [str(line.games), f"{line.points:g}"]
        counts += [str(line.wins), str(line.draws), str(line.losses), forfeits_text(line.forfeits)]
        elo = [elo_text(line.rating), interval_text(line.rating)] if ratings else ["", ""]
        rows.append([safe(line.player), *elo, *counts])
    return heads, rows


def _cross(table: dict[str, dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    places = range(1, len(table) + 1)
    rows = []
    for place, (player, row) in zip(places, table.items(), strict=True):
        cells = [
            f"{row[other].points:g}/{row[other].games}" if other in row else "-" for other in table
        ]
        rows.append([f"{place} {safe(player)}", *cells])
    return ["points of games against", *map(str, places)], rows
