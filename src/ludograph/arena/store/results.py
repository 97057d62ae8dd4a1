"""Results of tournaments in a store: the tournaments, and their games for tables and ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, func, select

from ludograph.arena.played_game import Forfeit, PlayedGame
from ludograph.arena.store.games import of_tournaments
from ludograph.arena.store.integrity import Damaged
from ludograph.arena.store.schema import GAMES, PLAYERS, SEATS, TOURNAMENTS

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


class Played(NamedTuple):
    """Games for tables and ratings, and the names of all players in them."""

    games: list[PlayedGame]
    players: list[str]


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


def read_played(connection: Connection, tournaments: Sequence[int]) -> Played:
    """Return all games of some tournaments.

    Each tournament has starts of its own. A player that took part with several versions of its
    file has a name for each version.

    Raises
    ------
    Damaged
        If a game cannot be read.
    """
    ours = of_tournaments(*tournaments)
    first_start = {number: n * START_DISTANCE for n, number in enumerate(sorted(tournaments))}
    results = read_results(connection, names_of, ours, first_start=first_start)
    return Played(results.games, sorted(results.names.values()))


class StoredResults(NamedTuple):
    """The results of games in a store, in the order in which the games ended.

    Attributes
    ----------
    numbers
        The numbers of the games in the store.
    games
        The results for tables and ratings.
    names
        Those of all players in these games.
    """

    numbers: Sequence[int]
    games: list[PlayedGame]
    names: Mapping[PlayerVersion, str]


Naming = Callable[[Iterable[PlayerVersion]], Mapping[PlayerVersion, str]]
"""Returns the names of all players in some games."""


def read_results(
    connection: Connection,
    naming: Naming,
    *conditions: ColumnElement[bool],
    first_start: Mapping[int, int] | None = None,
) -> StoredResults:
    """Return the results of games that meet some conditions.

    Games and seats are read by two queries: one that joins them would return each game once for
    each of its seats, which takes twice the time.

    Parameters
    ----------
    first_start
        By tournament: the number of its first start; None: all from 0.

    Raises
    ------
    Damaged
        If a game cannot be read.
    """
    columns = (GAMES.c.id, GAMES.c.tournament, GAMES.c.start, GAMES.c.line)
    query = select(*columns).where(*conditions).order_by(GAMES.c.id)
    games = read_rows(connection, list[tuple[int, int, int, int | None]], query)
    everybody = read_rows(connection, list[tuple[int, str, str]], select(PLAYERS))
    players = {number: PlayerVersion(name, version) for number, name, version in everybody}
    seats = _read_seats(connection, conditions)
    used = {seat[2] for seat in seats}
    if lost := used - set(players):
        raise Damaged(f"a game has player {min(lost)}, who is not in the table of players")
    names = naming({players[number] for number in used})
    name_of = {number: names[players[number]] for number in used}
    owners = groupby(seats, itemgetter(0))
    played = []
    for game, tournament, start, line in games:
        owner, own = next(owners, (None, None))
        if own is None or owner != game:
            raise Damaged(f"game {game} has lost its seats")
        _, order, numbers, ranks, scores, forfeits = zip(*own, strict=True)
        if order != tuple(range(len(order))):
            raise Damaged(f"game {game} has lost a seat")
        played.append(
            PlayedGame(
                start if first_start is None else start + first_start[tournament],
                tuple(map(name_of.__getitem__, numbers)),
                ranks,
                scores,
                _forfeits(forfeits),
                line or 0,
            )
        )
    return StoredResults([game[0] for game in games], played, names)


_Seat = tuple[int, int, int, int, float, str | None]
"""The number of a game, a seat and its player, rank, score and forfeit."""


def _read_seats(connection: Connection, conditions: Sequence[ColumnElement[bool]]) -> list[_Seat]:
    """Return the seats of all games that meet some conditions, by game and seat."""
    columns = (
        *(SEATS.c.game, SEATS.c.seat, SEATS.c.player),
        *(SEATS.c.rank, SEATS.c.score, SEATS.c.forfeit),
    )
    joined = GAMES.join(SEATS, SEATS.c.game == GAMES.c.id)
    query = select(*columns).select_from(joined).where(*conditions)
    return read_rows(connection, list[_Seat], query.order_by(SEATS.c.game, SEATS.c.seat))


@lru_cache(1024)
def _forfeits(reasons: tuple[str | None, ...]) -> tuple[Forfeit, ...]:
    return tuple(Forfeit(seat, reason) for seat, reason in enumerate(reasons) if reason)


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
