"""The latest games of a tournament in memory: each update reads only the new ones from the store.

The database adds up the rows that were read before: the sums weight each row by its number, so that
a changed, removed or inserted game changes them. In this case all games are read again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Connection, cast, func, select

from ludograph.arena.results import NO_RESULTS, Results
from ludograph.arena.store.games import of_tournaments
from ludograph.arena.store.history import games_after, read_latest
from ludograph.arena.store.schema import GAMES, PLAYERS, SEATS
from ludograph.arena.store.store import Store

WEIGHTS = 97
"""The number of different weights of rows."""

LINES = 1_000_003
"""Digests of moves are added up modulo this prime, so that their sum fits into 64 bits."""

MOST_SEATS = 64


class GameWindow:
    """The latest games of a tournament at the last update.

    Parameters
    ----------
    most
        The number of games in memory.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._tournament = 0
        self._games = NO_RESULTS
        self._sums: Sums | None = None

    def look(self, store: Store, tournament: int) -> Results:
        """Return the latest games of a tournament, in the order of their ends.

        The same object is returned as long as no game has come and none was changed.

        Raises
        ------
        DamagedStore
            If a game cannot be read.
        """
        with store.reading() as connection:
            if self._is_current(connection, tournament):
                new = games_after(connection, tournament, int(self._games.numbers[-1]))
                if not len(new):
                    return self._games
                self._games = (self._games + new)[-self._most :]
            else:
                self._games = read_latest(connection, tournament, self._most) or NO_RESULTS
            self._tournament = tournament
            self._sums = _sums(connection, tournament, self._games) if len(self._games) else None
        return self._games

    def _is_current(self, connection: Connection, tournament: int) -> bool:
        """Tell whether the games of the last update are unchanged in the store."""
        if self._sums is None or tournament != self._tournament:
            return False
        now = _sums(connection, tournament, self._games)
        known = self._sums.players
        return now[:-1] == self._sums[:-1] and known.items() <= now.players.items()


class Sums(NamedTuple):
    """The sums of the rows of some games.

    Attributes
    ----------
    games
        Their number, and weighted sums of their starts and lines.
    seats
        By forfeit: the number of seats, and a weighted sum of their players and ranks.
    players
        The names and versions of all players, by their numbers.
    """

    games: tuple[int, ...]
    seats: dict[str | None, tuple[int, int]]
    players: dict[int, tuple[str, str]]


def _sums(connection: Connection, tournament: int, games: Results) -> Sums:
    """Return the sums of the rows from the first to the last of some games."""
    first, last = games.numbers[[0, -1]].tolist()
    ours = (of_tournaments(tournament), GAMES.c.id.between(first, last))
    weight = cast(GAMES.c.id % WEIGHTS + 1, BigInteger)
    summed = (
        weight * GAMES.c.start,
        weight * (func.coalesce(GAMES.c.line, 0) % LINES),
    )
    query = select(func.count(), *map(func.sum, summed)).select_from(GAMES).where(*ours)
    totals = connection.execute(query).one()
    seat = weight * (SEATS.c.seat + 1) * (SEATS.c.player * MOST_SEATS + SEATS.c.rank)
    seats = (
        select(SEATS.c.forfeit, func.count(), func.sum(seat))
        .select_from(GAMES.join(SEATS, SEATS.c.game == GAMES.c.id))
        .where(*ours)
        .group_by(SEATS.c.forfeit)
    )
    return Sums(
        tuple(_whole(total) for total in totals),
        {row[0]: (row[1], _whole(row[2])) for row in connection.execute(seats)},
        {row.id: (row.name, row.version) for row in connection.execute(select(PLAYERS))},
    )


def _whole(total: Any) -> int:
    """Return a sum as an integer: 0 without rows; PostgreSQL returns decimals."""
    return int(total or 0)
