"""Results of tournaments for tables and ratings, read from a store by plain SQL.

A file is read by Python's own ``sqlite3``: the library that writes stores takes longer to import
than ten thousand games to read.
"""

from __future__ import annotations

import contextlib
import gc
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from ludograph.arena.played import Forfeit, PlayedGame
from ludograph.arena.store.integrity import (
    Damaged,
    Select,
    check_structure,
    of_result,
    of_tournament,
)
from ludograph.arena.store.location import file_of

VERSION = 3
"""Of the tables that are read here: how many steps of ``schema`` led to them."""

PATIENCE = 30.0
"""Seconds to wait while another process writes to a file."""

VERSION_LETTERS = 8
"""Of a digest, behind the name of a player that has several versions."""

FAR = 1 << 32
"""How far the starts of two tournaments are apart when their games are looked at together."""

Answer = TypeVar("Answer")


class KeptTournament(NamedTuple):
    """A tournament as it stands in a store; ``games`` are those that are finished."""

    number: int
    key: str
    game: str
    declaration: dict[str, Any]
    created: str
    games: int


class Played(NamedTuple):
    """Games for tables and ratings, and the names of all who played them."""

    games: list[PlayedGame]
    players: list[str]


class Results(Protocol):
    """What a store tells of tournaments."""

    @property
    def name(self) -> str:
        """What sentences call the store."""
        ...

    def tournaments(self) -> list[KeptTournament]:
        """Return all tournaments, in the order in which they began."""
        ...

    def played(self, *tournaments: int) -> Played:
        """Return the games of some tournaments, for tables and ratings."""
        ...


