"""Damage to a store: checksums of its rows, and checks of the structure of its file.

SQLite notices damage to the structure of its file but not to the values in it, so rows have
checksums. A row of an older store has none (NULL) and is trusted. The quick check of the structure
counts the rows of each large table along the table and along each of its indexes, compares them
with the number of written games, and has SQLite check the small tables: 40 ms for 100,000 games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

from ludograph.errors import InvalidInput


class Damaged(InvalidInput):
    """The content of a store is not what was written; the message says what is wrong."""


class DamagedStore(InvalidInput):
    """The same, with a message that names the store, what is lost, and how to repair it."""


def checksum_of(*values: Any) -> int:
    """Return the checksum of texts, whole numbers, floats, None, and tuples of these.

    Examples
    --------
    >>> checksum_of("a", 1, 0.5) == checksum_of("a", 1, 0.5)
    True
    >>> checksum_of("a", 1) == checksum_of("a", 1.0)
    False
    """
    return crc32(ascii(values).encode())


def tournament_checksum(key: str, game: str, declaration: str, created: str) -> int:
    """Return the checksum of a tournament."""
    return checksum_of(key, game, declaration, created)


def result_checksum(
    tournament: int, start: int, line: int | None, seats: Sequence[tuple[Any, ...]]
) -> int:
    """Return the checksum of the part of a game that tables and ratings need.

    Parameters
    ----------
    seats
        Of each seat: the name and version of its player, rank, score, forfeit.
    """
    return checksum_of_text(tournament, start, line, ", ".join(map(seat_text, seats)))


def seat_text(seat: tuple[Any, ...]) -> str:
    """Return the text of a seat in the checksum of a result: what :func:`result_checksum` takes."""
    return ascii(seat)


def checksum_of_text(tournament: int, start: int, line: int | None, seats: str) -> int:
    """Return the same checksum as :func:`result_checksum`, from the joined texts of the seats.

    Examples
    --------
    >>> seats = [("ann", "", 1, 2.0, None), ("bob", "", 2, 0.0, "crash")]
    >>> text = ", ".join(map(seat_text, seats))
    >>> checksum_of_text(1, 7, None, text) == checksum_of(1, 7, None, *seats)
    True
    """
    return crc32(f"({tournament!a}, {start!a}, {line!a}, {seats})".encode())


def details_checksum(game: Sequence[Any], seats: Sequence[tuple[Any, ...]]) -> int:
    """Return the checksum of the rest of a game.

    Parameters
    ----------
    game
        Seating, seed, board, reason, plies, sentence and the time when it ended.
    seats
        Of each seat: moves, seconds, message.
    """
    return crc32(ascii((*game, *seats)).encode())


def plain(number: float) -> float:
    """Return a float as each database returns it: SQLite keeps no negative zero."""
    return float(number) + 0.0


SMALL = ("ludograph_store", "players", "tournaments", "game_counts")

LARGE = ("games", "seats")

PREFIX = "*** in database main ***"
"""The beginning of SQLite's messages about the structure."""

Select = Callable[[str], Sequence[Any]]
"""Returns all rows of a query."""


def check_structure(select: Select) -> None:
    """Raise Damaged if a quick check finds the tables of an SQLite file damaged."""
    tables = {row[0] for row in select("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in SMALL:
        if table in tables:
            _check_table(select, "integrity_check", table)
    for table in LARGE:
        counts = {None: _count(select, f"{table} NOT INDEXED")}
        for _, index, *_ in select(f"PRAGMA index_list({table})"):
            # With a condition: a bare count is taken from whatever index is the smallest.
            counts[index] = _count(select, f'{table} INDEXED BY "{index}" WHERE 1')
        if len(set(counts.values())) > 1:
            raise Damaged(f"the table of {table} does not agree with its index")
    if "game_counts" not in tables:
        return  # of a store of an older version
    # Along the table: an index may still hold rows that the table has lost.
    there = dict(select("SELECT tournament, count(*) FROM games NOT INDEXED GROUP BY tournament"))
    for tournament, written in select("SELECT tournament, games FROM game_counts"):
        lost = written - there.get(tournament, 0)
        if lost > 0:
            raise Damaged(f"{lost} of {written} games of tournament {tournament} are missing")


def check_whole_structure(select: Select, *, indexes: bool = False) -> None:
    """Raise Damaged if SQLite finds anything wrong in the file, which is read from end to end.

    Parameters
    ----------
    indexes
        Whether each row is looked up in each index, too, which takes twice the time.
    """
    _check_table(select, "integrity_check" if indexes else "quick_check")


def _check_table(select: Select, check: str, table: str = "") -> None:
    of = f"({table})" if table else ""
    messages = [str(row[0]) for row in select(f"PRAGMA {check}{of}")]
    if messages != ["ok"]:
        first = (messages or ["nothing was found"])[0].removeprefix(PREFIX)
        raise Damaged(f"SQLite says: {' '.join(first.split())}")


def _count(select: Select, table: str) -> int:
    return int(select(f"SELECT count(*) FROM {table}")[0][0])
