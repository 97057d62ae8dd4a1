"""The PostgreSQL database of a store: its connection and locks, and its errors as sentences.

A transaction that writes holds a lock of the whole store, as in an SQLite file. A tournament that
is being played is a lock of the session. Both are advisory locks, apart for each schema.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from ludograph.arena.store.integrity import Check, Damaged, DamagedStore
from ludograph.arena.store.schema import READ_ONLY
from ludograph.arena.store.sqlite import Compacted
from ludograph.errors import HostFailure, InvalidInput

TIMEOUT = 30.0
"""Seconds to wait while another process writes."""

CONNECT_SECONDS = 10
"""The time limit for connecting to a server, unless the URL has one."""

STORE = "hashtext('ludograph ' || current_schema())"
"""The first key of all locks of a store; the second is a tournament's number, or 0."""

READING = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
WRITING = f"SELECT pg_advisory_xact_lock({STORE}, 0)"
"""The first statement of transactions: readers see one state of the store, one writer writes."""

PASSWORDS = ("password", "sslpassword")
"""The options of a URL that are secret."""

GONE = ("08", "57P")
"""The beginnings of error codes while a server shuts down or starts."""


class PostgreSQL:
    """A database of a server; see :class:`~ludograph.arena.store.sqlite.SQLiteFile`.

    Parameters
    ----------
    where
        Its URL. Missing parts come from libpq's usual places: ``PGPASSWORD``, ``~/.pgpass``.

    Raises
    ------
    InvalidInput
        If the URL is malformed, or no driver is installed.
    """

    path: Path | None = None

    def __init__(self, where: str) -> None:
        self._url = _parsed_url(where)
        self.name = _name(self._url)

    def check(self, *, must_exist: bool, make_folder: bool) -> None:
        """Check nothing: the existence of a store is checked after connecting."""

    def open(self) -> Engine:
        """Return an engine; nothing is connected yet."""
        engine = create_engine(self._url, poolclass=NullPool, pool_reset_on_return=None)

        @event.listens_for(engine, "connect")
        def _set_up(connection: Any, _: Any) -> None:
            connection.execute(f"SET lock_timeout = {round(1000 * TIMEOUT)}")
            connection.execute("SET client_min_messages = error")
            connection.commit()

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            reads = connection.get_execution_options().get(READ_ONLY)
            connection.exec_driver_sql(READING if reads else WRITING)

        return engine

    def prepare(self, connection: Connection) -> None:
        """Set up nothing: others can read while one writes."""

    def check_sound(self, connection: Connection, check: Check) -> None:
        """Check nothing: the server checks its files."""

    def compact(self, connection: Connection, *, erase: bool = False) -> Compacted | None:
        """Have the server write its tables anew to erase; else it gives space back by itself."""
        raw = connection.connection.dbapi_connection
        if erase and raw is not None:
            connection.rollback()
            raw.autocommit = True
            raw.cursor().execute("VACUUM FULL players, games, seats, records, tournaments")
            raw.autocommit = False
        return None

    def lock(self, connection: Connection, tournament: int) -> bool:
        """Lock the number of a tournament, for as long as the connection lives."""
        with connection.execution_options(**{READ_ONLY: True}).begin():
            answer = connection.execute(
                text(f"SELECT pg_try_advisory_lock({STORE}, :n)"), {"n": tournament}
            )
            return bool(answer.scalar())

    def close(self) -> None:
        """Do nothing: locks end with the connection."""

    @contextlib.contextmanager
    def complaints(self) -> Iterator[None]:
        """Turn errors of the server and its driver into errors of ours, in one sentence."""
        try:
            yield
        except DBAPIError as error:
            raise self._as_error(error.orig) from None
        except Damaged as error:
            raise DamagedStore(f"{self.name}: the store is damaged: {error}") from None

    def _as_error(self, error: BaseException | None) -> Exception:
        code = getattr(error, "sqlstate", None) or ""
        message = _first_line(error)
        if code in ("42501", "3F000"):
            return InvalidInput(f"{self.name}: the store cannot be read or written: {message}")
        if code == "25006":
            return InvalidInput(f"{self.name}: the store cannot be written to")
        if code == "55P03":
            return HostFailure(
                f"{self.name}: another process has kept the store locked for too long"
            )
        if code == "53100":
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.name)
        if code.startswith(GONE):
            return HostFailure(f"{self.name}: the connection to the server was lost: {message}")
        if code:
            return HostFailure(f"{self.name}: {message}")
        return self._as_connection_error(error, message)

    def _as_connection_error(self, error: BaseException | None, message: str) -> Exception:
        """Return the sentence for a connection that failed or was lost."""
        from psycopg import OperationalError, ProgrammingError
        from psycopg.pq import Ping

        if isinstance(error, ProgrammingError):
            return InvalidInput(f"{self.name}: {message}")
        if not isinstance(error, OperationalError):
            return HostFailure(f"{self.name}: {message}")
        if message.startswith("connection failed") and self._ping() == Ping.OK:
            return InvalidInput(f"{self.name}: the server refuses: {message}")
        return HostFailure(f"{self.name}: the server cannot be reached: {message}")

    def _ping(self) -> int:
        """Return whether a server answers at all, even if it refuses this user."""
        from psycopg.conninfo import make_conninfo
        from psycopg.pq import PGconn

        arguments = self._url.translate_connect_args(username="user", database="dbname")
        arguments |= {name: str(value) for name, value in self._url.query.items()}
        info = make_conninfo("", **arguments)
        return PGconn.ping(info.encode())


def _parsed_url(where: str) -> URL:
    """Return a URL with the driver; errors hold no part of it, since that may be a password."""
    scheme = where.partition("://")[0]
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise InvalidInput(
            f"store {scheme}://...: it needs a driver: pip install 'ludograph[postgres]'"
        ) from None
    wrong = InvalidInput(
        f"store {scheme}://...: a store on a server is postgresql://USER:PASSWORD@HOST:PORT/"
        "DATABASE; what is special in a password is written as in %40 for @"
    )
    try:
        url = make_url(where)
        port = 1 if url.port is None else url.port
    except (ArgumentError, ValueError):
        raise wrong from None
    odd = set("@/ ") & set(url.host or "") or set("@: ") & set(url.database or "")
    if odd or not 0 < port < 1 << 16:  # a part of a password, perhaps
        raise wrong
    timeout = {} if "connect_timeout" in url.query else {"connect_timeout": str(CONNECT_SECONDS)}
    return url.set(drivername="postgresql+psycopg").update_query_dict(timeout)


def _name(url: URL) -> str:
    """Return a URL without its password and its options."""
    user = f"{url.username}@" if url.username else ""
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{user}{url.host or ''}{port}/{url.database or ''}"


def has_password(where: str) -> bool:
    """Return whether a URL has a password in it."""
    url = make_url(where)
    return url.password is not None or not url.query.keys().isdisjoint(PASSWORDS)


def without_password(where: str) -> str:
    """Return a URL as commands take it, without its passwords."""
    url = make_url(where)
    url = url.difference_update_query(PASSWORDS)
    return url._replace(password=None).render_as_string(hide_password=False)


def _first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return " ".join(lines[0].split())
