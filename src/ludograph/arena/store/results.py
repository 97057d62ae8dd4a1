"""Results of tournaments in a store: the tournaments, and their games for tables and ratings."""

from __future__ import annotations

import contextlib
import gc
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, case, func, select

from ludograph.arena.played_game import Forfeit, PlayedGame
from ludograph.arena.store.games import of_tournaments
from ludograph.arena.store.integrity import (
    Damaged,
    checksum_of_texts,
    plain,
    seat_text,
    tournament_checksum,
)
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


GAME_COLUMNS = (
    GAMES.c.id,
    GAMES.c.tournament,
    GAMES.c.start,
    GAMES.c.line,
    GAMES.c.result_checksum,
    case((GAMES.c.result_checksum.is_(None), GAMES.c.seating)).label("seating"),
)
"""What :func:`read_results` reads of a game; the seating only where there is no checksum."""

SEAT_COLUMNS = (
    SEATS.c.game,
    SEATS.c.seat,
    SEATS.c.player,
    SEATS.c.rank,
    SEATS.c.score,
    SEATS.c.forfeit,
)


def read_results(
    connection: Connection, *conditions: ColumnElement[bool]
) -> Iterator[StoredResult]:
    """Yield the results of games that meet some conditions, in the order in which they ended.

    Games and seats are read by two queries, in the same order: one that joins them would return
    each game once for each of its seats, which takes twice the time.

    Raises
    ------
    Damaged
        If a game is not what was written.
    """
    games = select(*GAME_COLUMNS).where(*conditions).order_by(GAMES.c.id)
    joined = GAMES.join(SEATS, SEATS.c.game == GAMES.c.id)
    seats = select(*SEAT_COLUMNS).select_from(joined).where(*conditions)
    rows = connection.execute(seats.order_by(SEATS.c.game, SEATS.c.seat)).fetchall()
    players = {
        row.id: PlayerVersion(row.name, row.version)
        for row in connection.execute(select(PLAYERS)).fetchall()
    }
    kinds: dict[tuple[Any, ...], _Seat] = {}  # many seats are alike but for their game
    at, end = 0, len(rows)
    for number, tournament, start, line, checksum, seating in connection.execute(games).fetchall():
        own = []
        while at < end and rows[at][0] == number:
            result = rows[at][1:]
            if (kind := kinds.get(result)) is None:
                kind = kinds[result] = _seat(players, *result)
            own.append(kind)
            at += 1
        if not _agrees(own, tournament, start, line, checksum, seating):
            raise Damaged(f"game {number} is not what was written")
        _, seated, ranks, scores, reasons, _ = zip(*own, strict=True)
        yield StoredResult(
            number,
            tournament,
            start,
            line or 0,
            seated,
            ranks,
            scores,
            _forfeits(reasons) if any(reasons) else (),
        )


class _Seat(NamedTuple):
    """A seat of a game, and its part of the text that the game's checksum is made of."""

    seat: int
    player: PlayerVersion
    rank: int
    score: float
    forfeit: str | None
    text: str


def _seat(
    players: Mapping[int, PlayerVersion],
    seat: int,
    player: int,
    rank: int,
    score: float,
    forfeit: str | None,
) -> _Seat:
    """Return a seat; a player that is lost has no name, so that no checksum agrees."""
    who = players.get(player, NOBODY)
    if isinstance(score, float):
        score = plain(score)  # PostgreSQL keeps a negative zero
    return _Seat(seat, who, rank, score, forfeit, seat_text((*who, rank, score, forfeit)))


NOBODY = PlayerVersion("")


def _agrees(
    seats: Sequence[_Seat],
    tournament: int,
    start: int,
    line: int | None,
    checksum: int | None,
    seating: str,
) -> bool:
    """Tell whether the seats of a game are all there, and what was written.

    Parameters
    ----------
    checksum
        If there is none, the seats are compared with the seating.
    """
    for number, seat in enumerate(seats):
        if seat.seat != number:
            return False
    if not seats:
        return False
    if checksum is not None:
        return checksum_of_texts(tournament, start, line, [seat.text for seat in seats]) == checksum
    try:
        return bool([seat.player.name for seat in seats] == json.loads(seating))
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
