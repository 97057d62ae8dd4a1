"""The database interface of a store, which SQLite's file and a server's database implement."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from sqlalchemy import Connection, Engine

from ludograph.errors import HostFailure

READ_ONLY = "ludograph.read-only"
"""Of a connection's options: whether its transactions only read."""


class Lost(HostFailure):
    """The database went away; it may come back."""


class Compacted(NamedTuple):
    """Bytes of a store's file before and after room was given back to the disk."""

    before: int
    after: int


class Database(Protocol):
    """Where a store is kept, and what differs between kinds of databases."""

    @property
    def name(self) -> str:
        """What sentences call it; no credentials are in it."""
        ...

    @property
    def path(self) -> Path | None:
        """Its file, if it is one."""
        ...

    @property
    def timeout(self) -> float:
        """Seconds to wait for it to come back."""
        ...

    def check(self, *, must_exist: bool, make_folder: bool) -> None:
        """Raise InvalidInput where no store can be, or there is none and must be one."""
        ...

    def open(self) -> Engine:
        """Return how it is reached; its transactions write unless they are read only."""
        ...

    def prepare(self, connection: Connection) -> None:
        """Set up what is kept with a new or changed store, outside of any transaction."""
        ...

    def check_sound(self, connection: Connection, *, whole: bool = False) -> None:
        """Raise Damaged if the structure of what is kept is damaged, where we must look ourselves.

        Quick, in a transaction that reads; the ``whole`` structure takes reading all of it.
        """
        ...

    def compact(self, connection: Connection) -> Compacted | None:
        """Give the room of dropped records back to the disk, where that is much and ours to do."""
        ...

    def lock(self, connection: Connection, tournament: int) -> bool:
        """Keep others from a tournament until the store is closed; False if one has it."""
        ...

    def complaints(self) -> AbstractContextManager[None]:
        """Turn what a database raises into an error with its name, in one sentence.

        Raises
        ------
        InvalidInput
            If it is no store, or cannot be opened.
        DamagedStore
            If it is damaged.
        OSError
            If the disk is full or fails.
        Lost
            If it went away.
        HostFailure
            If another process keeps it locked, and for all else.
        """
        ...

    def close(self) -> None:
        """Let others have what was locked."""
        ...
