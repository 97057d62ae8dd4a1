"""Checksums of rows: a bit that changes on the disk changes no result in silence.

SQLite notices damage to the structure of its file and none to the values in it. A row of an older
store has no checksum (NULL), and is taken as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from ludograph.errors import InvalidInput


class Damaged(InvalidInput):
    """What is in a store is not what was written; says what is wrong."""


class DamagedStore(InvalidInput):
    """The same in a sentence with the name of the store, what is lost, and what can be done."""


def of_values(*values: Any) -> int:
    """Return the checksum of texts, whole numbers, floats, None, and tuples of these.

    Examples
    --------
    >>> of_values("a", 1, 0.5, None) == of_values("a", 1, 0.5, None) != of_values("a", 1, 1.0, None)
    True
    """
    return crc32(ascii(values).encode())


def of_tournament(key: str, game: str, declaration: str, created: str) -> int:
    """Return the checksum of a tournament."""
    return of_values(key, game, declaration, created)


def of_result(
    tournament: int, start: int, line: int | None, seats: Sequence[tuple[Any, ...]]
) -> int:
    """Return the checksum of all that tables and ratings need to know of a game.

    Parameters
    ----------
    seats
        Of each seat: the name and version of its player, rank, score, forfeit.
    """
    return crc32(ascii((tournament, start, line, *seats)).encode())


def of_details(game: Sequence[Any], seats: Sequence[tuple[Any, ...]]) -> int:
    """Return the checksum of what else is known of a game.

    Parameters
    ----------
    game
        Seating, seed, board, reason, plies, sentence and the time when it ended.
    seats
        Of each seat: moves, seconds, message.
    """
    return crc32(ascii((*game, *seats)).encode())


def plain(number: float) -> float:
    """Return a float as every database gives it back: SQLite keeps no negative zero."""
    return float(number) + 0.0
