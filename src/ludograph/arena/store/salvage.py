"""Salvage of a damaged store: its readable rows, and a sound copy made of them.

The damaged file is only read. Rows are read along their tables, past places that SQLite cannot
read. A game is kept if all its rows are there and agree with its checksums. A name that is lost in
the table of players is restored from games and tournaments.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from ludograph.arena.store.games import checksums, is_sound
from ludograph.arena.store.integrity import (
    Damaged,
    check_structure,
    check_whole_structure,
    checksum_of,
    tournament_checksum,
)
from ludograph.arena.store.schema import (
    COUNTS,
    GAMES,
    METADATA,
    PLAYERS,
    RECORDS,
    SCHEMA,
    SEATS,
    SECRETS,
    TOURNAMENTS,
    migrate,
)
from ludograph.arena.store.sqlite import TIMEOUT, SQLiteFile
from ludograph.counting import counted
from ludograph.documents import replacing
from ludograph.errors import InvalidInput

NEAR = 10_000
"""The number of consecutive unreadable rows that are tried one by one; then steps grow."""

Row = dict[str, Any]


@dataclass
class Salvaged:
    """The sound rows of a damaged store.

    Attributes
    ----------
    tables
        The rows of each table that are what was written, except records.
    records
        The numbers of games whose records can be read.
    written, records_written
        The numbers of games and of records that were written, as far as they are known.
    lost_tournaments
        The numbers of tournaments that are lost with all their games.
    lost_seeds
        The numbers of tournaments whose seeds are lost; further games are drawn from new seeds.
    """

    path: Path
    tables: dict[str, list[Row]] = field(default_factory=dict)
    records: set[int] = field(default_factory=set)
    written: int = 0
    records_written: int = 0
    lost_tournaments: list[int] = field(default_factory=list)
    lost_seeds: list[int] = field(default_factory=list)

    @property
    def games(self) -> list[Row]:
        """The sound games."""
        return self.tables[GAMES.name]

    @property
    def lost_games(self) -> int:
        """The number of games that cannot be read."""
        return max(0, self.written - len(self.games))

    @property
    def lost_records(self) -> int:
        """The number of records that cannot be read."""
        return max(0, self.records_written - len(self.records))

    @property
    def lost(self) -> str:
        """The losses in words."""
        losses = []
        if self.lost_tournaments:
            losses.append(f"tournament {', '.join(map(str, self.lost_tournaments))}")
        if self.lost_seeds:
            losses.append(f"the seed of tournament {', '.join(map(str, self.lost_seeds))}")
        if self.lost_games:
            losses.append(f"{self.lost_games} of {self.written} games")
        if self.lost_records:
            losses.append(f"{self.lost_records} of {self.records_written} records")
        if not losses:
            return f"none of {self.written} games is lost"
        return f"{' and '.join(losses)} lost"

    @property
    def kept(self) -> str:
        """The sound content in words."""
        tournaments, games = len(self.tables[TOURNAMENTS.name]), len(self.games)
        counts = ((tournaments, "tournament"), (games, "game"), (len(self.records), "record"))
        return ", ".join(counted(count, what) for count, what in counts)


def check_file(path: Path) -> Salvaged:
    """Read a store from end to end, and return its rows.

    Raises
    ------
    DamagedStore
        If something is not what was written.
    InvalidInput
        If it is no store.
    """
    with SQLiteFile(path, lost).complaints():
        with contextlib.closing(opened(path, lenient=False)) as connection:

            def select(query: str) -> Sequence[Any]:
                return connection.execute(query).fetchall()

            if not select("SELECT 1 FROM sqlite_master WHERE name = 'ludograph_store'"):
                raise InvalidInput(f"{path}: this is not a store of tournaments")
            check_structure(select)
            check_whole_structure(select, indexes=True)
            sound = {row["id"] for row in rows_of(connection, TOURNAMENTS) if _is_kept(row)}
            for (number,) in select("SELECT id FROM tournaments"):
                if number not in sound:
                    raise Damaged(f"tournament {number} is not what was written")
            if orphans := select("PRAGMA foreign_key_check"):
                raise Damaged(f"{len(orphans)} rows belong to nothing")
        content = salvaged(path)
        losses = content.lost_games, content.lost_records
        if any(losses) or content.lost_tournaments or content.lost_seeds:
            raise Damaged("checksums are wrong")
    return content


def salvaged(path: Path) -> Salvaged:
    """Return the sound rows of a damaged store.

    Raises
    ------
    InvalidInput
        If nothing can.
    """
    content = Salvaged(path)
    try:
        with contextlib.closing(opened(path)) as connection:
            _read(connection, content)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path}: no part of the store can be read: {error}") from None
    if not content.tables[TOURNAMENTS.name] and (content.written or content.lost_tournaments):
        raise InvalidInput(f"{path}: no tournament of the store can be read, so its games are lost")
    return content


def lost(path: Path) -> str:
    """Return the losses of a damaged store, in words."""
    status = path.stat()
    return _lost_then(path, status.st_size, status.st_mtime_ns)


@lru_cache(4)
def _lost_then(path: Path, size: int, changed: int) -> str:  # noqa: ARG001
    """Return the losses, searched once for each state of a file, since it takes seconds."""
    return salvaged(path).lost


def write_copy(content: Salvaged, copy: Path) -> None:
    """Write a store with the sound rows of a damaged one, as a whole or not at all.

    Games keep their numbers.

    Raises
    ------
    InvalidInput
        If it cannot be written.
    """
    with appearing(copy) as part:
        make_empty(SQLiteFile(part, lost))
        with (
            contextlib.closing(sqlite3.connect(part, isolation_level=None)) as target,
            contextlib.closing(opened(content.path)) as source,
        ):
            target.execute("BEGIN")
            for name, rows in content.tables.items():
                insert(target, METADATA.tables[name], rows)
            for number, data in _sound_records(source):
                if number in content.records:
                    insert(target, RECORDS, [{"game": number, "data": data}])
            target.execute("COMMIT")


def make_empty(database: SQLiteFile) -> None:
    """Make the file of a store without tournaments."""
    engine = database.open()
    try:
        with database.complaints(), engine.connect() as connection:
            with connection.begin():
                migrate(connection, database.name)
            database.prepare(connection)
    finally:
        engine.dispose()


@contextlib.contextmanager
def appearing(path: Path) -> Iterator[Path]:
    """Yield the path at which a database is to be made; at the end it gets its own name."""
    with replacing(path) as part:
        try:
            yield part
        finally:
            for end in ("-wal", "-shm", ".lock"):
                part.with_name(part.name + end).unlink(missing_ok=True)


def opened(path: Path, *, lenient: bool = True) -> sqlite3.Connection:
    """Return a connection that only reads; a lenient one from files that are cut short, too."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, TIMEOUT, isolation_level=None, uri=True)
    if lenient:
        connection.execute("PRAGMA writable_schema = ON")  # of any schema
    connection.execute("BEGIN")
    return connection


