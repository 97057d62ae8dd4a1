"""The SQLite database of a store: its set-up, checks and locks, and its errors as sentences."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from ludograph.arena.store.integrity import (
    Check,
    Damaged,
    DamagedStore,
    NoStore,
    check_everything,
)
from ludograph.arena.store.schema import READ_ONLY
from ludograph.errors import HostFailure, InvalidInput

TIMEOUT = 30.0
"""Seconds to wait while another process writes to the file."""

PAUSE = 0.01
"""Seconds between two attempts, where SQLite does not wait itself."""

LEAST_FREE = 1 << 20
"""The least number of free bytes that are given back to the disk."""

NOT_THERE = ("no such table", "no such column", "table ")
"""The beginnings of SQLite's messages on a missing table or column: then a store is damaged."""


class Compacted(NamedTuple):
    """The size of a store's file in bytes, before and after it was compacted."""

    before: int
    after: int


class SQLiteFile:
    """A database in a file: all that differs between kinds of databases.

    Attributes
    ----------
    path
        The file; None for a server.
    name
        Its name in messages, without credentials.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)
        self._lock_file: Any = None

    def check(self, *, must_exist: bool, make_folder: bool) -> None:
        """Raise InvalidInput if no store can be there, NoStore if one must exist and does not."""
        if must_exist and not self.path.exists():
            raise NoStore(f"{self.path}: there is no store yet; 'ludograph tournament' makes it")
        try:
            if make_folder:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                self.path.open("rb").close()
        except OSError as error:
            raise InvalidInput(f"{error.filename}: {error.strerror}") from None

    def open(self) -> Engine:
        """Return an engine, whose transactions write unless they have the option ``READ_ONLY``."""
        engine = create_engine(
            f"sqlite:///{self.path}", poolclass=NullPool, connect_args={"timeout": TIMEOUT}
        )

        @event.listens_for(engine, "connect")
        def _set_up(connection: Any, _: Any) -> None:
            connection.isolation_level = None  # transactions begin where SQLAlchemy says so
            connection.execute("PRAGMA synchronous = NORMAL")  # a power cut costs games only
            connection.execute("PRAGMA foreign_keys = ON")

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            reads = connection.get_execution_options().get(READ_ONLY)
            connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

        return engine

    def prepare(self, connection: Connection) -> None:
        """Switch the file to a write-ahead log, so that others can read while one process writes.

        SQLite does not always wait for others that read the file at this moment.
        """
        raw = connection.connection.dbapi_connection
        end = time.monotonic() + TIMEOUT
        while raw is not None:
            try:
                raw.cursor().execute("PRAGMA journal_mode = WAL")  # outside of any transaction
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(PAUSE)
            else:
                return

    def check_sound(self, connection: Connection, check: Check) -> None:
        """Raise Damaged if a check finds the file damaged."""
        check(lambda query: connection.exec_driver_sql(query).fetchall())

    def compact(self, connection: Connection, *, erase: bool = False) -> Compacted | None:
        """Give free pages back to the disk if they are a quarter of the file or more.

        Otherwise they are used for further games. To erase, the log is emptied, too.
        """
        raw = connection.connection.dbapi_connection
        if raw is None:
            return None
        cursor = raw.cursor()
        pages, free, size = (
            cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        if not erase and (free * 4 < pages or free * size < LEAST_FREE):
            return None
        connection.rollback()
        cursor.execute("VACUUM")
        if erase and cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise HostFailure(f"{self.path}: another process keeps what was deleted; close it")
        after = cursor.execute("PRAGMA page_count").fetchone()[0]
        return Compacted(pages * size, after * size)

    def lock(self, connection: Connection, tournament: int) -> bool:  # noqa: ARG002
        """Lock a byte of a file beside the store; the kernel releases it when the process ends."""
        beside = self.path.with_name(f"{self.path.name}.lock")
        if self._lock_file is None:
            try:
                self._lock_file = beside.open("ab")
            except OSError as error:
                raise InvalidInput(f"{beside}: {error.strerror}") from None
        try:
            fcntl.lockf(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, tournament)
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Release the locks."""
        if self._lock_file is not None:
            self._lock_file.close()
            self._lock_file = None

    @contextlib.contextmanager
    def complaints(self) -> Iterator[None]:
        """Turn SQLite's errors into errors of ours: one sentence with the path.

        Raises
        ------
        InvalidInput
            If it is no store, or cannot be opened.
        DamagedStore
            If it is damaged.
        OSError
            If the disk is full or fails.
        HostFailure
            If another process keeps it locked, and for all other errors.
        """
        try:
            yield
        except DBAPIError as error:
            raise self._as_error(error.orig) from None
        except sqlite3.Error as error:  # while a connection is set up
            raise self._as_error(error) from None
        except (Damaged, UnicodeDecodeError) as error:
            raise self._as_damage(error) from None

    def _as_damage(self, what: object) -> DamagedStore:
        return DamagedStore(
            f"{self.path}: the store is damaged ({what}): restore a back-up, "
            f"or save what can be read with 'sqlite3 {self.path} .recover'"
        )

    def _is_damaged(self) -> bool:
        """Tell whether an error that may have other causes comes from a damaged file."""
        try:
            uri = f"{self.path.absolute().as_uri()}?mode=ro"
            with contextlib.closing(sqlite3.connect(uri, TIMEOUT, uri=True)) as connection:
                check_everything(lambda query: connection.execute(query).fetchall())
        except (Damaged, sqlite3.Error, UnicodeDecodeError):
            return True
        return False

    def _as_error(self, error: BaseException | None) -> Exception:
        path = self.path
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if isinstance(error, sqlite3.OperationalError) and not code:
            return self._as_damage(error)  # Python's own: a text that is not UTF-8
        if code == sqlite3.SQLITE_NOTADB:
            return InvalidInput(f"{path}: this is not a store of tournaments")
        if code == sqlite3.SQLITE_CORRUPT:
            return self._as_damage(error)
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
        if str(error).startswith(NOT_THERE) or self._is_damaged():
            return self._as_damage(error)
        return HostFailure(f"{path}: {error}")
