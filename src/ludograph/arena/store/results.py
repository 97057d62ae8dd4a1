"""Results of tournaments in a store: the tournaments, and their games for tables and ratings."""

from __future__ import annotations

import contextlib
import gc
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, case, func, select

from ludograph.arena.played_game import Forfeit, PlayedGame
from ludograph.arena.store.games import of_tournaments, seat_rows
from ludograph.arena.store.integrity import Damaged, result_checksum, tournament_checksum
from ludograph.arena.store.schema import COUNTS, GAMES, PLAYERS, SEATS, TOURNAMENTS

VERSION_LETTERS = 8
"""Letters of a digest behind the name of a player that has several versions."""

START_DISTANCE = 1 << 32
"""Between the starts of two tournaments whose games are looked at together."""


class KeptTournament(NamedTuple):
    """A tournament in a store; ``games`` is the number of its finished games."""

    number: int
    key: str
    game: str
    declaration: dict[str, Any]
    created: str
    games: int


class Played(NamedTuple):
    """Games for tables and ratings, and the names of all players in them."""

    games: list[PlayedGame]
    players: list[str]


class PlayerVersion(NamedTuple):
    """A player: its name, and the digest of its file; empty for one without a file."""

    name: str
    version: str = ""


def read_tournaments(connection: Connection) -> list[KeptTournament]:
    """Return all tournaments, in the order in which they began.

    Raises
    ------
    Damaged
        If one is not what was written.
    """
    games = select(func.count()).where(GAMES.c.tournament == TOURNAMENTS.c.id).scalar_subquery()
    query = select(TOURNAMENTS, games.label("games")).order_by(TOURNAMENTS.c.id)
    tournaments = []
    for row in connection.execute(query):
        texts = (row.key, row.game, row.declaration, row.created)
        try:
            declaration = json.loads(row.declaration)
        except (TypeError, ValueError):
            declaration = None
        if declaration is None or row.checksum not in (None, tournament_checksum(*texts)):
            raise Damaged(f"tournament {row.id} is not what was written")
        tournaments.append(
            KeptTournament(row.id, row.key, row.game, declaration, row.created, row.games)
        )
    return tournaments


def read_played(connection: Connection, tournaments: Sequence[int]) -> Played:
    """Return all games of some tournaments.

    Each tournament has starts of its own. A player that took part with several versions of its
    file has a name for each version.

    Raises
    ------
    Damaged
        If a game is missing, or is not what was written.
    """
    ours = of_tournaments(*tournaments)
    first_start = {number: n * START_DISTANCE for n, number in enumerate(sorted(tournaments))}
    with without_garbage_collection():
        results = list(read_results(connection, ours))
        _check_counts(connection, tournaments, results)
        names = names_of({player for result in results for player in result.players})
        games = [result.played(names, first_start[result.tournament]) for result in results]
    return Played(games, sorted(names.values()))


class StoredResult(NamedTuple):
    """The result of a game in a store; ``number`` and ``tournament`` are those of the store."""

    number: int
    tournament: int
    start: int
    line: int
    players: tuple[PlayerVersion, ...]
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    forfeits: tuple[Forfeit, ...]

    def played(self, names: Mapping[PlayerVersion, str], first_start: int = 0) -> PlayedGame:
        """Return the result for tables and ratings."""
        return PlayedGame(
            first_start + self.start,
            tuple([names[player] for player in self.players]),
            self.ranks,
            self.scores,
            self.forfeits,
            self.line,
        )


RESULT_COLUMNS = (
    GAMES.c.id,
    GAMES.c.tournament,
    GAMES.c.start,
    GAMES.c.line,
    GAMES.c.result_checksum,
    case((GAMES.c.result_checksum.is_(None), GAMES.c.seating)).label("seating"),
    SEATS.c.seat,
    PLAYERS.c.name,
    PLAYERS.c.version,
    SEATS.c.rank,
    SEATS.c.score,
    SEATS.c.forfeit,
)
"""What :func:`read_results` reads; the seating only where there is no checksum."""


def read_results(
    connection: Connection, *conditions: ColumnElement[bool]
) -> Iterator[StoredResult]:
    """Yield the results of games that meet some conditions, in the order in which they ended.

    Raises
    ------
    Damaged
        If a game is not what was written.
    """
    rows = connection.execute(seat_rows(*RESULT_COLUMNS).where(*conditions)).fetchall()
    for game, group in groupby(rows, lambda row: row[:6]):
        number, tournament, start, line, checksum, seating = game
        seats = [row[6:] for row in group]
        if not _agrees(seats, tournament, start, line, checksum, seating):
            raise Damaged(f"game {number} is not what was written")
        _, player_names, versions, ranks, scores, reasons = zip(*seats, strict=True)
        yield StoredResult(
            number,
            tournament,
            start,
            line or 0,
            tuple(map(PlayerVersion, player_names, versions)),
            ranks,
            scores,
            _forfeits(reasons) if any(reasons) else (),
        )


def _agrees(
    seats: Sequence[Sequence[Any]],
    tournament: int,
    start: int,
    line: int | None,
    checksum: int | None,
    seating: str,
) -> bool:
    """Tell whether the seats of a game are all there, and what was written.

    Parameters
    ----------
    seats
        Of each: its number, the name and the version of its player, rank, score, forfeit.
    checksum
        If there is none, the seats are compared with the seating.
    """
    if [seat[0] for seat in seats] != list(range(len(seats))):
        return False
    if checksum is not None:
        return (
            result_checksum(tournament, start, line, [tuple(seat[1:]) for seat in seats])
            == checksum
        )
    try:
        return bool([seat[1] for seat in seats] == json.loads(seating))
    except (TypeError, ValueError):
        return False


def _check_counts(
    connection: Connection, tournaments: Iterable[int], results: Iterable[StoredResult]
) -> None:
    """Raise Damaged if there are fewer games than were written."""
    there = Counter(result.tournament for result in results)
    counts = select(COUNTS.c.tournament, COUNTS.c.games)
    ours = (COUNTS.c.tournament + 0).in_(tournaments)  # no index, as in of_tournaments
    for number, written in connection.execute(counts.where(ours)):
        if there[number] < written:
            missing = written - there[number]
            raise Damaged(f"{missing} of {written} games of tournament {number} are missing")


def _forfeits(reasons: Sequence[str | None]) -> tuple[Forfeit, ...]:
    return tuple(Forfeit(seat, reason) for seat, reason in enumerate(reasons) if reason)


def names_of(players: Iterable[PlayerVersion]) -> dict[PlayerVersion, str]:
    """Return the names of players, with the version where several versions have one name."""
    players = list(players)
    count = Counter(player.name for player in players)
    return {
        player: player.name
        if count[player.name] == 1 or not player.version
        else f"{player.name}@{player.version[:VERSION_LETTERS]}"
        for player in players
    }


@contextlib.contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Keep the collector from going through tens of thousands of new rows that are all in use."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
