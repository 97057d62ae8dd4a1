"""A store of solved first moves: an SQLite file for one game and board."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    Table,
    Text,
    inspect,
    select,
)

from ludograph.arena.store.integrity import Damaged, check_whole_structure, checksum_of, plain
from ludograph.arena.store.salvage import appearing, insert, opened, rows_of
from ludograph.arena.store.sqlite import SQLiteFile
from ludograph.errors import InvalidInput
from ludograph.games.first_moves import SolvedMove

VERSION = 2

METADATA = MetaData()

ABOUT = Table(
    "ludograph_solved",
    METADATA,
    Column("version", Integer, nullable=False),
    Column("title", Text, nullable=False),
)
"""One row: the version of the tables, and the game that the moves begin."""

PROOFS = Table(
    "proofs",
    METADATA,
    Column("move", Text, primary_key=True),
    Column("nodes", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("checksum", BigInteger),
)
"""The searches that were made: their moves, nodes and seconds."""

VALUES = Table(
    "values",
    METADATA,
    Column("move", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("proof", Text, nullable=False),
    Column("checksum", BigInteger),
)
"""The value of each move, and the search that has proven it."""

CHECKED = ((PROOFS, ("move", "nodes", "seconds")), (VALUES, ("move", "value", "proof")))
"""The columns in the checksums of rows; rows of older stores have no checksum (NULL)."""


@dataclass(slots=True)
class Known:
    """The known values of first moves.

    Attributes
    ----------
    values
        The value of each move.
    nodes, seconds
        The positions and the seconds of processor time of all proofs together.
    """

    values: dict[str, str] = field(default_factory=dict)
    nodes: int = 0
    seconds: float = 0.0

    def add(self, solved: SolvedMove) -> None:
        """Add the values of a proof."""
        self.values = {**solved.values, **self.values}
        self.nodes += solved.nodes
        self.seconds += solved.seconds


class SolvedStore:
    """Solved first moves in a file; a context manager that closes it.

    Each proof is written in one transaction: a run that is stopped, at any instant, loses only
    proofs that are not finished. Only one process writes at a time.

    Parameters
    ----------
    where
        The file; it is made if there is none.
    title
        The game of the moves, see :class:`~ludograph.games.first_moves.FirstMoves`.

    Raises
    ------
    InvalidInput
        If it is no store of solved moves, one of another game, or another process works on it.
    """

    def __init__(self, where: str | Path, title: str) -> None:
        path = Path(where).expanduser()
        if path.is_dir():
            raise InvalidInput(f"store {where}: a store is a file")
        self._database = SQLiteFile(path, lambda path: salvaged(path).lost, "solved moves")
        self._database.check(must_exist=False, make_folder=False)
        self._open = contextlib.ExitStack()
        self._open.callback(self._database.close)
        with self._database.complaints(), contextlib.ExitStack() as stack:
            engine = self._database.open()
            stack.callback(engine.dispose)
            self._connection = stack.enter_context(engine.connect())
            with self._connection.begin():
                self._begin(self._connection, title)
            self._database.prepare(self._connection)
            self._open.push(stack.pop_all())

    def _begin(self, connection: Connection, title: str) -> None:
        """Make the tables, or check that they are those of this game; lock the file."""
        name = self._database.name
        tables = inspect(connection).get_table_names()
        if ABOUT.name in tables:
            check_whole_structure(
                lambda query: connection.exec_driver_sql(query).fetchall(), indexes=True
            )
            about = connection.execute(select(ABOUT.c.version, ABOUT.c.title)).all()
            version, kept = about[0] if len(about) == 1 else (0, "")
            if not isinstance(version, int) or version < 1:
                raise Damaged("the version of the store cannot be read")
            if version > VERSION:
                raise InvalidInput(
                    f"{name}: a store of version {version}, this Ludograph knows up to {VERSION}"
                )
            if kept != title:
                raise InvalidInput(f"{name}: this store is of {kept}, not of {title}")
        elif tables:
            raise InvalidInput(f"{name}: a database, but no store of solved moves")
        if not self._database.lock(connection, 0):
            raise InvalidInput(f"{name}: another process is solving for this store")
        if ABOUT.name in tables:
            _bring_up_to_date(connection, version)
        else:
            METADATA.create_all(connection)
            connection.execute(ABOUT.insert().values(version=VERSION, title=title))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        with self._database.complaints():
            self._open.close()

    def known(self) -> Known:
        """Return all known values.

        Raises
        ------
        DamagedStore
            If a row is not what was written.
        """
        with self._database.complaints(), self._connection.begin():
            for table, columns in CHECKED:
                for row in self._connection.execute(select(table)).mappings():
                    if row["checksum"] not in (None, checksum_of(*(row[name] for name in columns))):
                        raise Damaged(f"{row['move']} is not what was written")
            rows = self._connection.execute(select(VALUES.c.move, VALUES.c.value)).all()
            proofs = self._connection.execute(select(PROOFS.c.nodes, PROOFS.c.seconds)).all()
        return Known(
            {row.move: row.value for row in rows},
            sum(row.nodes for row in proofs),
            sum(row.seconds for row in proofs),
        )

    def keep(self, solved: SolvedMove) -> None:
        """Write the values of a proof; those that were known before stay."""
        with self._database.complaints(), self._connection.begin():
            proof = (solved.move, solved.nodes, plain(solved.seconds))
            values = [(move, value, solved.move) for move, value in solved.values.items()]
            kept: tuple[list[Any], list[Any]] = ([proof], values)
            for (table, columns), rows in zip(CHECKED, kept, strict=True):
                self._connection.execute(
                    table.insert().prefix_with("OR IGNORE"),
                    [
                        {**dict(zip(columns, row, strict=True)), "checksum": checksum_of(*row)}
                        for row in rows
                    ],
                )


def _bring_up_to_date(connection: Connection, version: int) -> None:
    """Add the columns of checksums to a store of the first version."""
    if version < VERSION:
        for table, _ in CHECKED:
            connection.exec_driver_sql(f'ALTER TABLE "{table.name}" ADD COLUMN checksum BIGINT')
        connection.execute(ABOUT.update().values(version=VERSION))


@dataclass(frozen=True, slots=True)
class SalvagedProofs:
    """The readable rows of a damaged store.

    Attributes
    ----------
    title
        The game whose moves are solved.
    proofs, values
        The rows that are what was written.
    written
        The number of moves that were known, as far as that can be read.
    """

    path: Path
    title: str
    proofs: list[dict[str, Any]]
    values: list[dict[str, Any]]
    written: int

    @property
    def kept(self) -> str:
        """The readable content, in words."""
        return f"{self.title}, {len(self.values)} solved moves"

    @property
    def lost(self) -> str:
        """The lost content, in words."""
        lost = self.written - len(self.values)
        if lost > 0:
            return f"{lost} of {self.written} solved moves lost"
        return f"none of {self.written} solved moves is lost"


def holds_solved_moves(path: Path) -> bool:
    """Tell whether a file is a store of solved moves, as far as it can be read."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(opened(path)) as connection:
        query = f"SELECT 1 FROM sqlite_master WHERE name = '{ABOUT.name}'"
        return connection.execute(query).fetchone() is not None
    return False


