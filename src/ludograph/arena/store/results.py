"""Results of tournaments in a store: the tournaments, and their games for tables and ratings."""

from __future__ import annotations

import contextlib
import gc
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, count
from operator import add
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, case, func, select

from ludograph.arena.played_game import Forfeit, PlayedGame
from ludograph.arena.store.games import of_tournaments
from ludograph.arena.store.integrity import (
    Damaged,
    checksum_of_text,
    plain,
    seat_text,
    tournament_checksum,
)
from ludograph.arena.store.schema import COUNTS, GAMES, PLAYERS, SEATS, TOURNAMENTS

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


def read_tournaments(connection: Connection) -> list[KeptTournament]:
    """Return all tournaments, in the order in which they began.

    Raises
    ------
    Damaged
        If one is not what was written.
    """
    games = select(func.count()).where(GAMES.c.tournament == TOURNAMENTS.c.id).scalar_subquery()
    query = select(TOURNAMENTS, games.label("games")).order_by(TOURNAMENTS.c.id)
    tournaments = []
    for row in connection.execute(query):
        texts = (row.key, row.game, row.declaration, row.created)
        try:
            declaration = json.loads(row.declaration)
        except (TypeError, ValueError):
            declaration = None
        if declaration is None or row.checksum not in (None, tournament_checksum(*texts)):
            raise Damaged(f"tournament {row.id} is not what was written")
        tournaments.append(
            KeptTournament(row.id, row.key, row.game, declaration, row.created, row.games)
        )
    return tournaments


def read_played(connection: Connection, tournaments: Sequence[int]) -> Played:
    """Return all games of some tournaments.

    Each tournament has starts of its own. A player that took part with several versions of its
    file has a name for each version.

    Raises
    ------
    Damaged
        If a game is missing, or is not what was written.
    """
    ours = of_tournaments(*tournaments)
    first_start = {number: n * START_DISTANCE for n, number in enumerate(sorted(tournaments))}
    with without_garbage_collection():
        results = read_results(connection, names_of, ours, first_start=first_start)
        _check_counts(connection, tournaments, results.tournaments)
    return Played(results.games, sorted(results.names.values()))


class StoredResults(NamedTuple):
    """The results of games in a store, in the order in which the games ended.

    Attributes
    ----------
    numbers, tournaments
        Of each game: its number, and that of its tournament, in the store.
    games
        The results for tables and ratings.
    names
        Those of all players in these games.
    """

    numbers: Sequence[int]
    tournaments: Sequence[int]
    games: list[PlayedGame]
    names: Mapping[PlayerVersion, str]


GAME_COLUMNS = (
    GAMES.c.id,
    GAMES.c.tournament,
    GAMES.c.start,
    GAMES.c.line,
    GAMES.c.result_checksum,
    case((GAMES.c.result_checksum.is_(None), GAMES.c.seating)).label("seating"),
)
"""The columns of a game for :func:`read_results`; the seating only without a checksum."""

SEAT_COLUMNS = (SEATS.c.seat, SEATS.c.player, SEATS.c.rank, SEATS.c.score, SEATS.c.forfeit)


Naming = Callable[[Iterable[PlayerVersion]], Mapping[PlayerVersion, str]]
"""Returns the names of all players in some games."""


def read_results(
    connection: Connection,
    naming: Naming,
    *conditions: ColumnElement[bool],
    first_start: Mapping[int, int] | None = None,
) -> StoredResults:
    """Return the results of games that meet some conditions.

    Games and seats are read by two queries, in the same order: one that joins them would return
    each game once for each of its seats, which takes twice the time. And values are handled in
    columns: a step in Python for each game takes longer than the query.

    Parameters
    ----------
    first_start
        By tournament: the number of its first start; None: all from 0.

    Raises
    ------
    Damaged
        If a game is not what was written.
    """
    games = select(*GAME_COLUMNS).where(*conditions).order_by(GAMES.c.id)
    number, tournament, start, line, checksum, seating = _columns(_rows(connection, games), 6)
    players = {
        row.id: PlayerVersion(row.name, row.version)
        for row in connection.execute(select(PLAYERS)).fetchall()
    }
    seats = _read_seats(connection, conditions, number, players)
    column = seats.column
    text = map(", ".join, column([one.text for one in seats.kinds]))
    right = list(map(checksum_of_text, tournament, start, line, text))
    if not seats.are_whole or checksum != right:
        whole = map(_are_whole, column([one.seat for one in seats.kinds]))
        there = column([one.player.name for one in seats.kinds])
        for game, *stored in zip(number, whole, checksum, right, seating, there, strict=True):
            if not _is_sound(*stored):
                raise Damaged(f"game {game} is not what was written")
    names = naming({one.player for one in seats.kinds})
    played = tuples(
        PlayedGame,
        start if first_start is None else map(add, map(first_start.__getitem__, tournament), start),
        column([names[one.player] for one in seats.kinds]),
        column([one.rank for one in seats.kinds]),
        column([one.score for one in seats.kinds]),
        map(_forfeits, column([one.forfeit for one in seats.kinds])),
        [digest or 0 for digest in line],
    )
    return StoredResults(number, tournament, played, names)


