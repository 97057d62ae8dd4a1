"""Games and tournaments of a store: games with their records, and results of many for tables.

A game with all that the store has of it is read by one query, :func:`find_games`; results of many
games, for tables and ratings, as columns of numbers by :func:`read_results`.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from sqlalchemy import ColumnElement, Connection, CursorResult, Select, Table, func, select

from ludograph.arena.arrays import Ints, distinct
from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.results import Results, places
from ludograph.arena.store.integrity import Damaged
from ludograph.arena.store.schema import GAMES, PLAYERS, SEATS, TOURNAMENTS
from ludograph.errors import InvalidInput
from ludograph.referee.sentences import public_sentence


def get_or_insert(
    connection: Connection, table: Table, key: Mapping[str, Any], row: Mapping[str, Any]
) -> int:
    """Return the number of a row, which is written if it is not there yet."""
    number = row_number(connection, table, key)
    if number is None:
        number = inserted_number(connection.execute(table.insert(), dict(row)))
    return number


def row_number(connection: Connection, table: Table, key: Mapping[str, Any]) -> int | None:
    """Return the number of a row; None if it is not there."""
    same = [table.c[name] == value for name, value in key.items()]
    number: int | None = connection.execute(select(table.c.id).where(*same)).scalar_one_or_none()
    return number


def inserted_number(result: CursorResult[Any]) -> int:
    """Return the number of a row that was written."""
    key = result.inserted_primary_key
    assert key is not None  # a single row
    return int(key[0])


def now() -> str:
    """Return the date and time in UTC, to the second, as stored in rows."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class GameFilter(msgspec.Struct, frozen=True):
    """The conditions of a search for games; None stands for no condition.

    Attributes
    ----------
    tournaments
        Their numbers; empty: all.
    player, opponent
        Names of players that took part.
    reason
        Why the game ended, or why one of its seats dropped out.
    board
        The name of the board.
    game
        The number of one game.
    """

    tournaments: tuple[int, ...] = ()
    player: str | None = None
    opponent: str | None = None
    reason: str | None = None
    board: str | None = None
    game: int | None = None


def seat_rows(*columns: ColumnElement[Any]) -> Select[Any]:
    """Return the query for games, with a row for each seat and its player.

    Rows come in the order in which games ended, and of each game in the order of its seats. A game
    whose seats are lost has one row, in which the columns of seats and players are None.
    """
    return (
        select(*columns)
        .select_from(GAMES)
        .outerjoin(SEATS, SEATS.c.game == GAMES.c.id)
        .outerjoin(PLAYERS, PLAYERS.c.id == SEATS.c.player)
        .order_by(GAMES.c.id, SEATS.c.seat)
    )


def of_tournaments(*tournaments: int) -> ColumnElement[bool]:
    """Return the condition that games are of some tournaments, without the use of an index.

    Reading the whole table is quicker here: with the index of tournaments, a database would sort
    all games to find the last ones. And an index with a changed bit loses games without an error.
    """
    return (GAMES.c.tournament + 0).in_(tournaments)


ALL_COLUMNS = (
    *GAMES.c,
    PLAYERS.c.name,
    PLAYERS.c.version,
    *(column for column in SEATS.c if column not in (SEATS.c.game, SEATS.c.player)),
)


SEAT_COLUMNS = tuple(name for name in SeatResult.__struct_fields__ if name != "player")

OWN_COLUMNS = ("tournament", "start", "seed", "board", "reason", "plies", "sentence")
"""The columns of a game that have the names of its fields."""


def wanted_games(connection: Connection, wanted: GameFilter) -> Iterator[FinishedGame]:
    """Yield the games that a search finds; order and errors as in :func:`find_games`."""
    conditions = [of_tournaments(*wanted.tournaments)] if wanted.tournaments else []
    conditions += [] if wanted.game is None else [GAMES.c.id == wanted.game]
    for game in find_games(connection, *conditions):
        players = {seat.player for seat in game.seats}
        if (
            players.issuperset({wanted.player, wanted.opponent} - {None})
            and wanted.reason in (None, game.reason, *(seat.forfeit for seat in game.seats))
            and wanted.board in (None, game.board)
        ):
            yield game


def find_games(connection: Connection, *conditions: ColumnElement[bool]) -> Iterator[FinishedGame]:
    """Yield games in the order in which they ended, without their records.

    Raises
    ------
    Damaged
        If a game cannot be read.
    """
    rows = connection.execute(seat_rows(*ALL_COLUMNS).where(*conditions)).mappings()
    for number, group in groupby(rows, itemgetter("id")):
        yield _finished_game(number, [dict(row) for row in group])