def salvaged(path: Path) -> SalvagedProofs:
    """Return the readable rows of a damaged store.

    Raises
    ------
    InvalidInput
        If nothing can.
    """
    try:
        with contextlib.closing(opened(path)) as connection:
            about = list(rows_of(connection, ABOUT))
            kept: list[list[dict[str, Any]]] = []
            read = 0
            for table, columns in CHECKED:
                rows = {row["move"]: row for row in rows_of(connection, table)}
                read = len(rows)
                kept.append([])
                for row in rows.values():
                    checksum = checksum_of(*(row[name] for name in columns))
                    if row["checksum"] in (None, checksum):
                        kept[-1].append({**row, "checksum": checksum})
            with contextlib.suppress(sqlite3.DatabaseError):
                query = 'SELECT count(*) FROM "values" INDEXED BY sqlite_autoindex_values_1 WHERE 1'
                read = max(read, connection.execute(query).fetchone()[0])
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path}: no part of the store can be read: {error}") from None
    if len(about) != 1:
        raise InvalidInput(f"{path}: the game of its solved moves cannot be read")
    return SalvagedProofs(path, about[0]["title"], kept[0], kept[1], read)


def write_copy(content: SalvagedProofs, copy: Path) -> None:
    """Write a sound store with the readable rows of a damaged one, as a whole or not at all."""
    with appearing(copy) as part:
        with SolvedStore(part, content.title):
            pass
        with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as target:
            target.execute("BEGIN")
            insert(target, PROOFS, content.proofs)
            insert(target, VALUES, content.values)
            target.execute("COMMIT")


def check_file(path: Path) -> SalvagedProofs:
    """Read a store from end to end, and return its rows.

    Raises
    ------
    DamagedStore
        If something is not what was written.
    """
    content = salvaged(path)
    with SolvedStore(path, content.title) as store:
        store.known()
    return content
