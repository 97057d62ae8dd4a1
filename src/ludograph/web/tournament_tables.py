"""The values of a tournament's page, and the games that two of its players played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain, pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any
from urllib.parse import urlencode

from ludograph.arena.bracket import UNKNOWN
from ludograph.arena.rendering import elo_text, forfeits_text, interval_text, superiority
from ludograph.arena.report import TournamentReport, tournament_report
from ludograph.arena.schedules import Duel, round_name
from ludograph.arena.sprt import TestState
from ludograph.arena.store import GameFilter, KeptGame, KeptTournament, Store
from ludograph.arena.store.history import games_between
from ludograph.arena.tournament.tournament import total_games
from ludograph.counting import duration
from ludograph.errors import InvalidInput

GAMES_SHOWN = 200
"""Games that are listed on a page, at most: the latest."""

DECIDED_BY = {"seed": "tie, seeded higher", "bye": "bye"}
"""How a match was won, where its points do not show it."""


def kept_tournament(store: Store, number: int) -> KeptTournament:
    """Return a tournament of a store; raise InvalidInput if there is none of that number."""
    for one in store.tournaments():
        if one.number == number:
            return one
    raise InvalidInput(f"there is no tournament {number}")


def tournament(store: str | Path | None, number: int) -> dict[str, Any]:
    """Return the values of a tournament's page.

    Raises
    ------
    InvalidInput
        If there is none of that number.
    """
    with Store(store, must_exist=True) as opened:
        kept = kept_tournament(opened, number)
        played, _ = opened.played(number)
        games = list(opened.games(GameFilter(tournaments=(number,))))
    report = tournament_report(kept.number, kept.declaration, played)
    cross = report.cross_table if len(report.cross_table) > 2 else {}
    return {
        "tournament": kept,
        "rows": [
            {
                "line": line,
                "elo": elo_text(line.rating),
                "interval": interval_text(line.rating),
                "superiority": superiority(line.rating),
                "forfeits": forfeits_text(line.forfeits),
            }
            for line in report.standings
        ],
        "rated": report.ratings is not None,
        "notes": report.notes,
        "order": list(report.cross_table),
        "cross": cross,
        "bracket": bracket_columns(number, report.bracket),
        "bracket_notes": report.bracket_notes,
        "champion": report.champion,
        "test": None if report.test is None else llr_bar(report.test.state),
        "games": games[::-1][:GAMES_SHOWN],
        "count": len(games),
        "progress": progress(kept.declaration, report, games),
    }


RECENT = 100
"""The number of latest games by which the time left is estimated."""

QUIET = timedelta(seconds=60)
"""Time without an end of a game after which a tournament is not held to be under way."""

PAUSE = 60.0
"""Seconds without an end of a game that count as an interruption, if games are short."""


def seconds_a_game(ends: Sequence[datetime]) -> float | None:
    """Return the usual time from the end of a game to the next; None if too few have ended.

    A gap of more than ten usual ones and a minute is an interruption, which does not count.

    Parameters
    ----------
    ends
        In order.
    """
    gaps = [(later - end).total_seconds() for end, later in pairwise(ends[-RECENT:])]
    if not gaps:
        return None
    longest = PAUSE + 10 * median(gaps)
    return fmean(gap for gap in gaps if gap <= longest)


def progress(
    declaration: Mapping[str, Any], report: TournamentReport, games: Sequence[KeptGame]
) -> dict[str, Any]:
    """Return how far a tournament is.

    Returns
    -------
    values
        ``done`` of ``total`` ``things``: games, or the matches of a knockout. ``left`` is the time
        that the games left may take; empty where it is not known. ``moves_on``: whether a game
        has ended lately, and others are to come.
    """
    ends = [datetime.fromisoformat(game.played) for game in games]
    recent = bool(ends) and datetime.now(UTC) - ends[-1] < QUIET
    if report.bracket:
        recent &= report.bracket[-1][0].winner is None
        duels = [duel for duel in chain(*report.bracket) if duel.decided_by != "bye"]
        return {
            "done": sum(duel.winner is not None for duel in duels),
            "total": len(duels),
            "things": "matches",
            "left": "",
            "moves_on": recent,
        }
    total = total_games(
        declaration["format"],
        len(declaration["names"]),
        declaration["games"],
        declaration["seats"],
        sample=declaration["sample"],
    )
    pace = seconds_a_game(ends)
    stopped = report.test is not None and report.test.stopped is not None
    left = 0 if stopped else max((total or 0) - len(games), 0)
    return {
        "done": len(games),
        "total": total,
        "things": "games",
        "left": duration(left * pace) if left and pace is not None else "",
        "moves_on": recent and left > 0,
    }


def bracket_columns(number: int, rounds: Sequence[Sequence[Duel]]) -> list[dict[str, Any]]:
    """Return the rounds of a bracket from left to right, each match with the path of its games."""
    return [
        {
            "name": round_name(len(matches)),
            "matches": [_match(number, duel) for duel in matches],
        }
        for matches in rounds
    ]


def _match(number: int, duel: Duel) -> dict[str, Any] | None:
    """Return a match as its template takes it; None for a bye."""
    if duel.decided_by == "bye":
        return None
    known = None not in duel.players
    how = DECIDED_BY.get(duel.decided_by or "", "")
    if duel.overtime and duel.decided_by == "points":
        how = "after overtime"
    return {
        "players": [
            {
                "name": player or UNKNOWN,
                "points": f"{points:g}" if known else "",
                "won": player is not None and player == duel.winner,
            }
            for player, points in zip(duel.players, duel.points, strict=True)
        ],
        "how": how,
        "under_way": bool(duel.open) and any(duel.points),
        "games": games_path(f"/tournaments/{number}", *duel.players) if known else None,
    }


def games_path(base: str, player: str | None, opponent: str | None) -> str:
    """Return the path of the page with the games of two players."""
    return f"{base}/games?{urlencode({'player': player, 'opponent': opponent})}"


def pairing(
    store: str | Path | None, number: int, player: str, opponent: str
) -> tuple[KeptTournament, list[KeptGame]]:
    """Return a tournament, and the games of two of its players, the latest first.

    Raises
    ------
    InvalidInput
        If there is no such tournament, or one of them does not take part in it.
    """
    with Store(store, must_exist=True) as opened:
        kept = kept_tournament(opened, number)
        for name in (player, opponent):
            if name not in kept.declaration["names"]:
                raise InvalidInput(f"no player of tournament {number} is called {name[:60]!r}")
        return kept, games_between(opened, number, player, opponent, GAMES_SHOWN)[::-1]


WIDTH = 400
"""Of the bar of a test, in units of its picture."""


def llr_bar(state: TestState) -> dict[str, Any]:
    """Return the log-likelihood ratio of a test as places on a bar from bound to bound."""
    low, high = state.lower, state.upper

    def place(value: float) -> float:
        return round(WIDTH * (min(max(value, low), high) - low) / (high - low), 1)

    zero, now = place(0), place(state.llr)
    return {
        "llr": f"{state.llr:.2f}",
        "low": f"{low:.2f}",
        "high": f"{high:.2f}",
        "width": WIDTH,
        "zero": zero,
        "from": min(zero, now),
        "length": abs(now - zero),
        "better": state.llr >= 0,
    }
