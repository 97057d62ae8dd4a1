"""The values of a tournament's page, and the games of two of its players."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import chain, pairwise
from operator import itemgetter
from pathlib import Path, PurePath
from statistics import fmean, median
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec

from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.ratings.rating import Rating
from ludograph.arena.rendering import (
    UNKNOWN,
    elo_text,
    forfeits_text,
    interval_text,
    notes,
    superiority,
)
from ludograph.arena.report import TournamentReport, tournament_report
from ludograph.arena.schedules import Duel, round_name
from ludograph.arena.store import KeptTournament, Store
from ludograph.arena.store.history import games_between, latest_ends, places, recent_games
from ludograph.arena.store.location import file_of
from ludograph.arena.tournament import total_games
from ludograph.errors import NotFound
from ludograph.formatting import duration, points_text
from ludograph.web.positions.wording import level_called, named, worded

UNLIMITED = "too few games"
"""The interval on pages where games set no limit to a rating on either side."""

GAMES_SHOWN = 200
"""The most games listed on a page: the latest ones."""

DECIDED_BY = {"seed": "tie, seeded higher", "bye": "bye"}
"""The reason of a win that the points do not show."""

FORMATS_CALLED = {
    "round-robin": "all against all",
    "gauntlet": "one against all",
    "swiss": "Swiss system",
    "knockout": "knockout",
}
"""The names of the formats on pages."""


People = tuple[tuple[str, str], ...]
"""Files of players, each with the name of the person or the team, where everybody may see it."""


class ShownPlayers(NamedTuple):
    """The players of a tournament with their names on pages.

    A player that was chosen as a level has the level's name, as in ``Easy bot``; a player of a
    ladder that shows names has that of the person or the team. The options of others are written
    as people write them.

    Attributes
    ----------
    by_name
        The name on pages of each player, by its own name; all are different.
    levels
        The players that are levels.
    """

    by_name: Mapping[str, str]
    levels: Mapping[str, str]

    @classmethod
    def of(cls, declaration: Mapping[str, Any], people: People = ()) -> ShownPlayers:
        """Return the players of a declaration."""
        names, called = declaration["names"], dict(people)
        chosen = dict(zip(names, declaration.get("levels") or (), strict=False))
        levels = {name: level_called(level) for name, level in chosen.items() if level}
        if not set(levels.values()).isdisjoint(names):  # a file with such a name plays, too
            levels = {}
        shown = {
            name: levels.get(name) or called.get(PurePath(name).name) or worded(name)
            for name in names
        }
        count = Counter(shown.values())
        return cls({name: own if count[own] == 1 else name for name, own in shown.items()}, levels)

    @property
    def meanings(self) -> str:
        """The players behind the levels, in a sentence; empty without a level."""
        told = [f"{level} is {worded(name)}" for name, level in self.levels.items()]
        return f"{', '.join(told)}." if told else ""

    def declared(self, declaration: Mapping[str, Any]) -> dict[str, Any]:
        """Return a declaration with these names."""
        return {**declaration, "names": list(self.by_name.values())}

    def called(self, name: str) -> str:
        """Return the name on pages of a player."""
        return self.by_name.get(name, name)

    def kept(self, game: FinishedGame) -> FinishedGame:
        """Return a game of lists with these names."""
        names = [seat.player for seat in game.seats]
        shown = [self.called(name) for name in names]
        seats = [
            msgspec.structs.replace(seat, player=player)
            for seat, player in zip(game.seats, shown, strict=True)
        ]
        sentence = named(game.sentence, names, shown)
        return msgspec.structs.replace(game, seats=tuple(seats), sentence=sentence)

    def name_of(self, shown: str) -> str | None:
        """Return the name in the store of a player on pages; None if there is none."""
        return next((name for name, own in self.by_name.items() if own == shown), None)


AS_NAMED = "Seeds follow the order in which the players were named."
"""The default order of the players of a knockout."""


def kept_tournament(store: Store, number: int) -> KeptTournament:
    """Return a tournament of a store; raise NotFound if there is none of that number."""
    for one in store.tournaments():
        if one.number == number:
            return one
    raise NotFound(f"there is no tournament {number}")


def tournament(store: str | Path | None, number: int, people: People) -> dict[str, Any]:
    """Return the values of a tournament's page.

    Raises
    ------
    NotFound
        If there is no tournament of that number.
    """
    with Store(store, must_exist=True) as opened:
        kept = kept_tournament(opened, number)
        played = opened.played(number)
        games = recent_games(opened, number, GAMES_SHOWN)
        numbers = places(opened, number, [game.number for game in games])
    players = ShownPlayers.of(kept.declaration, people)
    declared = players.declared(kept.declaration)
    report = tournament_report(kept.number, declared, played.renamed(players.called))
    cross = report.cross_table if len(report.cross_table) > 2 else {}
    return {
        "tournament": kept,
        "format": FORMATS_CALLED.get(kept.declaration["format"], kept.declaration["format"]),
        "meanings": players.meanings,
        "called": dict(players.by_name),
        "settings": settings_text(kept.declaration),
        "rows": bracket_standings(report) if report.bracket else rated_standings(report),
        "swiss": report.is_swiss,
        "rated": report.ratings is not None and not report.bracket,
        "notes": [*([] if report.bracket else notes(report.ratings)), *report.remarks],
        "verdict": "" if report.comparison is None else report.comparison.sentence,
        "order": list(report.cross_table),
        "cross": cross,
        "bracket": bracket_columns(number, report.bracket),
        "bracket_notes": [kept.declaration.get("seeding", AS_NAMED), *report.bracket_notes],
        "champion": report.champion,
        "winner": report.bracket[-1][0].winner if report.bracket else None,
        "reasons": sorted({reason for line in report.standings for reason in line.forfeits}),
        "games": [players.kept(game.read_by()) for game in games[::-1]],
        "numbers": numbers,
        "count": len(played),
        "progress": progress(kept.declaration, report, len(played), games),
    }


def state_of(store: Store, kept: KeptTournament, *, running: bool) -> str:
    """Return ``running``, ``interrupted`` or ``finished``.

    Parameters
    ----------
    running
        Whether this server plays the tournament; another process may play it, too.
    """
    if running:
        return "running"
    total = games_of(kept.declaration)
    is_over = total is not None and kept.games >= total
    if not is_over and (total is None or kept.declaration.get("difference")):
        report = tournament_report(kept.number, kept.declaration, store.played(kept.number))
        is_over = bool(report.champion) or is_decided(report)
    if is_over:
        return "finished"
    return "running" if is_recent(latest_ends(store, kept.number, 1)) else "interrupted"


def is_decided(report: TournamentReport) -> bool:
    """Tell whether a comparison has ended a series before its last game."""
    return report.comparison is not None and report.comparison.is_decided


def games_of(declaration: Mapping[str, Any]) -> int | None:
    """Return the number of games of a tournament; None if it depends on results."""
    return total_games(
        declaration["format"],
        len(declaration["names"]),
        declaration["games"],
        declaration["seats"],
        sample=declaration["sample"],
    )


def is_recent(ends: Sequence[str]) -> bool:
    """Tell whether the last of some games, by the times of their ends, has ended lately."""
    return bool(ends) and datetime.now(UTC) - datetime.fromisoformat(ends[-1]) < QUIET


AGE = 1.0
"""Seconds for which tables are shown although games have ended since."""

FRESH = 10.0
"""Seconds for which tables are shown although whether games still end may have changed since."""


def tables_of(
    store: str | Path | None,
    number: int,
    people: People,
    version: object,  # noqa: ARG001
) -> bytes:
    """Return the values of a tournament's page, pickled.

    The pool keeps them, if they take long, for all requests with the same version of the store.
    """
    return pickle.dumps(tournament(store, number, people))


def version_of(store: str | Path | None, now: float, *, running: bool) -> tuple[object, ...]:
    """Return a value that is the same for requests that the same tables answer.

    While games end, tables may be :data:`AGE` old, and their page asks again. Afterwards they are
    as new as the file of the store.

    Parameters
    ----------
    now
        The time.
    running
        Whether this server plays the tournament.
    """
    path = file_of(store)
    files = [] if path is None else [path, path.with_name(f"{path.name}-wal")]
    found = []
    for file in files:
        with suppress(FileNotFoundError):  # the last one to close a store removes its log
            found.append(file.stat())
    state = [(one.st_ino, one.st_size, one.st_mtime_ns) for one in found if one.st_size]
    since = now - max((one.st_mtime for one in found if one.st_size), default=now)
    if running or since < FRESH:
        return now // AGE, running
    return (state,) if since > QUIET.total_seconds() + FRESH else (state, now // FRESH)


def rated_standings(report: TournamentReport) -> list[dict[str, Any]]:
    """Return the lines of the players, the best first; equal players have the same place."""
    rows: list[dict[str, Any]] = []
    best: tuple[object, ...] = ()
    for number, line in enumerate(report.standings, 1):
        rating = line.rating
        equal = (elo_text(rating), line.points, line.games)
        place = rows[-1]["place"] if rows and equal == best else number
        best = equal
        rows.append(
            {
                "place": place,
                "line": line,
                "elo": elo_text(rating),
                "interval": interval_on_pages(rating),
                "superiority": superiority(rating),
                "forfeits": forfeits_text(line.forfeits),
            }
        )
    return rows


def interval_on_pages(rating: Rating | None) -> str:
    """Return the interval of a rating; if it has no limits, that in words."""
    return interval_text(rating, UNLIMITED)


def bracket_standings(report: TournamentReport) -> list[dict[str, Any]]:
    """Return the lines of the players of a knockout, those that came farthest first.

    ``reached`` is the round in which a player lost or plays next, or ``champion``.
    """
    reached: dict[str, tuple[int, str]] = {}
    for matches in report.bracket:
        for player in chain.from_iterable(duel.players for duel in matches):
            if player is not None:
                reached[player] = len(matches) + 1, round_name(len(matches))
    if champion := report.bracket[-1][0].winner:
        reached[champion] = 1, "champion"
    places = [reached[line.player][0] for line in report.standings]
    return [
        {
            "place": 1 + sum(other < place for other in places),
            "reached": reached[line.player][1],
            "line": line,
            "forfeits": forfeits_text(line.forfeits),
        }
        for place, line in sorted(zip(places, report.standings, strict=True), key=itemgetter(0))
    ]


def settings_text(declaration: Mapping[str, Any]) -> str:
    """Return the clock and the openings of a tournament, for its heading."""
    parts = []
    if clock := declaration.get("clock") or declaration.get("foreign_clock"):
        parts.append(f"clock {clock}")
    if openings := declaration.get("openings"):
        parts.append(f"openings {openings}")
    return ", ".join(parts)


RECENT = 100
"""The number of latest games for the estimate of the time left."""

QUIET = timedelta(seconds=60)
"""The time without an end of a game after which a tournament counts as not running."""

PAUSE = 60.0
"""Seconds without an end of a game that count as an interruption, if games are short."""


def seconds_a_game(ends: Sequence[datetime]) -> float | None:
    """Return the usual time from the end of a game to the next; None if too few have ended.

    A gap of more than ten usual ones plus a minute counts as an interruption and is left out.

    Parameters
    ----------
    ends
        The times of ends, in order.
    """
    gaps = [(later - end).total_seconds() for end, later in pairwise(ends[-RECENT:])]
    if not gaps:
        return None
    longest = PAUSE + 10 * median(gaps)
    return fmean(gap for gap in gaps if gap <= longest)


def progress(
    declaration: Mapping[str, Any],
    report: TournamentReport,
    count: int,
    latest: Sequence[FinishedGame],
) -> dict[str, Any]:
    """Return the progress of a tournament.

    Parameters
    ----------
    count
        The number of its games.
    latest
        The latest of them, in the order of their ends.

    Returns
    -------
    values
        ``done`` of ``total`` ``things``: games, or the matches of a knockout. ``left`` is the
        estimated time of the remaining games; empty if it is not known. ``moves_on``: whether a
        game has ended lately, and others will follow. ``stopped``: whether a comparison has ended
        it.
    """
    recent = is_recent([game.ended for game in latest])
    total, stopped = games_of(declaration), is_decided(report)
    pace = seconds_a_game([datetime.fromisoformat(game.ended) for game in latest])
    left = 0 if stopped else max((total or 0) - count, 0)
    values = {
        "done": count,
        "total": total,
        "things": "games",
        "left": duration(left * pace) if left and pace is not None else "",
        "moves_on": recent and left > 0,
        "stopped": stopped,
    }
    if report.bracket:
        duels = [duel for duel in chain(*report.bracket) if duel.decided_by != "bye"]
        values |= {"done": sum(duel.winner is not None for duel in duels), "total": len(duels)}
        values |= {"things": "matches", "left": ""}
        values |= {"moves_on": recent and report.bracket[-1][0].winner is None}
    return values


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
    """Return a match for its template; None for a bye."""
    if duel.decided_by == "bye":
        return None
    known = None not in duel.players
    names = urlencode(dict(zip(("player", "opponent"), duel.players, strict=True)))
    how = DECIDED_BY.get(duel.decided_by or "", "")
    if duel.overtime and duel.decided_by == "points":
        how = "after overtime"
    return {
        "players": [
            {
                "name": player or UNKNOWN,
                "points": points_text(points) if known else "",
                "won": player is not None and player == duel.winner,
            }
            for player, points in zip(duel.players, duel.points, strict=True)
        ],
        "how": how,
        "under_way": bool(duel.open) and any(duel.points),
        "games": f"/tournaments/{number}/games?{names}" if known else None,
    }


def pairing(
    store: str | Path | None, number: int, people: People, player: str, opponent: str
) -> tuple[KeptTournament, list[FinishedGame], dict[int, int]]:
    """Return a tournament, the games of two of its players, the latest first, and their places.

    Parameters
    ----------
    player, opponent
        The names on pages.

    Raises
    ------
    NotFound
        If there is no such tournament, or one of them does not take part in it.
    """
    with Store(store, must_exist=True) as opened:
        kept = kept_tournament(opened, number)
        players = ShownPlayers.of(kept.declaration, people)
        own, other = players.name_of(player), players.name_of(opponent)
        if own is None or other is None:
            absent = player if own is None else opponent
            raise NotFound(f"no player of tournament {number} is called {absent[:60]!r}")
        found = games_between(opened, number, own, other, GAMES_SHOWN)
        numbers = places(opened, number, [game.number for game in found])
        return kept, [players.kept(game.read_by()) for game in found[::-1]], numbers
