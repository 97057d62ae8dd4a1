"""Rows of games in a store, read by one query, and their records."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, CursorResult, Select, Table, select

from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.store.integrity import Damaged
from ludograph.arena.store.schema import GAMES, PLAYERS, SEATS
from ludograph.referee.sentences import public_sentence


def get_or_insert(
    connection: Connection, table: Table, key: Mapping[str, Any], row: Mapping[str, Any]
) -> int:
    """Return the number of a row, which is written if it is not there yet."""
    number = row_number(connection, table, key)
    if number is None:
        number = inserted_number(connection.execute(table.insert(), dict(row)))
    return number


def row_number(connection: Connection, table: Table, key: Mapping[str, Any]) -> int | None:
    """Return the number of a row; None if it is not there."""
    same = [table.c[name] == value for name, value in key.items()]
    number: int | None = connection.execute(select(table.c.id).where(*same)).scalar_one_or_none()
    return number


def inserted_number(result: CursorResult[Any]) -> int:
    """Return the number of a row that was written."""
    key = result.inserted_primary_key
    assert key is not None  # a single row
    return int(key[0])


def now() -> str:
    """Return the date and time in UTC, to the second, as stored in rows."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class GameFilter(msgspec.Struct, frozen=True):
    """The conditions of a search for games; None stands for no condition.

    Attributes
    ----------
    tournaments
        Their numbers; empty: all.
    player, opponent
        Names of players that took part.
    reason
        Why the game ended, or why one of its seats dropped out.
    board
        The name of the board.
    game
        The number of one game.
    """

    tournaments: tuple[int, ...] = ()
    player: str | None = None
    opponent: str | None = None
    reason: str | None = None
    board: str | None = None
    game: int | None = None


def seat_rows(*columns: ColumnElement[Any]) -> Select[Any]:
    """Return the query for games, with a row for each seat and its player.

    Rows come in the order in which games ended, and of each game in the order of its seats. A game
    whose seats are lost has one row, in which the columns of seats and players are None.
    """
    return (
        select(*columns)
        .select_from(GAMES)
        .outerjoin(SEATS, SEATS.c.game == GAMES.c.id)
        .outerjoin(PLAYERS, PLAYERS.c.id == SEATS.c.player)
        .order_by(GAMES.c.id, SEATS.c.seat)
    )


def of_tournaments(*tournaments: int) -> ColumnElement[bool]:
    """Return the condition that games are of some tournaments, without the use of an index.

    Reading the whole table is quicker here: with the index of tournaments, a database would sort
    all games to find the last ones. And an index with a changed bit loses games without an error.
    """
    return (GAMES.c.tournament + 0).in_(tournaments)


ALL_COLUMNS = (
    *GAMES.c,
    PLAYERS.c.name,
    PLAYERS.c.version,
    *(column for column in SEATS.c if column not in (SEATS.c.game, SEATS.c.player)),
)


SEAT_COLUMNS = tuple(name for name in SeatResult.__struct_fields__ if name != "player")

OWN_COLUMNS = ("tournament", "start", "seed", "board", "reason", "plies", "sentence")
"""The columns of a game that have the names of its fields."""


def wanted_games(connection: Connection, wanted: GameFilter) -> Iterator[FinishedGame]:
    """Yield the games that a search finds; order and errors as in :func:`find_games`."""
    conditions = [of_tournaments(*wanted.tournaments)] if wanted.tournaments else []
    conditions += [] if wanted.game is None else [GAMES.c.id == wanted.game]
    for game in find_games(connection, *conditions):
        players = {seat.player for seat in game.seats}
        if (
            players.issuperset({wanted.player, wanted.opponent} - {None})
            and wanted.reason in (None, game.reason, *(seat.forfeit for seat in game.seats))
            and wanted.board in (None, game.board)
        ):
            yield game


def find_games(connection: Connection, *conditions: ColumnElement[bool]) -> Iterator[FinishedGame]:
    """Yield games in the order in which they ended, without their records.

    Raises
    ------
    Damaged
        If a game cannot be read.
    """
    rows = connection.execute(seat_rows(*ALL_COLUMNS).where(*conditions)).mappings()
    for number, group in groupby(rows, itemgetter("id")):
        yield _finished_game(number, [dict(row) for row in group])


def _finished_game(number: int, seats: Sequence[dict[str, Any]]) -> FinishedGame:
    """Return a game from the rows of its seats, each with its game and its player.

    Raises
    ------
    Damaged
        If a seat or a player is missing, or a value has a wrong type.
    """
    if [seat["seat"] for seat in seats] != list(range(len(seats))):
        raise Damaged(f"game {number} has lost a seat")
    game = {
        "number": number,
        **{name: seats[0][name] for name in OWN_COLUMNS},
        "ended": seats[0]["played"],
        "line": seats[0]["line"] or 0,
        "seats": [
            {"player": seat["name"], **{name: seat[name] for name in SEAT_COLUMNS}}
            for seat in seats
        ],
        "versions": [seat["version"] for seat in seats],
    }
    try:
        found = msgspec.convert(game, FinishedGame)
    except msgspec.ValidationError as error:
        raise Damaged(f"game {number} cannot be read: {error}") from None
    if all(seat.forfeit is None for seat in found.seats):
        return found
    return msgspec.structs.replace(found, sentence=public_sentence(found.sentence))


def read_record(connection: Connection, game: int) -> bytes | None:
    """Return the file of a game; None if there is none.

    Raises
    ------
    Damaged
        If it is not what was written: zlib has a checksum of its own.
    """
    # Without SQLAlchemy's types: in a damaged store the value may not be bytes.
    query = f"SELECT data FROM records WHERE game = {int(game)}"
    data = connection.exec_driver_sql(query).scalar_one_or_none()
    if data is None:
        return None
    try:
        return zlib.decompress(data)
    except (zlib.error, TypeError):
        raise Damaged(f"the record of game {game} is not what was written") from None
