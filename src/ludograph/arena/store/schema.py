"""The tables of a store, and the steps by which older stores become newer ones.

The steps are numbered functions, run in one transaction when a store is opened. They are few, in
one line, and nobody runs them by hand, so a tool for migrations (with folders of scripts, templates
and a command of its own) would be more than what it moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    inspect,
    select,
)

from ludograph.errors import InvalidInput

METADATA = MetaData()

SCHEMA = Table("ludograph_store", METADATA, Column("version", Integer, nullable=False))
"""One row: by which step the store was last changed."""

PLAYERS = Table(
    "players",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    UniqueConstraint("name", "version"),
)
"""``version`` is the digest of the player's file; empty for a player without one."""

TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("declaration", Text, nullable=False),
    Column("created", Text, nullable=False),
)
"""``key`` is the digest of all that makes a tournament another one."""

GAMES = Table(
    "games",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("tournament", ForeignKey("tournaments.id"), nullable=False),
    Column("start", Integer, nullable=False),
    Column("seating", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("board", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("played", Text, nullable=False),
    UniqueConstraint("tournament", "start", "seating"),
)
"""``seating`` holds the players' names as JSON: the three columns of the constraint are the key."""

SEATS = Table(
    "seats",
    METADATA,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", ForeignKey("players.id"), nullable=False),
    Column("rank", Integer, nullable=False),
    Column("score", Float, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("forfeit", Text),
    Column("message", Text),
    Index("seats_by_player", "player"),
)
"""``forfeit`` is the reason, if the seat dropped out."""

RECORDS = Table(
    "records",
    METADATA,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)
"""The game's file, compressed by zlib; apart, so that looking through games reads none of them."""


def _first_tables(connection: Connection) -> None:
    METADATA.create_all(connection)


STEPS: Sequence[Callable[[Connection], None]] = (_first_tables,)
"""Each leads to the version of its number, counted from 1. What was released is never changed."""


def migrate(connection: Connection, name: str) -> None:
    """Bring a store to the newest version, in the transaction of a connection.

    Raises
    ------
    InvalidInput
        If it is a store of a version that is not known yet, or a database of something else.
    """
    tables = inspect(connection).get_table_names()
    version = 0
    if SCHEMA.name in tables:
        version = connection.execute(select(SCHEMA.c.version)).scalar_one()
    elif tables:
        raise InvalidInput(f"{name}: a database, but no store of tournaments")
    if version > len(STEPS):
        raise InvalidInput(
            f"{name}: a store of version {version}, this Ludograph knows up to {len(STEPS)}"
        )
    for step in STEPS[version:]:
        step(connection)
    if version == 0:
        connection.execute(SCHEMA.insert().values(version=len(STEPS)))
    elif version < len(STEPS):
        connection.execute(SCHEMA.update().values(version=len(STEPS)))
