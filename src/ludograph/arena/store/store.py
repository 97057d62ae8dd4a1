"""A store of tournaments: what is finished is in it, whole, or not at all."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
from sqlalchemy import Connection, CursorResult, Table, func, inspect, select

from ludograph.arena.finished import FinishedGame
from ludograph.arena.store.games import (
    GameFilter,
    KeptGame,
    Played,
    find_games,
    read_played,
    read_record,
)
from ludograph.arena.store.opening import (
    READ_ONLY,
    complaints,
    keep_log_apart,
    open_engine,
    path_of,
)
from ludograph.arena.store.schema import (
    GAMES,
    PLAYERS,
    RECORDS,
    SCHEMA,
    SEATS,
    STEPS,
    TOURNAMENTS,
    migrate,
)
from ludograph.errors import InvalidInput


class PlayerVersion(NamedTuple):
    """A player: its name, and the digest of its file; empty for one without a file."""

    name: str
    version: str = ""


class KeptTournament(NamedTuple):
    """A tournament as it stands in a store; ``games`` are those that are finished."""

    number: int
    key: str
    game: str
    declaration: dict[str, Any]
    created: str
    games: int


class Store:
    """A file of tournaments; a context at whose end it is closed.

    Several processes may use it at a time, each for tournaments of its own.

    Parameters
    ----------
    where
        A file or a ``sqlite:///`` URL; None: the store of this user.
    must_exist
        Do not begin a new one.

    Raises
    ------
    InvalidInput
        If the file is no store, one of a newer version, or not there.
    """

    def __init__(self, where: str | Path | None = None, *, must_exist: bool = False) -> None:
        self.path = path_of(where)
        if must_exist and not self.path.exists():
            raise InvalidInput(
                f"{self.path}: there is no store yet; 'ludograph tournament' makes it"
            )
        try:
            if where is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                self.path.open("rb").close()
        except OSError as error:
            raise InvalidInput(f"{error.filename}: {error.strerror}") from None
        self._lock_file: Any = None
        self._players: dict[PlayerVersion, int] = {}
        self._open = contextlib.ExitStack()
        with complaints(self.path), contextlib.ExitStack() as stack:
            engine = open_engine(self.path)
            stack.callback(engine.dispose)
            self._connection = stack.enter_context(engine.connect())
            self._bring_up_to_date()
            self._open = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and let others play what was under way here."""
        with complaints(self.path):
            self._open.close()
        if self._lock_file is not None:
            self._lock_file.close()
            self._lock_file = None

    def enroll(self, key: str, game: str, declaration: Mapping[str, Any]) -> int:
        """Return the number of the tournament with this key; if there is none, enter it."""
        with self._reading() as connection:
            found: int | None = connection.execute(
                select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.key == key)
            ).scalar_one_or_none()
        if found is not None:
            return found
        row = {
            "key": key,
            "game": game,
            "declaration": msgspec.json.encode(declaration).decode(),
            "created": _now(),
        }
        with self._writing() as connection:
            return _entered(connection, TOURNAMENTS, {"key": key}, row)

    def lock(self, tournament: int) -> None:
        """Keep other processes from playing a tournament too, until this store is closed.

        Raises
        ------
        InvalidInput
            If one does so already.
        """
        beside = self.path.with_name(f"{self.path.name}.lock")
        if self._lock_file is None:
            try:
                self._lock_file = beside.open("ab")
            except OSError as error:
                raise InvalidInput(f"{beside}: {error.strerror}") from None
        try:
            fcntl.lockf(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, tournament)
        except OSError:
            raise InvalidInput(
                f"{self.path}: another process is playing tournament {tournament} now"
            ) from None

    def add(
        self, tournament: int, game: FinishedGame, versions: Mapping[str, str] | None = None
    ) -> None:
        """Write a game that has ended, in one transaction.

        Parameters
        ----------
        versions
            Of players that have files, by name.
        """
        row = {
            "tournament": tournament,
            "start": game.start,
            "seating": msgspec.json.encode(game.key.seating).decode(),
            "played": _now(),
            **{name: getattr(game, name) for name in ("seed", "board", "reason", "plies")},
            "sentence": game.sentence,
        }
        with self._writing() as connection:
            players = [
                self._player(
                    connection, PlayerVersion(s.player, (versions or {}).get(s.player, ""))
                )
                for s in game.seats
            ]
            number = _number_of(connection.execute(GAMES.insert(), row))
            connection.execute(
                SEATS.insert(),
                [
                    {
                        "game": number,
                        "seat": seat,
                        "player": player,
                        **{
                            name: getattr(result, name)
                            for name in result.__struct_fields__
                            if name != "player"
                        },
                    }
                    for seat, (player, result) in enumerate(zip(players, game.seats, strict=True))
                ],
            )
            connection.execute(RECORDS.insert(), {"game": number, "data": game.record})

    def tournaments(self) -> list[KeptTournament]:
        """Return all tournaments, in the order in which they began."""
        count = select(func.count()).where(GAMES.c.tournament == TOURNAMENTS.c.id).scalar_subquery()
        with self._reading() as connection:
            rows = connection.execute(
                select(*TOURNAMENTS.c, count.label("games")).order_by(TOURNAMENTS.c.id)
            ).mappings()
            return [
                KeptTournament(
                    row["id"],
                    row["key"],
                    row["game"],
                    msgspec.json.decode(row["declaration"]),
                    row["created"],
                    row["games"],
                )
                for row in rows
            ]

    def played(self, *tournaments: int) -> Played:
        """Return the games of some tournaments, for tables and ratings."""
        with self._reading() as connection:
            return read_played(connection, tournaments)

    def games(self, wanted: GameFilter | None = None) -> Iterator[KeptGame]:
        """Yield games that are looked for, in the order in which they ended."""
        with self._reading() as connection:
            yield from find_games(connection, wanted or GameFilter())

    def record(self, game: int) -> bytes:
        """Return the file of a game; raise InvalidInput if there is no such game."""
        import zlib

        with self._reading() as connection:
            found = read_record(connection, game)
        if found is None:
            raise InvalidInput(f"{self.path}: there is no game {game}")
        return zlib.decompress(found)

    def _player(self, connection: Connection, player: PlayerVersion) -> int:
        """Return the number of a player, which is entered if it is new."""
        known = self._players.get(player)
        if known is None:
            row = player._asdict()
            known = _entered(connection, PLAYERS, row, row)
            connection.info.setdefault("entered", []).append((player, known))
        return known

    def _bring_up_to_date(self) -> None:
        with self._reading() as connection:
            current = inspect(connection).has_table(SCHEMA.name) and (
                connection.execute(select(SCHEMA.c.version)).scalar() == len(STEPS)
            )
        if current:
            return
        with self._writing() as connection:
            migrate(connection, str(self.path))
        keep_log_apart(self._connection)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Connection]:
        with complaints(self.path):
            connection = self._connection.execution_options(**{READ_ONLY: True})
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Connection]:
        with complaints(self.path):
            connection = self._connection.execution_options(**{READ_ONLY: False})
            connection.info["entered"] = []
            with connection.begin():
                yield connection
            self._players.update(connection.info["entered"])


def _entered(
    connection: Connection, table: Table, key: Mapping[str, Any], row: Mapping[str, Any]
) -> int:
    """Return the number of a row, which is written if it is not there yet."""
    same = [table.c[name] == value for name, value in key.items()]
    found: int | None = connection.execute(select(table.c.id).where(*same)).scalar_one_or_none()
    if found is None:
        found = _number_of(connection.execute(table.insert(), dict(row)))
    return found


def _number_of(result: CursorResult[Any]) -> int:
    """Return the number of a row that was written."""
    key = result.inserted_primary_key
    assert key is not None  # a single row
    return int(key[0])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
