"""The latest games of a tournament in memory: each update reads only the new ones from the store.

If games that were read before are gone, or players were renamed, all games are read again.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from ludograph.arena.results import NO_RESULTS, Results
from ludograph.arena.store.games import of_tournaments
from ludograph.arena.store.history import games_after, read_latest
from ludograph.arena.store.schema import GAMES, PLAYERS
from ludograph.arena.store.store import Store


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
        self._players: dict[int, tuple[str, str]] = {}

    def look(self, store: Store, tournament: int) -> Results:
        """Return the latest games of a tournament, in the order of their ends.

        The same object is returned as long as no game has come or gone, and nobody was renamed.

        Raises
        ------
        DamagedStore
            If a game cannot be read.
        """
        with store.reading() as connection:
            rows = connection.execute(select(PLAYERS))
            players = {row.id: (row.name, row.version) for row in rows}
            if self._is_current(connection, tournament, players):
                new = games_after(connection, tournament, int(self._games.numbers[-1]))
                if not len(new):
                    return self._games
                self._games = (self._games + new)[-self._most :]
            else:
                self._games = read_latest(connection, tournament, self._most) or NO_RESULTS
            self._tournament, self._players = tournament, players
        return self._games

    def _is_current(
        self, connection: Connection, tournament: int, players: dict[int, tuple[str, str]]
    ) -> bool:
        """Tell whether the games of the last update are those of the store."""
        if not len(self._games) or tournament != self._tournament:
            return False
        first, last = self._games.numbers[[0, -1]].tolist()
        ours = (of_tournaments(tournament), GAMES.c.id.between(first, last))
        count = connection.execute(
            select(func.count()).select_from(GAMES).where(*ours)
        ).scalar_one()
        return count == len(self._games) and self._players.items() <= players.items()
