"""The history of a ladder in its store: the latest games by version, and old records dropped."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, delete, func, select

from ludograph.arena.finished_game import FinishedGame, GameKey
from ludograph.arena.results import NO_RESULTS, Results
from ludograph.arena.store.games import PlayerVersion, find_games, of_tournaments, read_results
from ludograph.arena.store.schema import GAMES, PLAYERS, RECORDS, SEATS
from ludograph.arena.store.store import Store

LABEL_LETTERS = 12
"""Letters of a version's digest in a label, enough to tell the versions of a player apart."""

LATEST = 2000
"""The most games that are read at once."""

BATCH = 500
"""Records that are dropped in one transaction."""


def label_of(name: str, version: str) -> str:
    """Return the label of a version of a player; of a player without a file, its name.

    Examples
    --------
    >>> label_of("bot.py", "0123456789abcdef"), label_of("greedy", "")
    ('bot.py@0123456789ab', 'greedy')
    """
    return f"{name}@{version[:LABEL_LETTERS]}" if version else name


def labels_of(players: Iterable[PlayerVersion]) -> dict[PlayerVersion, str]:
    """Return the labels of players, see :func:`label_of`."""
    return {player: label_of(*player) for player in players}


def latest_games(store: Store, tournament: int, most: int) -> Results:
    """Return the last games of a tournament, ``most`` at most, in the order of their ends.

    Players are labels, see :func:`label_of`.
    """
    with store.reading() as connection:
        return read_latest(connection, tournament, most)


def read_latest(connection: Connection, tournament: int, most: int) -> Results:
    """Return the same as :func:`latest_games`, within a transaction."""
    ours = of_tournaments(tournament)
    last = select(GAMES.c.id).where(ours).order_by(GAMES.c.id.desc()).limit(most)
    first = connection.execute(select(func.min(last.subquery().c.id))).scalar()
    return games_after(connection, tournament, 0 if first is None else first - 1)


def games_after(connection: Connection, tournament: int, last: int) -> Results:
    """Return the games of a tournament after one game, in the order of their ends."""
    return read_results(connection, labels_of, of_tournaments(tournament), GAMES.c.id > last)


def next_start(store: Store, tournament: int) -> int:
    """Return the number of the start after the last one with a game."""
    with store.reading() as connection:
        last = connection.execute(
            select(func.max(GAMES.c.start))
            .where(of_tournaments(tournament))
            .where(GAMES.c.plies >= 0)  # no index has this column, so the table itself is read
        ).scalar()
    return 0 if last is None else int(last) + 1


def latest_ends(store: Store, tournament: int, most: int) -> list[str]:
    """Return when the last games of a tournament ended, ``most`` at most, the latest first.

    Times are in UTC, in ISO format to the second.
    """
    with store.reading() as connection:
        ends = select(GAMES.c.played).where(of_tournaments(tournament))
        rows = connection.execute(ends.order_by(GAMES.c.id.desc()).limit(most))
        return [row[0] for row in rows]


def recent_games(store: Store, tournament: int, most: int) -> list[FinishedGame]:
    """Return the last games of a tournament, ``most`` at most, in the order of their ends."""
    last = select(GAMES.c.id).where(of_tournaments(tournament)).order_by(GAMES.c.id.desc())
    return _games(store, last.limit(most))


def _games(store: Store, numbers: Select[tuple[int]]) -> list[FinishedGame]:
    """Return the games whose numbers a query finds, in the order of their ends."""
    with store.reading() as connection:
        return list(find_games(connection, GAMES.c.id.in_(numbers.correlate(None))))


def places(store: Store, tournament: int, games: Collection[int]) -> dict[int, int]:
    """Return the places of games in their tournament, from 1, in the order of their ends."""
    place = func.row_number().over(order_by=GAMES.c.id).label("place")
    placed = select(GAMES.c.id, place).where(of_tournaments(tournament)).subquery()
    with store.reading() as connection:
        rows = connection.execute(select(placed).where(placed.c.id.in_(games)))
        return {row[0]: row[1] for row in rows}


def records_there(store: Store, games: Collection[int]) -> set[int]:
    """Return the numbers of games that still have records, out of some games."""
    with store.reading() as connection:
        rows = connection.execute(select(RECORDS.c.game).where(RECORDS.c.game.in_(games)))
        return {row[0] for row in rows}


