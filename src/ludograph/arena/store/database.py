"""The protocol of a store's database, which an SQLite file and a PostgreSQL server implement."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from sqlalchemy import Connection, Engine

from ludograph.arena.store.integrity import Check
from ludograph.errors import NotFound

READ_ONLY = "ludograph.read-only"
"""The option of a connection that says whether its transactions only read."""


class NoStore(NotFound):
    """A store must exist, and there is none."""


class Compacted(NamedTuple):
    """The size of a store's file in bytes, before and after it was compacted."""

    before: int
    after: int


class Database(Protocol):
    """A database for a store: all that differs between kinds of databases."""

    @property
    def name(self) -> str:
        """Its name in messages, without credentials."""
        ...

    @property
    def path(self) -> Path | None:
        """Its file; None for a server."""
        ...

    def check(self, *, must_exist: bool, make_folder: bool) -> None:
        """Raise InvalidInput if no store can be there, NoStore if one must exist and does not."""
        ...

    def open(self) -> Engine:
        """Return an engine, whose transactions write unless they have the option ``READ_ONLY``."""
        ...

    def prepare(self, connection: Connection) -> None:
        """Set up a new store, outside of any transaction."""
        ...

    def check_sound(self, connection: Connection, check: Check) -> None:
        """Raise Damaged if a check finds the database damaged and nothing else checks that.

        Parameters
        ----------
        connection
            In a transaction that reads.
        """
        ...

    def compact(self, connection: Connection, *, erase: bool = False) -> Compacted | None:
        """Give free space back to the disk; return None if there is little to give.

        Parameters
        ----------
        erase
            Whether to do it in any case, so that nothing remains of what was deleted.
        """
        ...

    def lock(self, connection: Connection, tournament: int) -> bool:
        """Lock a tournament until the store is closed; return False if another process has it."""
        ...

    def complaints(self) -> AbstractContextManager[None]:
        """Turn errors of the database into errors of ours: one sentence with the store's name.

        Raises
        ------
        InvalidInput
            If it is no store, or cannot be opened.
        DamagedStore
            If it is damaged.
        OSError
            If the disk is full or fails.
        HostFailure
            If the connection was lost, if another process keeps it locked, and for all other
            errors.
        """
        ...

    def close(self) -> None:
        """Release the locks."""
        ...