def _finished_game(number: int, seats: Sequence[dict[str, Any]]) -> FinishedGame:
    """Return a game from the rows of its seats, each with its game and its player.

    Raises
    ------
    Damaged
        If a seat or a player is missing, or a value has a wrong type.
    """
    if [seat["seat"] for seat in seats] != list(range(len(seats))):
        raise Damaged(f"game {number} has lost a seat")
    game = {
        "number": number,
        **{name: seats[0][name] for name in OWN_COLUMNS},
        "ended": seats[0]["played"],
        "line": seats[0]["line"] or 0,
        "seats": [
            {"player": seat["name"], **{name: seat[name] for name in SEAT_COLUMNS}}
            for seat in seats
        ],
        "versions": [seat["version"] for seat in seats],
    }
    try:
        found = msgspec.convert(game, FinishedGame)
    except msgspec.ValidationError as error:
        raise Damaged(f"game {number} cannot be read: {error}") from None
    if all(seat.forfeit is None for seat in found.seats):
        return found
    return msgspec.structs.replace(found, sentence=public_sentence(found.sentence))


def read_record(connection: Connection, game: int) -> bytes | None:
    """Return the file of a game; None if there is none.

    Raises
    ------
    Damaged
        If it is not what was written: zlib has a checksum of its own.
    """
    # Without SQLAlchemy's types: in a damaged store the value may not be bytes.
    query = f"SELECT data FROM records WHERE game = {int(game)}"
    data = connection.exec_driver_sql(query).scalar_one_or_none()
    if data is None:
        return None
    try:
        return zlib.decompress(data)
    except (zlib.error, TypeError):
        raise Damaged(f"the record of game {game} is not what was written") from None


VERSION_LETTERS = 8
"""Letters of a digest behind the name of a player that has several versions."""

START_DISTANCE = 1 << 32
"""The distance between the starts of two tournaments whose games are read together."""


class KeptTournament(NamedTuple):
    """A tournament in a store; ``games`` is the number of its finished games."""

    number: int
    key: str
    game: str
    declaration: dict[str, Any]
    created: str
    games: int


class PlayerVersion(NamedTuple):
    """A player: its name, and the digest of its file; empty for one without a file."""

    name: str
    version: str = ""


Row = TypeVar("Row", bound=tuple[Any, ...])


def read_rows(connection: Connection, kind: type[list[Row]], query: Select[Any]) -> list[Row]:
    """Return the rows that a query finds, as tuples whose values have the right types.

    Raises
    ------
    Damaged
        If a value has a wrong type, as any value of an SQLite file may.
    """
    with connection.execute(query) as result:
        rows = result.cursor.fetchall()  # SQLAlchemy's own rows take twice the time
    try:
        return msgspec.convert(rows, kind)
    except msgspec.ValidationError as error:
        table = query.get_final_froms()[0]
        raise Damaged(f"a row of {table} cannot be read: {error}") from None


def read_tournaments(connection: Connection) -> list[KeptTournament]:
    """Return all tournaments, in the order in which they began.

    Raises
    ------
    Damaged
        If one cannot be read.
    """
    own = GAMES.c.tournament + 0  # no index, as in of_tournaments
    counted = select(own, func.count()).select_from(GAMES).group_by(own)
    games = dict(read_rows(connection, list[tuple[int, int]], counted))
    query = select(TOURNAMENTS).order_by(TOURNAMENTS.c.id)
    tournaments = []
    for row in read_rows(connection, list[tuple[int, str, str, str, str]], query):
        number, key, game, declared, created = row
        try:
            declaration = msgspec.json.decode(declared, type=dict[str, Any])
        except msgspec.MsgspecError:
            raise Damaged(f"tournament {number} cannot be read") from None
        count = games.get(number, 0)
        tournaments.append(KeptTournament(number, key, game, declaration, created, count))
    return tournaments


def read_played(connection: Connection, tournaments: Sequence[int]) -> Results:
    """Return the results of all games of some tournaments.

    Each tournament has starts of its own. A player that took part with several versions of its
    file has a name for each version.

    Raises
    ------
    Damaged
        If a game cannot be read.
    """
    ours = of_tournaments(*tournaments)
    first_start = {number: n * START_DISTANCE for n, number in enumerate(sorted(tournaments))}
    return read_results(connection, names_of, ours, first_start=first_start)


