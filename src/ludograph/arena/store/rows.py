"""Single rows of a store: looked for, written if they are not there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, CursorResult, Table, select


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


def now() -> str:
    """Return the date and time in UTC, to the second, as rows hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
