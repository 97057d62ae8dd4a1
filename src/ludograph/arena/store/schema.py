"""The tables of a store, and its version."""

from __future__ import annotations

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

from ludograph.arena.store.integrity import Damaged
from ludograph.errors import InvalidInput

VERSION = 4
"""It rises with each change of the tables; a store of another version is refused."""

READ_ONLY = "ludograph.read-only"
"""The option of a connection that says whether its transactions only read."""

METADATA = MetaData()

SCHEMA = Table("ludograph_store", METADATA, Column("version", Integer, nullable=False))
"""One row."""

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
    Index("tournaments_again", "game", "declaration", "created").ddl_if(dialect="sqlite"),
)
"""``key`` is the digest of all settings that make a tournament a different one.

No query uses the index: SQLite compares it with the table, so a changed declaration is noticed."""

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
    Column("line", BigInteger),
    UniqueConstraint("tournament", "start", "seating"),
)
"""``seating`` holds the players' names as JSON: the three columns of the constraint are the key.

``line`` is a digest of the start and all moves, by which repeated games are found."""

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
"""The record of a game, compressed by zlib; apart, so that a search for games reads no record."""

SECRETS = Table(
    "secrets",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("seed", Text, nullable=False),
    Index("secrets_again", "seed").ddl_if(dialect="sqlite"),
)
"""The seeds of all that chance decides in a tournament, as texts; in a table of their own, so that
no list of tournaments shows them. The index is as that of tournaments."""


def has_tables(connection: Connection, name: str) -> bool:
    """Tell whether a database has the tables of this version; False if it is empty.

    Raises
    ------
    InvalidInput
        If it is a store of another version, or a database of something else.
    Damaged
        If the version cannot be read.
    """
    tables = inspect(connection).get_table_names()
    if not tables:
        return False
    if SCHEMA.name not in tables:
        raise InvalidInput(f"{name}: a database, but no store of tournaments")
    versions = connection.execute(select(SCHEMA.c.version)).scalars().all()
    version: object = versions[0] if len(versions) == 1 else None
    if not isinstance(version, int) or version < 1:
        raise Damaged("the version of the store cannot be read")
    if version != VERSION:
        raise InvalidInput(
            f"{name}: a store of version {version}, this Ludograph reads version {VERSION} only"
        )
    return True


def make_tables(connection: Connection) -> None:
    """Make the tables in an empty database."""
    METADATA.create_all(connection)
    connection.execute(SCHEMA.insert().values(version=VERSION))
