"""The database behind what names a store."""

from __future__ import annotations

from pathlib import Path

from ludograph.arena.store.database import Database
from ludograph.arena.store.location import file_of
from ludograph.arena.store.sqlite import SQLiteFile


def database_of(where: str | Path | None) -> Database:
    """Return the database that is meant by a path, a URL, or nothing.

    Raises
    ------
    InvalidInput
        If it is a URL of another kind, or no file can be there.
    """
    path = file_of(where)
    if path is not None:
        return SQLiteFile(path)
    from ludograph.arena.store.postgresql import PostgreSQL

    return PostgreSQL(str(where))