def _read(connection: sqlite3.Connection, content: Salvaged) -> None:
    for table in (TOURNAMENTS, PLAYERS, GAMES, SEATS):
        if not connection.execute(f"PRAGMA table_info('{table.name}')").fetchall():
            raise sqlite3.DatabaseError("the list of its tables is damaged")
    tournaments = {row["id"]: row for row in rows_of(connection, TOURNAMENTS) if _is_kept(row)}
    players = {row["id"]: (row["name"], row["version"]) for row in rows_of(connection, PLAYERS)}
    seats: dict[int, list[Row]] = defaultdict(list)
    for seat in rows_of(connection, SEATS):
        seats[seat["game"]].append(seat)
    games, mentioned = {}, set()
    for game in rows_of(connection, GAMES):
        mentioned.add(game["tournament"])
        own = sorted(seats[game["id"]], key=lambda seat: int(seat["seat"]))
        tournament = tournaments.get(game["tournament"])
        if (
            tournament is not None
            and game["id"] not in games
            and _is_whole(game, own, players, tournament)
        ):
            games[game["id"]] = (game, own)
    counts = {row["tournament"]: row for row in rows_of(connection, COUNTS)}
    content.written = max(
        sum(row["games"] for row in counts.values()), _largest_count(connection), len(games)
    )
    content.records = {number for number, _ in _sound_records(connection) if number in games}
    content.records_written = max(
        sum(row["records"] for row in counts.values()), len(content.records)
    )
    content.lost_tournaments = sorted((mentioned | set(counts)) - set(tournaments))
    _fill(connection, content, tournaments, players, list(games.values()))


def _fill(
    connection: sqlite3.Connection,
    content: Salvaged,
    tournaments: Mapping[int, Row],
    players: Mapping[int, tuple[str, str]],
    games: Sequence[tuple[Row, list[Row]]],
) -> None:
    """Put together the rows of the copy, with new checksums and counts."""
    used = {seat["player"] for _, own in games for seat in own}
    for game, own in games:
        seats = [(*players[seat["player"]], seat) for seat in own]
        game.update(checksums(game, seats))
    for row in tournaments.values():
        row["checksum"] = _checksum_of(row)
    seeds = [row for row in rows_of(connection, SECRETS) if row["tournament"] in tournaments]
    sound = [row for row in seeds if row["checksum"] == checksum_of(row["tournament"], row["seed"])]
    content.lost_seeds = sorted({row["tournament"] for row in seeds if row not in sound})
    played = Counter(game["tournament"] for game, _ in games)
    recorded = Counter(game["tournament"] for game, _ in games if game["id"] in content.records)
    made = {
        TOURNAMENTS.name: list(tournaments.values()),
        SECRETS.name: sound,
        PLAYERS.name: [
            {"id": number, "name": name, "version": version}
            for number, (name, version) in players.items()
            if number in used
        ],
        GAMES.name: [game for game, _ in games],
        SEATS.name: [seat for _, own in games for seat in own],
        COUNTS.name: [
            {"tournament": number, "games": played[number], "records": recorded[number]}
            for number in tournaments
        ],
    }
    for table in METADATA.sorted_tables:  # tables of later versions are copied as they are
        if table not in (SCHEMA, RECORDS):
            kept = made.get(table.name)
            content.tables[table.name] = list(rows_of(connection, table)) if kept is None else kept


