"""The tables of tournaments: found in a store, rated, written as text, Markdown, CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ludograph.arena import cross_table, rate, standings
from ludograph.arena.rendering import (
    BRACKET,
    bracket_markdown,
    bracket_rows,
    champion_sentence,
    cross_table_markdown,
    elo_text,
    forfeits_text,
    interval_text,
    notes,
    standings_csv,
    standings_markdown,
)
from ludograph.arena.schedules import knockout_of
from ludograph.arena.sprt import Scale, Sprt
from ludograph.arena.store import ask
from ludograph.cli.texts import amount, safe, show_table
from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ludograph.arena import PlayedGame, Rating, Ratings, Standing
    from ludograph.arena.schedules import Duel, Knockout
    from ludograph.arena.sprt import Sprt
    from ludograph.arena.store import KeptTournament, Played, Results
    from ludograph.arena.tournament import Decided


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """The report of a tournament's games.

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


def write(report: TournamentReport, form: str) -> None:
    """Write a report to standard output: ``text``, ``markdown``, ``csv`` or ``json``."""
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
        show_table(*_standings(lines, report.ratings))
        if report.cross and len(lines) > 2:
            click.echo()
            show_table(*_cross(table))
        if rounds:
            click.echo()
            show_table(*_bracket(rounds))
        told = [*notes(report.ratings)]
        told += [sentence(report.test, report.conclusion)] if report.test else []
        told += [champion_sentence(rounds[-1][0].winner)] if rounds else []
        for note in told:
            click.echo(f"\n{safe(note)}")


def write_results(number: int | None, store: str | None, form: str) -> None:
    """Write the tables of a tournament of a store, of the last one if no number is given."""
    (found,), (games, _) = ask(store, partial(chosen, () if number is None else (number,)))
    names = found.declaration["names"]
    games, test, conclusion = sorted(games), None, ""
    if found.declaration.get("sprt"):
        from ludograph.arena.tournament import decided

        sprt = sprt_of(found)
        test = decided(sprt, names[0], games)
        conclusion = sprt.conclusion(test.state.verdict, *names)
        games = test.counted(games)
    write(
        TournamentReport(
            title=title_of(found),
            games=games,
            players=names,
            data={"tournament": found.number, **found.declaration},
            test=test,
            conclusion=conclusion,
            ratings=rated(games, names),
            knockout=knockout_of(found.declaration),
        ),
        form,
    )


def write_ratings(
    numbers: Sequence[int], store: str | None, form: str, anchor: str | None, *, counted: bool
) -> None:
    """Write the ratings of the players of tournaments.

    Parameters
    ----------
    anchor
        ``PLAYER`` or ``PLAYER=ELO``: whose rating is given.
    counted
        Whether games that ended by forfeits count.
    """
    found, (games, players) = ask(store, partial(chosen, numbers))
    options: dict[str, Any] = {"forfeits": counted}
    if anchor is not None:
        options |= anchor_of(anchor, players)
    write(
        TournamentReport(
            title="; ".join(title_of(one) for one in found),
            games=sorted(games),
            players=players,
            data={"tournaments": [one.number for one in found]},
            ratings=rated(games, players, **options),
            cross=False,
        ),
        form,
    )


def rated(games: Sequence[PlayedGame], players: Sequence[str], **options: Any) -> Ratings | None:
    """Return ratings of games; None if there are none of two seats or more."""
    if not games or len(games[0].seating) < 2:
        return None
    return rate(sorted(games), players, **options)


def sentence(test: Decided, conclusion: str) -> str:
    """Return what a test shows, and its numbers."""
    state = test.state
    pairs = amount(state.pairs, "pair")
    bounds = f"{state.lower:.2f} to {state.upper:.2f}"
    return f"SPRT: {conclusion} (LLR {state.llr:.2f}, bounds {bounds}, {pairs})."


def as_data(report: TournamentReport, lines: Sequence[Standing]) -> dict[str, Any]:
    """Return a report as JSON-able data."""
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

    rows = [[safe(cell) for cell in row] for row in bracket_rows(rounds)]
    return list(BRACKET), rows, (0, 1, 3)


def chosen(numbers: Sequence[int], results: Results) -> tuple[list[KeptTournament], Played]:
    """Return tournaments of one game, or the last one if no number is given, with their games."""
    found = chosen_tournaments(results, numbers)
    kinds = {(one.game, one.declaration["seats"]) for one in found}
    if len(kinds) > 1:
        told = " and ".join(f"{game} with {seats} seats" for game, seats in sorted(kinds))
        raise click.UsageError(f"games of {told} cannot be rated together")
    return found, results.played(*(one.number for one in found))


def chosen_tournaments(store: Results, numbers: Sequence[int]) -> list[KeptTournament]:
    """Return the tournaments of some numbers, or the one that began last.

    Raises
    ------
    InvalidInput
        If there are none, or one is not there.
    """
    known = {found.number: found for found in store.tournaments()}
    if not known:
        raise InvalidInput(f"{store.name}: the store has no tournaments yet")
    for number in numbers:
        if number not in known:
            raise InvalidInput(
                f"{store.name}: there is no tournament {number}; 'ludograph results --list' "
                "shows those there are"
            )
    return [known[number] for number in numbers] or [known[max(known)]]


def anchor_of(text: str, players: Sequence[str]) -> dict[str, Any]:
    """Return whose rating is given, and what it is: 0 behind a bare name."""
    name, _, elo = text.rpartition("=")
    if text in players or not name:
        return {"anchor": text}
    try:
        return {"anchor": name, "anchor_elo": float(elo)}
    except ValueError:
        raise click.UsageError(f"--anchor must be as in greedy=1000, got {text[:80]!r}") from None


def sprt_of(found: KeptTournament) -> Sprt:
    """Return the test that a tournament was last asked to stop by."""
    data = found.declaration["sprt"]
    return Sprt(**{**data, "scale": Scale(data["scale"])})


def title_of(found: KeptTournament) -> str:
    """Return what a table says above itself."""
    declared = found.declaration
    return f"tournament {found.number}, {declared['format']}: {declared['title']}"


def write_list(store: str | None, form: str) -> None:
    """Write a line for each tournament of a store."""
    found = ask(store, lambda opened: opened.tournaments())
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
    show_table(["number", "began", "games", "players", "what"], rows, left=(1, 4))
