"""Results of tournaments in a store: the tournaments, and their games for tables and ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from sqlalchemy import ColumnElement, Connection, Select, func, select

from ludograph.arena.arrays import Ints, distinct
from ludograph.arena.results import Results, places
from ludograph.arena.store.games import of_tournaments
from ludograph.arena.store.integrity import Damaged
from ludograph.arena.store.schema import GAMES, PLAYERS, SEATS, TOURNAMENTS
from ludograph.errors import InvalidInput

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
