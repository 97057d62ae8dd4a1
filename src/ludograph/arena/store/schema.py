"""The tables of a store, and the steps by which older stores become newer ones.

The steps are numbered functions, run in one transaction when a store is opened. They are few and
form one line, and are never run by hand, so a tool for migrations (with folders of scripts,
templates and a command of its own) would be larger than the migrations.
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

from ludograph.arena.store.integrity import Damaged
from ludograph.errors import InvalidInput

METADATA = MetaData()

SCHEMA = Table("ludograph_store", METADATA, Column("version", Integer, nullable=False))
"""One row: the number of the last step that changed the tables."""

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
    Column("checksum", BigInteger),
)
"""``key`` is the digest of all settings that make a tournament a different one."""

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
    Column("result_checksum", BigInteger),
    Column("details_checksum", BigInteger),
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
    Column("checksum", BigInteger, nullable=False),
)
"""The seeds of all that chance decides in a tournament, as texts; in a table of their own, so that
no list of tournaments shows them."""

COUNTS = Table(
    "game_counts",
    METADATA,
    Column("tournament", ForeignKey("tournaments.id"), primary_key=True),
    Column("games", Integer, nullable=False),
    Column("records", Integer, nullable=False),
)
"""The expected numbers of games and of records; if there are fewer, some are lost."""


def _first_tables(connection: Connection) -> None:
    METADATA.create_all(connection)


def _secrets(connection: Connection) -> None:
    SECRETS.create(connection, checkfirst=True)


def _checksums(connection: Connection) -> None:
    """Add checksums, by which damage is noticed; rows that exist have none, but are counted."""
    for name, added in (
        ("tournaments", ("checksum",)),
        ("games", ("line", "result_checksum", "details_checksum")),
    ):
        there = {column["name"] for column in inspect(connection).get_columns(name)}
        for column in added:
            if column not in there:  # the first step makes the newest tables
                connection.exec_driver_sql(f"ALTER TABLE {name} ADD COLUMN {column} BIGINT")
    COUNTS.create(connection, checkfirst=True)
    connection.exec_driver_sql("DELETE FROM game_counts")
    connection.exec_driver_sql(
        "INSERT INTO game_counts SELECT tournament, count(*), count(records.game)"
        " FROM games LEFT JOIN records ON records.game = games.id GROUP BY tournament"
    )


STEPS: Sequence[Callable[[Connection], None]] = (_first_tables, _secrets, _checksums)
"""Step n, counted from 1, leads to version n. Released steps are never changed."""


def migrate(connection: Connection, name: str) -> None:
    """Bring a store to the newest version, in the transaction of a connection.

    Raises
    ------
    InvalidInput
        If it is a store of a version that is not known yet, or a database of something else.
    Damaged
        If the version cannot be read.
    """
    tables = inspect(connection).get_table_names()
    version = 0
    if SCHEMA.name in tables:
        versions = connection.execute(select(SCHEMA.c.version)).scalars().all()
        version = versions[0] if len(versions) == 1 and isinstance(versions[0], int) else 0
        if version < 1:
            raise Damaged("the version of the store cannot be read")
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
