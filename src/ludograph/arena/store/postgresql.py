"""A store on a PostgreSQL server: its connection, and its errors as sentences.

Who writes holds a lock of the store for the transaction, as who writes to SQLite's file does; a
tournament that is played is a lock of the session. Both are advisory locks, apart for each schema.
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

from ludograph.arena.store.database import READ_ONLY, Lost
from ludograph.arena.store.integrity import Damaged, DamagedStore
from ludograph.errors import HostFailure, InvalidInput

TIMEOUT = 30.0
"""Seconds to wait while another process writes, or for a server that went away."""

CONNECT_SECONDS = 10
"""To wait for the answer of a server, unless the URL says otherwise."""

STORE = "hashtext('ludograph ' || current_schema())"
"""The first key of all locks of a store; the second is a tournament's number, or 0."""

READING = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
WRITING = f"SELECT pg_advisory_xact_lock({STORE}, 0)"
"""How transactions begin: who reads sees one state of the store, who writes does so alone."""

GONE = ("08", "57P")
"""How the codes begin of what a server says when it goes away, or is not there yet."""


class PostgreSQL:
    """A database of a server; see :class:`~ludograph.arena.store.database.Database`.

    Parameters
    ----------
    where
        Its URL. What is not in it comes from libpq's usual places: ``PGPASSWORD``, ``~/.pgpass``.

    Raises
    ------
    InvalidInput
        If the URL is not understood, or there is no driver.
    """

    path: Path | None = None

    def __init__(self, where: str) -> None:
        self._url = _understood(where)
        self.name = _name(self._url)

    @property
    def timeout(self) -> float:
        """Seconds to wait for the server to come back."""
        return TIMEOUT

    def check(self, *, must_exist: bool, make_folder: bool) -> None:
        """Look at nothing: whether there is a store is seen when the server is asked."""

    def open(self) -> Engine:
        """Return how the server is reached; nothing is opened yet."""
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

    def check_sound(self, connection: Connection, *, whole: bool = False) -> None:
        """Look at nothing: the server watches over its files."""

    def compact(self, connection: Connection) -> None:
        """Leave that to the server, which does so by itself."""

    def lock(self, connection: Connection, tournament: int) -> bool:
        """Lock the number of a tournament, for as long as the connection lives."""
        with connection.execution_options(**{READ_ONLY: True}).begin():
            found = connection.execute(
                text(f"SELECT pg_try_advisory_lock({STORE}, :n)"), {"n": tournament}
            )
            return bool(found.scalar())

    def close(self) -> None:
        """Do nothing: locks end with the connection."""

    @contextlib.contextmanager
    def complaints(self) -> Iterator[None]:
        """Turn what the server or its driver raises into an error of ours, in one sentence."""
        try:
            yield
        except DBAPIError as error:
            raise self._told(error.orig) from None
        except Damaged as error:
            raise DamagedStore(f"{self.name}: the store is damaged: {error}") from None

    def _told(self, error: BaseException | None) -> Exception:
        code = getattr(error, "sqlstate", None) or ""
        said = _first_line(error)
        if code in ("42501", "3F000"):
            return InvalidInput(f"{self.name}: the store cannot be read or written: {said}")
        if code == "25006":
            return InvalidInput(f"{self.name}: the store cannot be written to")
        if code == "55P03":
            return HostFailure(
                f"{self.name}: another process has kept the store locked for too long"
            )
        if code == "53100":
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.name)
        if code.startswith(GONE):
            return Lost(f"{self.name}: the server went away: {said}")
        if code:
            return HostFailure(f"{self.name}: {said}")
        return self._unconnected(error, said)

    def _unconnected(self, error: BaseException | None, said: str) -> Exception:
        """Return the sentence for a connection that failed or was lost."""
        from psycopg import OperationalError, ProgrammingError
        from psycopg.pq import Ping

        if isinstance(error, ProgrammingError):
            return InvalidInput(f"{self.name}: {said}")
        if not isinstance(error, OperationalError):
            return HostFailure(f"{self.name}: {said}")
        if said.startswith("connection failed") and self._ping() == Ping.OK:
            return InvalidInput(f"{self.name}: the server refuses: {said}")
        return Lost(f"{self.name}: the server cannot be reached: {said}")

    def _ping(self) -> int:
        """Ask whether a server is there at all, whatever it thinks of us."""
        from psycopg.conninfo import make_conninfo
        from psycopg.pq import PGconn

        arguments = self._url.translate_connect_args(username="user", database="dbname")
        arguments |= {name: str(value) for name, value in self._url.query.items()}
        info = make_conninfo("", **arguments)
        return PGconn.ping(info.encode())


def _understood(where: str) -> URL:
    """Return a URL with the driver; none of it is in what is raised, since a password may be."""
    scheme = where.partition("://")[0]
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise InvalidInput(
            f"store {scheme}://...: it takes a driver: pip install 'ludograph[postgres]'"
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
    """Return a URL without what is nobody's business."""
    user = f"{url.username}@" if url.username else ""
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{user}{url.host or ''}{port}/{url.database or ''}"


def _first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return " ".join(lines[0].split())