class ResultsFile:
    """The results in a store's file; what ``sqlite3`` raises is let through."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.name = str(path)
        self._connection = connection

    def tournaments(self) -> list[KeptTournament]:
        """Return all tournaments, in the order in which they began."""
        return read_tournaments(self.select)

    def played(self, *tournaments: int) -> Played:
        """Return the games of some tournaments, for tables and ratings."""
        return read_played(self.select, tournaments)

    def is_current(self) -> bool:
        """Whether its tables are those that are read here."""
        return self.select("SELECT version FROM ludograph_store") == [(VERSION,)]

    def select(self, query: str) -> list[Any]:
        """Return all rows of a query."""
        return self._connection.execute(query).fetchall()


def ask(where: str | Path | None, question: Callable[[Results], Answer]) -> Answer:
    """Return the answer to a question about the results of a store that must exist.

    A server, a file of an older version, and all that does not go well is left to a ``Store``,
    which brings what is old up to date and says what is wrong.

    Parameters
    ----------
    where
        As for :class:`~ludograph.arena.store.Store`.
    question
        It may be asked twice.

    Raises
    ------
    InvalidInput, HostFailure
        As a ``Store`` does.
    """
    path = file_of(where)
    if path is not None:
        with (
            contextlib.suppress(sqlite3.Error, UnicodeDecodeError, Damaged),
            contextlib.closing(
                sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", PATIENCE, uri=True)
            ) as connection,
        ):
            connection.execute("BEGIN")  # all that is read is of one moment
            results = ResultsFile(path, connection)
            if results.is_current():
                check_structure(results.select)
                return question(results)
    from ludograph.arena.store.store import Store

    with Store(where, must_exist=True) as store:
        return question(store)


def read_tournaments(select: Select) -> list[KeptTournament]:
    """Return all tournaments, in the order in which they began.

    Raises
    ------
    Damaged
        If one is not what was written.
    """
    rows = select(
        "SELECT id, checksum, key, game, declaration, created,"
        " (SELECT count(*) FROM games WHERE tournament = tournaments.id)"
        " FROM tournaments ORDER BY id"
    )
    found = []
    for number, checksum, *texts, games in rows:
        if checksum not in (None, of_tournament(*texts)):
            raise Damaged(f"tournament {number} is not what was written")
        key, game, declaration, created = texts
        try:
            declared = json.loads(declaration)
        except ValueError:
            raise Damaged(f"tournament {number} is not what was written") from None
        found.append(KeptTournament(number, key, game, declared, created, games))
    return found


def read_played(select: Select, tournaments: Sequence[int]) -> Played:
    """Return all games of some tournaments; those of several have starts apart.

    A player that took part with several versions of its file has as many names.

    Raises
    ------
    Damaged
        If a game is missing, or is not what was written.
    """
    apart = {int(number): place * FAR for place, number in enumerate(sorted(tournaments))}
    ours = f"({', '.join(map(str, apart)) or 'NULL'})"
    with _uncollected():
        # No index: reading whole tables is quicker here, and an index may have lost something.
        rows = select(
            "SELECT id, tournament, start, line, result_checksum,"
            " CASE WHEN result_checksum IS NULL THEN seating END"
            f" FROM games WHERE +tournament IN {ours} ORDER BY id"
        )
        _check_counts(select, ours, rows)
        if not rows:
            return Played([], [])
        seats: dict[int, list[Any]] = defaultdict(list)
        for seat in select(
            "SELECT seat, player, rank, score, forfeit, game FROM seats"
            f" WHERE +game BETWEEN {rows[0][0]} AND {rows[-1][0]}"
        ):
            seats[seat[5]].append(seat)
        known = {number: (name, version) for number, name, version in select(PLAYER_ROWS)}
        taking_part: set[int] = set()
        checked = [(row[1:4], checked_seats(row, sorted(seats[row[0]]), known)) for row in rows]
        for _, own in checked:
            taking_part.update([seat[1] for seat in own])
        names = names_of(known, taking_part)
        games = []
        for (tournament, start, line), own in checked:
            _, players, ranks, scores, reasons, _ = zip(*own, strict=True)
            games.append(
                PlayedGame(
                    start + apart[tournament],
                    tuple(map(names.__getitem__, players)),
                    ranks,
                    scores,
                    _forfeits(reasons) if any(reasons) else (),
                    line or 0,
                )
            )
    return Played(games, sorted(names.values()))


PLAYER_ROWS = "SELECT id, name, version FROM players"


def checked_seats(
    game: Sequence[Any], seats: list[Any], players: Mapping[int, tuple[str, str]]
) -> list[Any]:
    """Return the seats of a game, which must be what was written.

    Parameters
    ----------
    game
        Its number, tournament, start, line, checksum; without a checksum also the seating.
    seats
        In order, of each: its number, player, rank, score, forfeit, and whatever else.
    players
        Names and versions by number.

    Raises
    ------
    Damaged
        If they are not.
    """
    number, tournament, start, line, checksum, *more = game
    try:
        told = [(*players[seat[1]], seat[2], seat[3], seat[4]) for seat in seats]
        same = [seat[0] for seat in seats] == list(range(len(seats)))
        if checksum is not None:
            same = same and of_result(tournament, start, line, told) == checksum
        else:
            same = same and [one[0] for one in told] == json.loads(more[0])
    except (KeyError, TypeError, ValueError):  # a value of another kind, a player that is not there
        same = False
    if not same or not seats:
        raise Damaged(f"game {number} is not what was written")
    return seats


def _check_counts(select: Select, tournaments: str, games: Sequence[Any]) -> None:
    """Raise Damaged if there are fewer games than were written."""
    there = Counter(row[1] for row in games)
    for number, written in select(
        f"SELECT tournament, games FROM game_counts WHERE +tournament IN {tournaments}"
    ):
        if there[number] < written:
            lost = written - there[number]
            raise Damaged(f"{lost} of {written} games of tournament {number} are missing")


def _forfeits(reasons: Sequence[str | None]) -> tuple[Forfeit, ...]:
    return tuple(Forfeit(seat, reason) for seat, reason in enumerate(reasons) if reason)


def names_of(known: Mapping[int, tuple[str, str]], players: Collection[int]) -> dict[int, str]:
    """Return the names of players by number, with the version where several have one name."""
    versions: dict[str, dict[int, str]] = {}
    for number, (name, version) in known.items():
        if number in players:
            versions.setdefault(name, {})[number] = version
    return {
        number: name if len(own) == 1 or not version else f"{name}@{version[:VERSION_LETTERS]}"
        for name, own in versions.items()
        for number, version in own.items()
    }


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Let no collector go through tens of thousands of new rows that are all in use."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
