"""A store of solved first moves: an SQLite file for one game and board."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from sqlalchemy import Column, Connection, Float, Integer, MetaData, Table, Text, inspect, select

from ludograph.arena.store.integrity import check_everything
from ludograph.arena.store.results import read_rows
from ludograph.arena.store.schema import check_version
from ludograph.arena.store.sqlite import SQLiteFile, opened
from ludograph.errors import InvalidInput
from ludograph.games.first_moves import SolvedMove

VERSION = 3
"""It rises with each change of the tables; a store of another version is refused."""

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
)
"""The searches that were made: their moves, nodes and seconds."""

VALUES = Table(
    "values",
    METADATA,
    Column("move", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("proof", Text, nullable=False),
)
"""The value of each move, and the search that has proven it."""


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
        The game of the moves, see :class:`~ludograph.games.first_moves.FirstMoves`; None: that of
        the store, which must exist.

    Raises
    ------
    InvalidInput
        If it is no store of solved moves, one of another game, or another process works on it.
    """

    def __init__(self, where: str | Path, title: str | None) -> None:
        path = Path(where).expanduser()
        if path.is_dir():
            raise InvalidInput(f"store {where}: a store is a file")
        self._database = SQLiteFile(path, "solved moves")
        self._database.check(must_exist=False, make_folder=False)
        self._open = contextlib.ExitStack()
        self._open.callback(self._database.close)
        with self._database.complaints(), contextlib.ExitStack() as stack:
            engine = self._database.open()
            stack.callback(engine.dispose)
            self._connection = stack.enter_context(engine.connect())
            with self._connection.begin():
                self.title = self._begin(self._connection, title)
            self._database.prepare(self._connection)
            self._open.push(stack.pop_all())

    def _begin(self, connection: Connection, title: str | None) -> str:
        """Make the tables, or check that they are those of this game; lock the file."""
        name = self._database.name
        tables = inspect(connection).get_table_names()
        if ABOUT.name in tables:
            self._database.check_sound(connection, check_everything)
            about = connection.execute(select(ABOUT.c.version, ABOUT.c.title)).all()
            check_version([row.version for row in about], VERSION, name)
            kept = about[0].title
            if title not in (None, kept):
                raise InvalidInput(f"{name}: this store is of {kept}, not of {title}")
            title = kept
        elif tables or title is None:
            raise InvalidInput(f"{name}: a database, but no store of solved moves")
        if not self._database.lock(connection, 0):
            raise InvalidInput(f"{name}: another process is solving for this store")
        if ABOUT.name not in tables:
            METADATA.create_all(connection)
            connection.execute(ABOUT.insert().values(version=VERSION, title=title))
        return title

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
            If a row cannot be read.
        """
        with self._database.complaints(), self._connection.begin():
            values = read_rows(
                self._connection, list[tuple[str, str]], select(VALUES.c.move, VALUES.c.value)
            )
            proofs = read_rows(
                self._connection, list[tuple[int, float]], select(PROOFS.c.nodes, PROOFS.c.seconds)
            )
        return Known(
            dict(values),
            sum(nodes for nodes, _ in proofs),
            sum(seconds for _, seconds in proofs),
        )

    def keep(self, solved: SolvedMove) -> None:
        """Write the values of a proof; those that were known before stay."""
        with self._database.complaints(), self._connection.begin():
            self._connection.execute(
                PROOFS.insert().prefix_with("OR IGNORE"),
                {"move": solved.move, "nodes": solved.nodes, "seconds": solved.seconds},
            )
            self._connection.execute(
                VALUES.insert().prefix_with("OR IGNORE"),
                [
                    {"move": move, "value": value, "proof": solved.move}
                    for move, value in solved.values.items()
                ],
            )


def holds_solved_moves(path: Path) -> bool:
    """Tell whether a file is a store of solved moves, as far as it can be read."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(opened(path)) as connection:
        query = f"SELECT 1 FROM sqlite_master WHERE name = '{ABOUT.name}'"
        return connection.execute(query).fetchone() is not None
    return False