def _is_kept(tournament: Row) -> bool:
    """Tell whether a tournament is what was written."""
    if tournament["checksum"] not in (None, _checksum_of(tournament)):
        return False
    try:
        return isinstance(json.loads(tournament["declaration"]), dict)
    except ValueError:
        return False


def _checksum_of(tournament: Row) -> int:
    return tournament_checksum(*(tournament[n] for n in ("key", "game", "declaration", "created")))


def _is_whole(
    game: Row, seats: Sequence[Row], players: dict[int, tuple[str, str]], tournament: Row
) -> bool:
    """Tell whether a game is what was written; correct the names of players from it."""
    if not seats:
        return False

    def agrees(known: Mapping[int, tuple[str, str]]) -> bool:
        return is_sound(
            [
                {**game, **seat, "name": name, "version": version}
                for seat in seats
                for name, version in [known.get(seat["player"], (None, None))]
            ]
        )

    if agrees(players):
        return True
    try:
        names = json.loads(game["seating"])
        versions = json.loads(tournament["declaration"]).get("versions") or {}
        seated = {
            seat["player"]: (str(name), str(versions.get(name, "")))
            for seat, name in zip(seats, names, strict=True)
        }
    except (ValueError, TypeError, AttributeError):
        return False
    if set(seated.values()) & {version for n, version in players.items() if n not in seated}:
        return False  # it is another player's number that is wrong
    if agrees(seated):
        players.update(seated)
        return True
    return False


def rows_of(connection: sqlite3.Connection, table: Table) -> Iterator[Row]:
    """Yield the rows of a table whose values have the right types.

    Columns that an older store does not have are None. A table without a column that every store
    has is damaged, and has no rows.
    """
    there = {row[1] for row in connection.execute(f"PRAGMA table_info('{table.name}')")}
    columns = [column for column in table.c if column.name in there]
    if not all(column.nullable or column.name in there for column in table.c):
        return
    kinds = [(column.type.python_type, column.nullable) for column in columns]
    for _, *values in _readable(connection, table.name, [column.name for column in columns]):
        if all(
            type(value) is kind or (value is None and nullable)
            for value, (kind, nullable) in zip(values, kinds, strict=True)
        ):
            own = zip((column.name for column in columns), values, strict=True)
            yield {**dict.fromkeys(column.name for column in table.c), **dict(own)}


def _readable(
    connection: sqlite3.Connection, table: str, columns: Sequence[str]
) -> Iterator[Sequence[Any]]:
    """Yield all rows that SQLite can read, in the order of their numbers, which come first."""
    names = ", ".join(f'"{name}"' for name in columns)
    query = f'SELECT rowid, {names} FROM "{table}" NOT INDEXED WHERE rowid > ? ORDER BY rowid'
    last, unread, end = -1, 0, _last_row(connection, table)
    while True:
        try:
            for row in connection.execute(query, (last,)):
                yield row
                last, unread = max(last, row[0]), 0
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            unread += 1
            last += 1 if unread < NEAR else unread
            if last > end:
                return
        else:
            return


def _last_row(connection: sqlite3.Connection, table: str) -> int:
    """Return an upper bound of the numbers of rows, as far as it can be known."""
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    end = int(pages) * 200
    with contextlib.suppress(sqlite3.DatabaseError):
        query = f'SELECT max(rowid) FROM "{table}" NOT INDEXED'
        end = min(end, connection.execute(query).fetchone()[0] or 0)
    return end


def _largest_count(connection: sqlite3.Connection) -> int:
    """Return the number of games in the table or in its index, the larger one."""
    counts = [0]
    for how in ("NOT INDEXED", "INDEXED BY sqlite_autoindex_games_1"):
        with contextlib.suppress(sqlite3.DatabaseError):
            counts.append(connection.execute(f"SELECT count(*) FROM games {how}").fetchone()[0])
    return max(counts)


def _sound_records(connection: sqlite3.Connection) -> Iterator[tuple[int, bytes]]:
    """Yield the records that can be read, with the numbers of their games, each once."""
    last = 0
    for number, data in _readable(connection, RECORDS.name, ["data"]):
        try:
            zlib.decompress(data)
        except (zlib.error, TypeError):
            continue
        if number > last:
            last = number
            yield number, data


def insert(connection: sqlite3.Connection, table: Table, rows: Sequence[Row]) -> None:
    """Write rows to a table of a file."""
    columns = [column.name for column in table.c]
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    connection.executemany(
        f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})',
        ([row[name] for name in columns] for row in rows),
    )
