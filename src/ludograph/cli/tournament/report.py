"""The tables of a tournament: as text, Markdown, CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.program import option
from ludograph.cli.series_report import show
from ludograph.cli.texts import amount, safe

if TYPE_CHECKING:
    from ludograph.arena import PlayedGame, Rating, Ratings, Standing
    from ludograph.arena.schedules import Duel, Knockout
    from ludograph.arena.tournament import Decided

FORMAT_OPTIONS = (
    option("Output", "--json", "as_json", is_flag=True, help="Write one JSON object."),
    option("Output", "--csv", "as_csv", is_flag=True, help="Write the table as CSV."),
    option("Output", "--markdown", is_flag=True, help="Write the tables as Markdown."),
)


def with_formats(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the forms in which tables can be written to a command."""
    for add in reversed(FORMAT_OPTIONS):
        command = add(command)
    return command


def format_of(as_json: bool, as_csv: bool, markdown: bool) -> str:
    """Return in which form a table is wanted; raise UsageError if in several."""
    given = {"json": as_json, "csv": as_csv, "markdown": markdown}
    chosen = [name for name, value in given.items() if value]
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    return chosen[0] if chosen else "text"


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
    conclusion
        What the test shows of the players, in a sentence.
    ratings
        None where there is nothing to rate.
    cross
        Whether who did what against whom is wanted.
    knockout
        Where it is one: its bracket and its champion are told.
    """

    title: str
    games: Sequence[PlayedGame]
    players: Sequence[str]
    data: dict[str, Any]
    test: Decided | None = None
    conclusion: str = ""
    ratings: Ratings | None = None
    cross: bool = True
    knockout: Knockout | None = None


def write(report: Report, form: str) -> None:
    """Write a report to standard output: ``text``, ``markdown``, ``csv`` or ``json``."""
    from ludograph.arena import cross_table, standings
    from ludograph.arena.rendering import (
        bracket_markdown,
        champion_sentence,
        cross_table_markdown,
        notes,
        standings_csv,
        standings_markdown,
    )

    lines = standings(report.games, report.players, report.ratings)
    table = cross_table(report.games, [line.player for line in lines])
    rounds = report.knockout.bracket(report.games) if report.knockout else []
    if form == "json":
        click.echo(json.dumps(as_data(report, lines), ensure_ascii=False))
    elif form == "csv":
        click.echo(standings_csv(lines), nl=False)
    elif form == "markdown":
        parts = [standings_markdown(lines, report.ratings)]
        parts += [cross_table_markdown(table)] if report.cross else []
        parts += [bracket_markdown(rounds)] if rounds else []
        click.echo("\n".join(parts), nl=False)
    else:
        click.echo(f"{safe(report.title)}, {amount(len(report.games), 'game')}")
        show(*_standings(lines, report.ratings))
        if report.cross and len(lines) > 2:
            click.echo()
            show(*_cross(table))
        if rounds:
            click.echo()
            show(*_bracket(rounds))
        told = [*notes(report.ratings)]
        told += [sentence(report.test, report.conclusion)] if report.test else []
        told += [champion_sentence(rounds[-1][0].winner)] if rounds else []
        for note in told:
            click.echo(f"\n{safe(note)}")


def rated(games: Sequence[PlayedGame], players: Sequence[str], **options: Any) -> Ratings | None:
    """Return ratings of games; None if there are none of two seats or more."""
    from ludograph.arena import rate

    if not games or len(games[0].seating) < 2:
        return None
    return rate(sorted(games), players, **options)


def sentence(test: Decided, conclusion: str) -> str:
    """Return what a test shows, and its numbers."""
    state = test.state
    pairs = amount(state.pairs, "pair")
    bounds = f"{state.lower:.2f} to {state.upper:.2f}"
    return f"SPRT: {conclusion} (LLR {state.llr:.2f}, bounds {bounds}, {pairs})."


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
    if report.knockout is not None:
        rounds = report.knockout.bracket(report.games)
        found["champion"] = rounds[-1][0].winner
        found["bracket"] = [
            [
                {
                    "players": duel.players,
                    "points": duel.points,
                    "winner": duel.winner,
                    "decided_by": duel.decided_by,
                }
                for duel in matches
            ]
            for matches in rounds
        ]
    if report.test is not None:
        state = report.test.state._asdict()
        found["sprt"] = {
            **state,
            "verdict": str(state["verdict"]),
            "counts": report.test.counts,
            "conclusion": report.conclusion,
        }
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


def _bracket(rounds: list[list[Duel]]) -> tuple[list[str], list[list[str]], tuple[int, ...]]:
    from ludograph.arena.rendering import BRACKET, bracket_rows

    rows = [[safe(cell) for cell in row] for row in bracket_rows(rounds)]
    return list(BRACKET), rows, (0, 1, 3)
