"""Rows of games in a store: written with checksums, counted, and read by one query."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, CursorResult, Select, Table, func, select

from ludograph.arena.finished_game import SeatResult
from ludograph.arena.store.integrity import Damaged, details_checksum, plain, result_checksum
from ludograph.arena.store.schema import COUNTS, GAMES, PLAYERS, RECORDS, SEATS


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


DETAILS = ("seating", "seed", "board", "reason", "plies", "sentence", "played")
"""The columns of a game in the checksum of its details, with those below of each seat."""

SEAT_RESULT = ("rank", "score", "forfeit")

SEAT_DETAILS = ("moves", "seconds", "message")


def checksums(
    game: Mapping[str, Any], seats: Iterable[tuple[str, str, Mapping[str, Any]]]
) -> dict[str, int]:
    """Return the checksums of a game.

    Parameters
    ----------
    game
        Its row.
    seats
        Of each: the name and the version of the player, and the row.
    """
    results, details = [], []
    for name, version, row in seats:
        own = {**row, "score": plain(row["score"]), "seconds": plain(row["seconds"])}
        results.append((name, version, *(own[column] for column in SEAT_RESULT)))
        details.append(tuple(own[column] for column in SEAT_DETAILS))
    return {
        "result_checksum": result_checksum(
            game["tournament"], game["start"], game["line"], results
        ),
        "details_checksum": details_checksum([game[column] for column in DETAILS], details),
    }


def count(connection: Connection, tournament: int, *, games: int = 0, records: int) -> None:
    """Count games that were just written, and records that were written or dropped."""
    ours = COUNTS.c.tournament == tournament
    more = {"games": COUNTS.c.games + games, "records": COUNTS.c.records + records}
    if connection.execute(COUNTS.update().where(ours).values(more)).rowcount:
        return
    there = select(func.count(GAMES.c.id), func.count(RECORDS.c.game))
    there = there.select_from(GAMES.outerjoin(RECORDS, RECORDS.c.game == GAMES.c.id))
    counts = connection.execute(there.where(GAMES.c.tournament == tournament)).one()
    row = {"tournament": tournament, "games": counts[0], "records": counts[1]}
    connection.execute(COUNTS.insert(), row)


def check_records(connection: Connection) -> None:
    """Raise Damaged if there are fewer records than counted."""
    kept = connection.execute(select(func.sum(COUNTS.c.records))).scalar() or 0
    there = connection.execute(select(func.count()).select_from(RECORDS)).scalar_one()
    if there < kept:
        raise Damaged(f"{kept - there} of {kept} records are missing")


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


class KeptGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a store; ``versions`` are those of the players, by seat."""

    number: int
    tournament: int
    start: int
    seed: int
    board: str
    reason: str
    plies: int
    sentence: str
    played: str
    seats: tuple[SeatResult, ...]
    versions: tuple[str, ...]

    @property
    def move_count(self) -> int:
        """The number of moves that seats have played: the plies without those of chance."""
        return sum(seat.moves for seat in self.seats)


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


def find_games(
    connection: Connection, wanted: GameFilter, numbers: Sequence[int] = ()
) -> Iterator[KeptGame]:
    """Yield games in the order in which they ended.

    Parameters
    ----------
    numbers
        If there are any, only games with these numbers are read.

    Raises
    ------
    Damaged
        If any game that was read is not what was written.
    """
    query = seat_rows(*ALL_COLUMNS)
    if wanted.tournaments:
        query = query.where(of_tournaments(*wanted.tournaments))
    if wanted.game is not None:
        query = query.where(GAMES.c.id == wanted.game)
    if numbers:
        query = query.where(GAMES.c.id.in_(numbers))
    rows = connection.execute(query).mappings()
    for number, group in groupby(rows, itemgetter("id")):
        seats = [dict(row) for row in group]
        if not is_sound(seats):
            raise Damaged(f"game {number} is not what was written")
        game = KeptGame(
            number=number,
            **{name: seats[0][name] for name in ("tournament", "start", "seed", "board")},
            **{name: seats[0][name] for name in ("reason", "plies", "sentence", "played")},
            seats=tuple(
                SeatResult(
                    seat["name"],
                    *(seat[name] for name in SeatResult.__struct_fields__[1:]),
                )
                for seat in seats
            ),
            versions=tuple(seat["version"] for seat in seats),
        )
        if _is_wanted(game, wanted):
            yield game


def is_sound(seats: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a game is what was written; each seat comes with its game and its player."""
    game = seats[0]
    try:
        if [seat["seat"] for seat in seats] != list(range(len(seats))):
            return False
        if game["result_checksum"] is None and game["details_checksum"] is None:
            names = [seat["name"] for seat in seats]
            return bool(json.loads(game["seating"]) == names) and None not in names
        right = checksums(game, [(seat["name"], seat["version"], seat) for seat in seats])
    except (TypeError, ValueError):  # a value of a wrong type for its column
        return False
    return all(game[name] in (None, checksum) for name, checksum in right.items())


def read_record(connection: Connection, game: int) -> bytes | None:
    """Return the file of a game; None if there is none.

    Raises
    ------
    Damaged
        If it is not what was written: zlib keeps a checksum of its own.
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


def _is_wanted(game: KeptGame, wanted: GameFilter) -> bool:
    """Tell whether a game meets the conditions that the query has not tested."""
    players = {seat.player for seat in game.seats}
    ended = {game.reason, *(seat.forfeit for seat in game.seats)}
    return (
        players.issuperset({wanted.player, wanted.opponent} - {None})
        and wanted.reason in (None, *ended)
        and wanted.board in (None, game.board)
    )