def thin_records(store: Store, tournament: int, most: int) -> int:
    """Drop the records of old games, whose results stay; return how many were dropped.

    Parameters
    ----------
    most
        The number of latest games that keep their records.
    """
    own = of_tournaments(tournament)
    kept = select(GAMES.c.id).join(RECORDS, RECORDS.c.game == GAMES.c.id)  # not all games ever
    with store.reading() as connection:
        newest = connection.execute(
            kept.where(own).order_by(GAMES.c.id.desc()).offset(most).limit(1)
        ).scalar()
    old = kept.where(own, GAMES.c.id <= (-1 if newest is None else newest)).limit(BATCH)
    dropped = 0
    while True:
        with store.writing() as connection:
            chosen = [row[0] for row in connection.execute(old)]
            if chosen:
                connection.execute(delete(RECORDS).where(RECORDS.c.game.in_(chosen)))
        dropped += len(chosen)
        if len(chosen) < BATCH:
            return dropped


def open_starts(store: Store, tournament: int, seats: int) -> list[GameKey]:
    """Return the missing games of starts on which some games are finished; players are labels.

    A ladder that was killed continues with these.

    Parameters
    ----------
    seats
        The seats of the game, and the number of games on each start: one for each rotation of the
        players.
    """
    with store.reading() as connection:
        latest = Counter(read_latest(connection, tournament, LATEST).starts.tolist())
        few = [start for start, count in latest.items() if count < seats]
        # other games on them may be further back, as starts do not end in their order
        ours = of_tournaments(tournament), GAMES.c.start.in_(few)
        begun = read_results(connection, labels_of, *ours)
    done: dict[int, list[tuple[str, ...]]] = defaultdict(list)
    for start, seating in begun.keys:
        done[start].append(seating)
    missing = []
    for start, seatings in done.items():
        one = seatings[0]
        turned = [one[turn:] + one[:turn] for turn in range(seats)]
        missing += [GameKey(start, seating) for seating in turned if seating not in seatings]
    return missing


def names_there(store: Store) -> set[str]:
    """Return the names of all players of a store."""
    with store.reading() as connection:
        return {row[0] for row in connection.execute(select(PLAYERS.c.name).distinct())}


class VersionGames(NamedTuple):
    """The numbers of games and of forfeits of a version of a player."""

    version: str
    games: int
    forfeits: int


def versions_of(store: Store, tournament: int, name: str) -> list[VersionGames]:
    """Return the versions of a player, in the order of their last games."""
    with store.reading() as connection:
        rows = connection.execute(
            select(PLAYERS.c.version, func.count(), func.count(SEATS.c.forfeit))
            .join(SEATS, SEATS.c.player + 0 == PLAYERS.c.id)
            .join(GAMES, GAMES.c.id == SEATS.c.game)
            .where(_seated(PLAYERS.c.name == name), of_tournaments(tournament))
            .group_by(PLAYERS.c.version)
            .order_by(func.max(SEATS.c.game))
        )
        return [VersionGames(*row) for row in rows]


def games_of(store: Store, tournament: int, name: str, version: str) -> list[FinishedGame]:
    """Return the latest games of a version of a player, in the order of their ends."""
    seated = _seated(PLAYERS.c.name == name, PLAYERS.c.version == version)
    numbers = (
        select(SEATS.c.game)
        .join(GAMES, GAMES.c.id == SEATS.c.game)
        .where(seated, of_tournaments(tournament))
        .order_by(SEATS.c.game.desc())
        .limit(LATEST)
    )
    return _games(store, numbers)


def games_between(
    store: Store, tournament: int, player: str, opponent: str, most: int
) -> list[FinishedGame]:
    """Return the latest games with two players, of any version, in the order of their ends."""
    own, other = SEATS.alias(), SEATS.alias()
    numbers = (
        select(own.c.game)
        .join(other, other.c.game == own.c.game)
        .join(GAMES, GAMES.c.id == own.c.game)
        .where(
            (own.c.player + 0).in_(select(PLAYERS.c.id).where(PLAYERS.c.name == player)),
            (other.c.player + 0).in_(select(PLAYERS.c.id).where(PLAYERS.c.name == opponent)),
            of_tournaments(tournament),
        )
        .distinct()
        .order_by(own.c.game.desc())
        .limit(most)
    )
    return _games(store, numbers)


def _seated(*players: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that a seat is one of some players.

    No index is used: an index with a changed bit loses games without an error.
    """
    return (SEATS.c.player + 0).in_(select(PLAYERS.c.id).where(*players))


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
