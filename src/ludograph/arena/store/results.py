"""What tables of results are made from, read out of a store by SQL that every database knows.

A file is read by Python's own ``sqlite3``: the library that writes stores takes longer to import
than ten thousand games to read.
"""

from __future__ import annotations

import contextlib
import gc
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from ludograph.arena.played import Forfeit, PlayedGame
from ludograph.arena.store.location import file_of

VERSION = 1
"""Of the tables that are read here: how many steps of ``schema`` led to them."""

PATIENCE = 30.0
"""Seconds to wait while another process writes to a file."""

VERSION_LETTERS = 8
"""Of a digest, behind the name of a player that has several versions."""

FAR = 1 << 32
"""How far the starts of two tournaments are apart when their games are looked at together."""

Answer = TypeVar("Answer")

Select = Callable[[str], Sequence[Any]]
"""Returns all rows of a query."""


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
        return read_tournaments(self._select)

    def played(self, *tournaments: int) -> Played:
        """Return the games of some tournaments, for tables and ratings."""
        return read_played(self._select, tournaments)

    def is_current(self) -> bool:
        """Whether its tables are those that are read here."""
        return self._select("SELECT version FROM ludograph_store") == [(VERSION,)]

    def _select(self, query: str) -> list[Any]:
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
            contextlib.suppress(sqlite3.Error),
            contextlib.closing(
                sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", PATIENCE, uri=True)
            ) as connection,
        ):
            connection.execute("BEGIN")  # all that is read is of one moment
            results = ResultsFile(path, connection)
            if results.is_current():
                return question(results)
    from ludograph.arena.store.store import Store

    with Store(where, must_exist=True) as store:
        return question(store)


def read_tournaments(select: Select) -> list[KeptTournament]:
    """Return all tournaments, in the order in which they began."""
    rows = select(
        "SELECT id, key, game, declaration, created,"
        " (SELECT count(*) FROM games WHERE tournament = tournaments.id)"
        " FROM tournaments ORDER BY id"
    )
    return [
        KeptTournament(number, key, game, json.loads(declaration), created, games)
        for number, key, game, declaration, created, games in rows
    ]


def read_played(select: Select, tournaments: Sequence[int]) -> Played:
    """Return all games of some tournaments; those of several have starts apart.

    A player that took part with several versions of its file has as many names.
    """
    apart = {int(number): place * FAR for place, number in enumerate(sorted(tournaments))}
    ours = f"tournament IN ({', '.join(map(str, apart)) or 'NULL'})"
    with _uncollected():
        seats = select(
            "SELECT games.id, tournament, start, player, rank, score, forfeit"
            f" FROM games JOIN seats ON seats.game = games.id WHERE {ours}"
            " ORDER BY games.id, seat"
        )
        if not seats:
            return Played([], [])
        of, within, starts, players, ranks, scores, reasons = zip(*seats, strict=True)
        names = names_of(select, set(players))
        seated = tuple(map(names.__getitem__, players))
        games, end = [], 0
        for count in Counter(of).values():  # columns are quick to cut
            first, end = end, end + count
            dropped = reasons[first:end]
            games.append(
                PlayedGame(
                    starts[first] + apart[within[first]],
                    seated[first:end],
                    ranks[first:end],
                    scores[first:end],
                    _forfeits(dropped) if any(dropped) else (),
                )
            )
    return Played(games, sorted(names.values()))


def _forfeits(reasons: Sequence[str | None]) -> tuple[Forfeit, ...]:
    return tuple(Forfeit(seat, reason) for seat, reason in enumerate(reasons) if reason)


def names_of(select: Select, players: Collection[int]) -> dict[int, str]:
    """Return the names of players by number, with the version where several have one name."""
    versions: dict[str, dict[int, str]] = {}
    for number, name, version in select("SELECT id, name, version FROM players"):
        if number in players:
            versions.setdefault(name, {})[number] = version
    return {
        number: name if len(known) == 1 or not version else f"{name}@{version[:VERSION_LETTERS]}"
        for name, known in versions.items()
        for number, version in known.items()
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