Kind = TypeVar("Kind", bound=tuple[Any, ...])


def tuples(kind: type[Kind], *columns: Iterable[Any]) -> list[Kind]:
    """Return named tuples from their columns; ``map(kind, ...)`` takes half as long again."""
    return list(map(partial(tuple.__new__, kind), zip(*columns, strict=True)))


def _rows(connection: Connection, query: Select[Any]) -> list[tuple[Any, ...]]:
    """Return the rows that a query finds as plain tuples, which hash and compare quickly."""
    with connection.execute(query) as result:
        return list(result.cursor.fetchall())


def _columns(rows: list[tuple[Any, ...]], width: int) -> list[list[Any]]:
    """Return the columns of rows; ``zip(*rows)`` makes an iterator for each row."""
    flat = list(chain.from_iterable(rows))
    return [flat[place::width] for place in range(width)]


class _Seats(NamedTuple):
    """The seats of games.

    Attributes
    ----------
    kinds
        The different seats: many are equal.
    column
        Returns the values of the seats of each game, from one for each kind of seat.
    are_whole
        Whether all games are known to have all seats, numbered from 0 without gaps.
    """

    kinds: Sequence[_Seat]
    column: Callable[[Sequence[Any]], list[tuple[Any, ...]]]
    are_whole: bool


def _read_seats(
    connection: Connection,
    conditions: Sequence[ColumnElement[bool]],
    games: Sequence[int],
    players: Mapping[int, PlayerVersion],
) -> _Seats:
    """Return the seats of all games that meet some conditions, ``games`` being their numbers."""
    joined = GAMES.join(SEATS, SEATS.c.game == GAMES.c.id)
    ordered = (SEATS.c.game, SEATS.c.seat)
    query = select(*SEAT_COLUMNS).select_from(joined).where(*conditions).order_by(*ordered)
    number_of: defaultdict[tuple[Any, ...], int] = defaultdict(count().__next__)
    numbers = list(map(number_of.__getitem__, _rows(connection, query)))
    kinds = [_seat(players, *row) for row in number_of]
    most = len(numbers) // len(games) if games else 0
    number = [one.seat for one in kinds]
    if most and list(map(number.__getitem__, numbers)) == list(range(most)) * len(games):
        # No game has two seats of one number, so each game has all of them.
        return _Seats(
            kinds,
            lambda values: list(zip(*[map(values.__getitem__, numbers)] * most, strict=True)),
            are_whole=True,
        )
    owners = select(SEATS.c.game).select_from(joined).where(*conditions).order_by(*ordered)
    own: dict[int, list[int]] = {game: [] for game in games}
    for (game,), kind in zip(_rows(connection, owners), numbers, strict=True):
        if game in own:
            own[game].append(kind)
    return _Seats(
        kinds,
        lambda values: [tuple([values[kind] for kind in each]) for each in own.values()],
        are_whole=False,
    )


class _Seat(NamedTuple):
    """A seat of a game, and its part of the text that the game's checksum is made of."""

    seat: int
    player: PlayerVersion
    rank: int
    score: float
    forfeit: str | None
    text: str


def _seat(
    players: Mapping[int, PlayerVersion],
    seat: int,
    player: int,
    rank: int,
    score: float,
    forfeit: str | None,
) -> _Seat:
    """Return a seat; a player that is lost has no name, so that no checksum agrees."""
    who = players.get(player, NOBODY)
    if isinstance(score, float):
        score = plain(score)  # PostgreSQL keeps a negative zero
    return _Seat(seat, who, rank, score, forfeit, seat_text((*who, rank, score, forfeit)))


NOBODY = PlayerVersion("")


@lru_cache(128)
def _are_whole(seats: tuple[int, ...]) -> bool:
    """Tell whether there are seats, numbered from 0 without gaps."""
    return bool(seats) and seats == tuple(range(len(seats)))


@lru_cache(1024)
def _forfeits(reasons: tuple[str | None, ...]) -> tuple[Forfeit, ...]:
    return tuple(Forfeit(seat, reason) for seat, reason in enumerate(reasons) if reason)


def _is_sound(
    whole: bool, checksum: int | None, right: int, seating: str, players: Sequence[str]
) -> bool:
    """Tell whether a game is what was written.

    Parameters
    ----------
    whole
        Whether its seats are all there.
    checksum
        If there is none, the players are compared with the seating.
    """
    if not whole or checksum is not None:
        return whole and checksum == right
    try:
        return bool(list(players) == json.loads(seating))
    except (TypeError, ValueError):
        return False


def _check_counts(connection: Connection, tournaments: Iterable[int], games: Iterable[int]) -> None:
    """Raise Damaged if there are fewer games than were written.

    Parameters
    ----------
    games
        The tournament of each game that is there.
    """
    there = Counter(games)
    counts = select(COUNTS.c.tournament, COUNTS.c.games)
    ours = (COUNTS.c.tournament + 0).in_(tournaments)  # no index, as in of_tournaments
    for number, written in connection.execute(counts.where(ours)):
        if there[number] < written:
            missing = written - there[number]
            raise Damaged(f"{missing} of {written} games of tournament {number} are missing")


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


@contextlib.contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Stop the garbage collector while tens of thousands of new rows are all in use."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
