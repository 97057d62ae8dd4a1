"""A store of solved first moves: one file for one game and board."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from sqlalchemy import Column, Connection, Float, Integer, MetaData, Table, Text, inspect, select

from ludograph.arena.store.sqlite import SQLiteFile
from ludograph.errors import InvalidInput
from ludograph.games.first_moves import SolvedMove

VERSION = 1

METADATA = MetaData()

ABOUT = Table(
    "ludograph_solved",
    METADATA,
    Column("version", Integer, nullable=False),
    Column("title", Text, nullable=False),
)
"""One row: the form of the store, and the game that the moves begin."""

PROOFS = Table(
    "proofs",
    METADATA,
    Column("move", Text, primary_key=True),
    Column("nodes", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
)
"""The searches that were made: of which move, and what they took."""

VALUES = Table(
    "values",
    METADATA,
    Column("move", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("proof", Text, nullable=False),
)
"""What each move leads to, and by which search that is known."""


@dataclass(slots=True)
class Known:
    """What is known of first moves, and what it took.

    Attributes
    ----------
    values
        What each of them leads to.
    nodes, seconds
        Positions searched and seconds of processor time, of all proofs together.
    """

    values: dict[str, str] = field(default_factory=dict)
    nodes: int = 0
    seconds: float = 0.0

    def add(self, solved: SolvedMove) -> None:
        """Take in what a proof has told."""
        self.values = {**solved.values, **self.values}
        self.nodes += solved.nodes
        self.seconds += solved.seconds


class SolvedStore:
    """Solved first moves in a file; a context at whose end it is closed.

    Every proof is kept in one transaction: whoever stops a run, at any instant, loses only what is
    not proven yet. Only one process writes at a time.

    Parameters
    ----------
    where
        The file; it is made if there is none.
    title
        The game whose moves are meant, see :class:`~ludograph.games.first_moves.FirstMoves`.

    Raises
    ------
    InvalidInput
        If it is no such store, one of another game, or another process works on it.
    """

    def __init__(self, where: str | Path, title: str) -> None:
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
                self._begin(self._connection, title)
            self._database.prepare(self._connection)
            self._open.push(stack.pop_all())

    def _begin(self, connection: Connection, title: str) -> None:
        """Make the tables, or see that they are those of this game; and keep others away."""
        name = self._database.name
        tables = inspect(connection).get_table_names()
        if ABOUT.name in tables:
            version, kept = connection.execute(select(ABOUT.c.version, ABOUT.c.title)).one()
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
        if ABOUT.name not in tables:
            METADATA.create_all(connection)
            connection.execute(ABOUT.insert().values(version=VERSION, title=title))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        with self._database.complaints():
            self._open.close()

    def known(self) -> Known:
        """Return all that has been proven."""
        with self._database.complaints(), self._connection.begin():
            rows = self._connection.execute(select(VALUES.c.move, VALUES.c.value)).all()
            proofs = self._connection.execute(select(PROOFS.c.nodes, PROOFS.c.seconds)).all()
        return Known(
            {row.move: row.value for row in rows},
            sum(row.nodes for row in proofs),
            sum(row.seconds for row in proofs),
        )

    def keep(self, solved: SolvedMove) -> None:
        """Keep what a proof has told, at once; what was known before stays."""
        with self._database.complaints(), self._connection.begin():
            proof = {"move": solved.move, "nodes": solved.nodes, "seconds": solved.seconds}
            self._connection.execute(PROOFS.insert().prefix_with("OR IGNORE"), [proof])
            rows = [
                {"move": move, "value": value, "proof": solved.move}
                for move, value in solved.values.items()
            ]
            self._connection.execute(VALUES.insert().prefix_with("OR IGNORE"), rows)
