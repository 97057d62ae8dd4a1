"""``ludograph results`` and ``rate``: tables of tournaments that are kept, finished or not."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ludograph.cli.program import Command, argument, option
from ludograph.cli.series_report import show
from ludograph.cli.store import STORE
from ludograph.cli.texts import safe
from ludograph.cli.tournament.report import Report, format_of, rated, with_formats, write
from ludograph.errors import InvalidInput
from ludograph.games.options import Whole, Word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ludograph.arena.sprt import Sprt
    from ludograph.arena.store import KeptTournament, Played, Results

NUMBER = Whole(1, 2**31)

RESULTS_EXAMPLES = """\
Examples:
  ludograph results                   the tables of the last tournament
  ludograph results 3 --markdown      those of number 3, for a page
  ludograph results --list            all tournaments
"""

RATE_EXAMPLES = """\
Examples:
  ludograph rate --anchor greedy=1000          greedy is worth 1000
  ludograph rate 3 4 --forfeits left-out       games of two tournaments, played out only
"""


@click.command("results", cls=Command, short_help="Show the tables of a tournament.")
@argument("number", type=NUMBER, required=False, metavar="[TOURNAMENT]")
@STORE
@option("Output", "--list", "lists", is_flag=True, help="List the tournaments instead.")
@with_formats
def results(number: int | None, store: str | None, lists: bool, **forms: bool) -> None:
    """Show the tables of a tournament, the last one if no number is given.

    It may be under way.
    """
    from ludograph.arena.schedules import knockout_of
    from ludograph.arena.store import ask

    form = format_of(**forms)
    if lists:
        _list(ask(store, lambda opened: opened.tournaments()), form)
        return
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
        Report(
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


@click.command("rate", cls=Command, short_help="Rate the players of tournaments.")
@argument("numbers", type=NUMBER, nargs=-1, metavar="[TOURNAMENT]...")
@option("Ratings", "--anchor", metavar="PLAYER[=ELO]", help="A player whose rating is given; 0.")
@option(
    "Ratings",
    "--forfeits",
    type=Word(("counted", "left-out")),
    default="counted",
    help="Whether games that ended by them count; counted.",
)
@STORE
@with_formats
def rate(
    numbers: tuple[int, ...],
    anchor: str | None,
    forfeits: str,
    store: str | None,
    **forms: bool,
) -> None:
    """Rate the players of one tournament or several of the same game, with 95 % intervals.

    Of a player whose file changed between tournaments each version has a rating of its own.
    """
    from ludograph.arena.store import ask

    form = format_of(**forms)
    found, (games, players) = ask(store, partial(chosen, numbers))
    options: dict[str, Any] = {"forfeits": forfeits == "counted"}
    if anchor is not None:
        options |= anchor_of(anchor, players)
    write(
        Report(
            title="; ".join(title_of(one) for one in found),
            games=sorted(games),
            players=players,
            data={"tournaments": [one.number for one in found]},
            ratings=rated(games, players, **options),
            cross=False,
        ),
        form,
    )


results.epilog, rate.epilog = RESULTS_EXAMPLES, RATE_EXAMPLES


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
    from ludograph.arena.sprt import Scale, Sprt

    data = found.declaration["sprt"]
    return Sprt(**{**data, "scale": Scale(data["scale"])})


def title_of(found: KeptTournament) -> str:
    """Return what a table says above itself."""
    declared = found.declaration
    return f"tournament {found.number}, {declared['format']}: {declared['title']}"


def _list(found: Sequence[KeptTournament], form: str) -> None:
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
    show(["number", "began", "games", "players", "what"], rows, left=(1, 4))
