"""A store of tournaments, which writes each finished game as a whole or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import msgspec
from sqlalchemy import Connection, select

from ludograph.arena.finished_game import FinishedGame
from ludograph.arena.results import Results
from ludograph.arena.store.games import (
    SEAT_COLUMNS,
    GameFilter,
    KeptTournament,
    PlayerVersion,
    find_games,
    get_or_insert,
    inserted_number,
    now,
    read_played,
    read_record,
    read_tournaments,
    row_number,
    wanted_games,
)
from ludograph.arena.store.integrity import (
    Damaged,
    NoStore,
    check_everything,
    check_pages,
    check_structure,
)
from ludograph.arena.store.location import file_of
from ludograph.arena.store.postgresql import PostgreSQL
from ludograph.arena.store.schema import (
    GAMES,
    PLAYERS,
    READ_ONLY,
    RECORDS,
    SEATS,
    SECRETS,
    TOURNAMENTS,
    has_tables,
    make_tables,
)
from ludograph.arena.store.sqlite import Compacted, SQLiteFile
from ludograph.errors import InvalidInput, NotFound
from ludograph.hosting.sandbox.readable_paths import withhold
from ludograph.referee.seed import Seed

FILE_ENDS = ("", "-journal", "-shm", "-wal", ".lock")
"""Suffixes of a store's files: SQLite keeps some beside it."""


