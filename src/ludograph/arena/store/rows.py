"""Single rows of a store: looked for, written if they are not there, counted, with checksums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, CursorResult, Table, func, select

from ludograph.arena.store.checksums import Damaged, of_details, of_result, plain
from ludograph.arena.store.schema import COUNTS, GAMES, RECORDS


def entered(
    connection: Connection, table: Table, key: Mapping[str, Any], row: Mapping[str, Any]
) -> int:
    """Return the number of a row, which is written if it is not there yet."""
    found = found_row(connection, table, key)
    if found is None:
        found = number_of(connection.execute(table.insert(), dict(row)))
    return found


def found_row(connection: Connection, table: Table, key: Mapping[str, Any]) -> int | None:
    """Return the number of a row; None if it is not there."""
    same = [table.c[name] == value for name, value in key.items()]
    found: int | None = connection.execute(select(table.c.id).where(*same)).scalar_one_or_none()
    return found


def number_of(result: CursorResult[Any]) -> int:
    """Return the number of a row that was written."""
    key = result.inserted_primary_key
    assert key is not None  # a single row
    return int(key[0])


DETAILS = ("seating", "seed", "board", "reason", "plies", "sentence", "played")
"""Of a game, what is in the checksum of its details, with the columns below of each seat."""

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
        "result_checksum": of_result(game["tournament"], game["start"], game["line"], results),
        "details_checksum": of_details([game[column] for column in DETAILS], details),
    }


def count(connection: Connection, tournament: int, *, games: int = 0, records: int = 0) -> None:
    """Count games that were just written, and records that were written or dropped."""
    ours = COUNTS.c.tournament == tournament
    more = {"games": COUNTS.c.games + games, "records": COUNTS.c.records + records}
    if connection.execute(COUNTS.update().where(ours).values(more)).rowcount:
        return
    there = select(func.count(GAMES.c.id), func.count(RECORDS.c.game))
    there = there.select_from(GAMES.outerjoin(RECORDS, RECORDS.c.game == GAMES.c.id))
    found = connection.execute(there.where(GAMES.c.tournament == tournament)).one()
    row = {"tournament": tournament, "games": found[0], "records": found[1]}
    connection.execute(COUNTS.insert(), row)


def check_records(connection: Connection) -> None:
    """Raise Damaged if there are fewer records than are kept."""
    kept = connection.execute(select(func.sum(COUNTS.c.records))).scalar() or 0
    there = connection.execute(select(func.count()).select_from(RECORDS)).scalar_one()
    if there < kept:
        raise Damaged(f"{kept - there} of {kept} records are missing")


def now() -> str:
    """Return the date and time in UTC, to the second, as rows hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
