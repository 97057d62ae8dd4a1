"""Opening a store: where it is, how SQLite is set up, what is said when it fails."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from ludograph.errors import HostFailure, InvalidInput

PATIENCE = 30.0
"""Seconds to wait while another process writes."""

FILE_NAME = "tournaments.db"

READ_ONLY = "ludograph.read-only"


def default_store() -> Path:
    """Return the store of this user: ``$XDG_DATA_HOME/ludograph/tournaments.db``."""
    home = os.environ.get("XDG_DATA_HOME") or ""
    base = Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "share"
    return base / "ludograph" / FILE_NAME


def path_of(where: str | Path | None) -> Path:
    """Return the file that is meant by a path, a ``sqlite:///`` URL, or nothing.

    Raises
    ------
    InvalidInput
        If it is a URL of another database, or no file can be there.
    """
    text = str(where) if where is not None else str(default_store())
    if text.startswith("sqlite:///"):
        text = text.removeprefix("sqlite:///")
    elif "://" in text:
        scheme = text.partition("://")[0]
        raise InvalidInput(f"store {scheme}://...: a store is a file, or sqlite:///FILE")
    path = Path(text).expanduser()
    if not text or path.is_dir():
        raise InvalidInput(f"store {text or 'without a name'}: a store is a file")
    return path


def open_engine(path: Path) -> Engine:
    """Return how a file is reached; nothing is opened yet."""
    engine = create_engine(
        f"sqlite:///{path}", poolclass=NullPool, connect_args={"timeout": PATIENCE}
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where SQLAlchemy says so
        connection.execute("PRAGMA synchronous = NORMAL")  # a power cut costs games, not the file
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        reads = connection.get_execution_options().get(READ_ONLY)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def keep_log_apart(connection: Connection) -> None:
    """Let others read while one writes: SQLite's write-ahead log, from now on."""
    raw = connection.connection.dbapi_connection
    if raw is not None:
        raw.cursor().execute("PRAGMA journal_mode = WAL")  # outside of any transaction


@contextlib.contextmanager
def complaints(path: Path) -> Iterator[None]:
    """Turn what a database raises into an error with the path, in one sentence.

    Raises
    ------
    InvalidInput
        If the file is no store, or cannot be opened.
    OSError
        If the disk is full or fails.
    HostFailure
        If another process keeps it locked, and for all else.
    """
    try:
        yield
    except DBAPIError as error:
        raise _told(path, error.orig) from None
    except sqlite3.Error as error:  # while a connection is set up
        raise _told(path, error) from None


def _told(path: Path, error: BaseException | None) -> Exception:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return InvalidInput(f"{path}: this is not a store of tournaments")
    if code == sqlite3.SQLITE_CORRUPT:
        return InvalidInput(f"{path}: the store is damaged: {error}")
    if code == sqlite3.SQLITE_CANTOPEN:
        return InvalidInput(f"{path}: the file cannot be opened")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return InvalidInput(f"{path}: the store cannot be written to")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return HostFailure(f"{path}: another process has kept the store locked for too long")
    if code == sqlite3.SQLITE_FULL:
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    if code == sqlite3.SQLITE_IOERR:
        return OSError(errno.EIO, f"the disk fails: {error}", str(path))
    return HostFailure(f"{path}: {error}")