class Store:
    """Tournaments in a file or on a server; a context manager that closes the store.

    Several processes may use a store at a time, each for tournaments of its own.

    Parameters
    ----------
    where
        A file, a ``sqlite:///`` or ``postgresql://`` URL; None: the store of this user.
    must_exist
        Whether a missing store is an error; otherwise a new one is made.

    Attributes
    ----------
    name
        Its name in messages: the file, or the URL without credentials.
    path
        The file; None on a server.

    Raises
    ------
    InvalidInput
        If it is no store, has another version, or does not exist; if a server refuses.
    HostFailure
        If a server cannot be reached.
    """

    def __init__(self, where: str | Path | None = None, *, must_exist: bool = False) -> None:
        self._database = database_of(where)
        self.name, self.path = self._database.name, self._database.path
        self._database.check(must_exist=must_exist, make_folder=where is None)
        if self.path is not None:
            withhold(*(f"{self.path}{end}" for end in FILE_ENDS))
        self._players: dict[PlayerVersion, int] = {}
        self._open = contextlib.ExitStack()
        with self._database.complaints(), contextlib.ExitStack() as stack:
            self._engine = self._database.open()
            stack.callback(self._engine.dispose)
            self._connection = stack.enter_context(self._engine.connect())
            self._check_or_make(must_exist)
            self._open = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store, and release its locks."""
        with self._database.complaints():
            self._open.close()
        self._database.close()

    def enroll(self, key: str, game: str, declaration: Mapping[str, Any]) -> int:
        """Return the number of the tournament with this key, which is entered if it is new.

        The declaration is replaced, as its number of games or its test may have changed.

        Raises
        ------
        InvalidInput
            If it would be replaced while another process plays the tournament.
        """
        text = msgspec.json.encode(declaration).decode()
        ours = TOURNAMENTS.c.key == key
        with self.reading() as connection:
            kept = connection.execute(
                select(TOURNAMENTS.c.id, TOURNAMENTS.c.declaration).where(ours)
            ).one_or_none()
        if kept is not None and kept.declaration == text:
            return int(kept.id)
        if kept is not None:
            self.lock(int(kept.id))  # another process may play it by the declaration that is there
        row = {"key": key, "game": game, "declaration": text, "created": now()}
        with self.writing() as connection:
            number = get_or_insert(connection, TOURNAMENTS, {"key": key}, row)
            connection.execute(TOURNAMENTS.update().where(ours).values(declaration=text))
        return number

    def number_of(self, key: str) -> int | None:
        """Return the number of the tournament with this key; None if there is none."""
        with self.reading() as connection:
            return row_number(connection, TOURNAMENTS, {"key": key})

    def secret(self, tournament: int, new: Seed) -> Seed:
        """Return the seed of all that chance decides in a tournament.

        Parameters
        ----------
        new
            The seed that is written if the tournament has none yet.
        """
        kept = self.kept_secret(tournament)
        if kept is not None:
            return kept
        with self.writing() as connection:
            kept = read_secret(connection, tournament)  # another process may have been quicker
            if kept is None:
                connection.execute(SECRETS.insert(), {"tournament": tournament, "seed": str(new)})
        return kept or new

    def kept_secret(self, tournament: int) -> Seed | None:
        """Return the seed of a tournament; None if it has none."""
        with self.reading() as connection:
            return read_secret(connection, tournament)

    def check_pages(self) -> None:
        """Have SQLite check the whole file quickly, before many games are played.

        It takes 0.2 s for a file with 100,000 games.

        Raises
        ------
        DamagedStore
            If it is damaged.
        """
        with self.reading() as connection:
            self._database.check_sound(connection, check_pages)

    def check_everything(self) -> dict[str, int]:
        """Have SQLite check the whole file, and read each game and record; return their counts.

        Raises
        ------
        DamagedStore
            If something is damaged.
        """
        with self.reading() as connection:
            self._database.check_sound(connection, check_everything)
            tournaments = len(read_tournaments(connection))
            games = [game.number for game in find_games(connection)]
            records = sum(read_record(connection, game) is not None for game in games)
        return {"tournament": tournaments, "game": len(games), "record": records}

    def compact(self, *, erase: bool = False) -> Compacted | None:
        """Give the space of dropped records back to the disk, while no game is written.

        Return None if there is little space, or if the store is on a server.

        Parameters
        ----------
        erase
            Whether nothing may remain of what was deleted.
        """
        with self._database.complaints():
            return self._database.compact(self._connection, erase=erase)

    def lock(self, tournament: int) -> None:
        """Keep other processes from playing a tournament, until this store is closed.

        Raises
        ------
        InvalidInput
            If another process plays it already.
        """
        with self._database.complaints():
            if not self._database.lock(self._connection, tournament):
                raise InvalidInput(
                    f"{self.name}: another process is playing tournament {tournament} now"
                )

    def add(
        self, tournament: int, game: FinishedGame, versions: Mapping[str, str] | None = None
    ) -> int:
        """Write a game that has ended, in one transaction; return its number.

        Parameters
        ----------
        versions
            The digests of players' files, by the players' names.
        """
        row = {
            "tournament": tournament,
            "start": game.start,
            "seating": msgspec.json.encode(game.key.seating).decode(),
            "played": now(),
            **{name: getattr(game, name) for name in ("seed", "board", "reason", "plies")},
            "sentence": game.sentence,
            "line": game.line or None,
        }
        seats = [
            {"seat": seat, **{name: getattr(result, name) for name in SEAT_COLUMNS}}
            for seat, result in enumerate(game.seats)
        ]
        names = [PlayerVersion(s.player, (versions or {}).get(s.player, "")) for s in game.seats]

        with self.writing() as connection:
            players = [self._player(connection, player) for player in names]
            number = inserted_number(connection.execute(GAMES.insert(), row))
            own = [
                {"game": number, "player": player, **seat}
                for player, seat in zip(players, seats, strict=True)
            ]
            connection.execute(SEATS.insert(), own)
            connection.execute(RECORDS.insert(), {"game": number, "data": game.record})
        return number

    def tournaments(self) -> list[KeptTournament]:
        """Return all tournaments, in the order in which they began."""
        with self.reading() as connection:
            return read_tournaments(connection)

    def played(self, *tournaments: int) -> Results:
        """Return the results of all games of some tournaments, for tables and ratings.

        Their names are those of all players, in order.
        """
        with self.reading() as connection:
            return read_played(connection, tournaments)

    def games(self, wanted: GameFilter | None = None) -> Iterator[FinishedGame]:
        """Yield games in the order in which they ended: all, or those that meet conditions.

        They come without their records, see :meth:`record`.
        """
        with self.reading() as connection:
            yield from wanted_games(connection, wanted or GameFilter())

    def record(self, game: int) -> bytes:
        """Return the record of a game, as the bytes of its file.

        Raises
        ------
        NotFound
            If there is no such game, or its record was dropped.
        """
        with self.reading() as connection:
            record = read_record(connection, game)
            exists = record is not None or row_number(connection, GAMES, {"id": game}) is not None
            if exists and record is None:  # dropped, or lost with a damaged page
                self._database.check_sound(connection, check_pages)
        if record is not None:
            return record
        if exists:
            raise NotFound(f"{self.name}: the record of game {game} is not kept any more")
        raise NotFound(f"{self.name}: there is no game {game}")

    def _player(self, connection: Connection, player: PlayerVersion) -> int:
        """Return the number of a player, which is entered if it is new."""
        known = self._players.get(player)
        if known is None:
            row = player._asdict()
            known = get_or_insert(connection, PLAYERS, row, row)
            connection.info.setdefault("entered", []).append((player, known))
        return known

    def _check_or_make(self, must_exist: bool) -> None:
        with self.reading() as connection:
            if has_tables(connection, self.name):
                self._database.check_sound(connection, check_structure)
                return
        if must_exist:
            raise NoStore(f"{self.name}: there is no store yet; 'ludograph tournament' makes it")
        with self.writing() as connection:
            if not has_tables(connection, self.name):  # another process may have been quicker
                make_tables(connection)
        self._database.prepare(self._connection)

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection for reading, in one transaction; its errors become one sentence."""
        with self._database.complaints():
            connection = self._connection.execution_options(**{READ_ONLY: True})
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection for writing, in one transaction."""
        with self._database.complaints():
            connection = self._connection.execution_options(**{READ_ONLY: False})
            connection.info["entered"] = []
            with connection.begin():
                yield connection
            self._players.update(connection.info["entered"])


def read_secret(connection: Connection, tournament: int) -> Seed | None:
    """Return the seed of a tournament; None if it has none.

    Raises
    ------
    Damaged
        If it is no seed.
    """
    ours = SECRETS.c.tournament == tournament
    seed = connection.execute(select(SECRETS.c.seed).where(ours)).scalar_one_or_none()
    if seed is None:
        return None
    try:
        return Seed.parse(str(seed))
    except InvalidInput:
        raise Damaged(f"the seed of tournament {tournament} cannot be read") from None


def database_of(where: str | Path | None) -> SQLiteFile | PostgreSQL:
    """Return the database at a path or a URL; with None, the one of this user.

    Raises
    ------
    InvalidInput
        If it is a URL of another kind, or no file can be there.
    """
    path = file_of(where)
    return PostgreSQL(str(where)) if path is None else SQLiteFile(path)