Naming = Callable[[Iterable[PlayerVersion]], Mapping[PlayerVersion, str]]
"""Returns the names of all players in some games."""


def read_results(
    connection: Connection,
    naming: Naming,
    *conditions: ColumnElement[bool],
    first_start: Mapping[int, int] | None = None,
) -> Results:
    """Return the results of games that meet some conditions, in the order in which they ended.

    The names of their players are in order. Games and seats are read by two queries: one that joins
    them would return each game once for each of its seats, which takes twice the time.

    Parameters
    ----------
    first_start
        By tournament: the number of its first start; None: all from 0.

    Raises
    ------
    Damaged
        If a game cannot be read.
    InvalidInput
        If games have different numbers of seats.
    """
    columns = (GAMES.c.id, GAMES.c.tournament, GAMES.c.start, func.coalesce(GAMES.c.line, 0))
    query = select(*columns).where(*conditions).order_by(GAMES.c.id)
    games = read_rows(connection, list[tuple[int, int, int, int]], query)
    everybody = read_rows(connection, list[tuple[int, str, str]], select(PLAYERS))
    known = {number: PlayerVersion(name, version) for number, name, version in everybody}
    numbers, tournaments, starts, lines = _columns(games, int, int, int, int)
    for tournament, first in (first_start or {}).items():
        starts[tournaments == tournament] += first
    seats = _read_seats(connection, conditions)
    kinds = (int, int, int, int, float, object)
    owners, seat, players, ranks, scores, forfeits = _columns(seats, *kinds)
    shape = (len(numbers), _seats_of_each(numbers, owners, seat))
    used = distinct(players)
    if missing := set(used.tolist()) - known.keys():
        raise Damaged(f"a game has player {min(missing)}, who is not in the table of players")
    called = naming(known[number] for number in used.tolist())
    names, reasons = sorted(set(called.values())), sorted({*forfeits, ""})
    place = places([called[known[number]] for number in used.tolist()], names)
    return Results(
        tuple(names),
        tuple(reasons),
        numbers=numbers,
        starts=starts,
        lines=lines,
        players=place[np.searchsorted(used, players)].reshape(shape),
        ranks=ranks.reshape(shape),
        forfeits=places(forfeits, reasons).reshape(shape),
        scores=scores.reshape(shape),
    )


def _seats_of_each(numbers: Ints, owners: Ints, seats: Ints) -> int:
    """Return the number of seats of each game, from the games and the seats of all of them.

    Raises
    ------
    Damaged
        If a game has lost a seat.
    InvalidInput
        If games have different numbers of seats.
    """
    count = np.bincount(np.searchsorted(numbers, owners), minlength=len(numbers))
    expected = np.arange(len(owners)) - np.repeat(count.cumsum() - count, count)
    if len(lost := np.append(numbers[count == 0], owners[seats != expected])):
        raise Damaged(f"game {lost[0]} has lost a seat")
    most = int(count.max(initial=0))
    if len(others := np.flatnonzero(count != most)):
        number, own = numbers[others[0]], count[others[0]]
        raise InvalidInput(f"game {number} has {own} seats among games of {most} seats")
    return most


def _columns(rows: Sequence[tuple[Any, ...]], *kinds: type) -> list[Any]:
    """Return the columns of rows as arrays."""
    return [
        np.fromiter(map(itemgetter(number), rows), kind, len(rows))
        for number, kind in enumerate(kinds)
    ]


_Seat = tuple[int, int, int, int, float, str]
"""The number of a game, a seat and its player, rank, score, and forfeit or an empty text."""


def _read_seats(connection: Connection, conditions: Sequence[ColumnElement[bool]]) -> list[_Seat]:
    """Return the seats of all games that meet some conditions, by game and seat."""
    columns = (
        *(SEATS.c.game, SEATS.c.seat, SEATS.c.player),
        *(SEATS.c.rank, SEATS.c.score, func.coalesce(SEATS.c.forfeit, "")),
    )
    joined = GAMES.join(SEATS, SEATS.c.game == GAMES.c.id)
    query = select(*columns).select_from(joined).where(*conditions)
    return read_rows(connection, list[_Seat], query.order_by(SEATS.c.game, SEATS.c.seat))


def names_of(players: Iterable[PlayerVersion]) -> dict[PlayerVersion, str]:
    """Return the names of players, with the version if several versions have one name."""
    players = list(players)
    count = Counter(player.name for player in players)
    return {
        player: player.name
        if count[player.name] == 1 or not player.version
        else f"{player.name}@{player.version[:VERSION_LETTERS]}"
        for player in players
    }
