"""Damage to a store, or none there: errors, and SQLite's own checks of a file.

A row has no checksum: damage to a value of the right type is not noticed. The check on opening has
SQLite compare the small tables with their indexes, and check the pages of the large ones. It also
counts the rows of these along the table and along each of its indexes, which SQLite's quick check
does not: together 60 ms for 100,000 games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludograph.errors import DamagedData, InvalidInput, NotFound


class NoStore(NotFound):
    """A store must exist, and there is none."""


class Damaged(InvalidInput):
    """The content of a store cannot be what was written; the message says what is wrong."""


class DamagedStore(DamagedData):
    """The same, with a message that names the store, and what to do."""


SMALL = ("ludograph_store", "players", "tournaments", "secrets")

LARGE = ("games", "seats")

PREFIX = "*** in database main ***"
"""The beginning of SQLite's messages about the structure."""

Select = Callable[[str], Sequence[Any]]
"""Returns all rows of a query."""

Check = Callable[[Select], None]
"""Raises Damaged if it finds a file damaged."""


def check_structure(select: Select) -> None:
    """Raise Damaged if the tables of tournaments, without records, are damaged."""
    for table in SMALL:
        _raise_if_wrong(select(f"PRAGMA integrity_check({table})"))
    for table in LARGE:
        _raise_if_wrong(select(f"PRAGMA quick_check({table})"))
        counts = {_count(select, f"{table} NOT INDEXED")}
        for _, index, *_ in select(f"PRAGMA index_list({table})"):
            # With a condition: a bare count is taken from whatever index is the smallest.
            counts.add(_count(select, f'{table} INDEXED BY "{index}" WHERE 1'))
        if len(counts) > 1:
            raise Damaged(f"the table of {table} does not agree with its index")


def check_pages(select: Select) -> None:
    """Raise Damaged if SQLite's quick check, which reads the whole file, finds anything wrong."""
    _raise_if_wrong(select("PRAGMA quick_check"))


def check_everything(select: Select) -> None:
    """Raise Damaged if SQLite finds anything wrong: in the file, indexes or references."""
    _raise_if_wrong(select("PRAGMA integrity_check"))
    if orphans := select("PRAGMA foreign_key_check"):
        raise Damaged(f"{len(orphans)} rows belong to nothing")


def _raise_if_wrong(answer: Sequence[Any]) -> None:
    """Raise Damaged with the first message of SQLite, unless it is the only one, ``ok``."""
    messages = [str(row[0]) for row in answer]
    if messages != ["ok"]:
        first = (messages or ["nothing was found"])[0].removeprefix(PREFIX)
        raise Damaged(f"SQLite says: {' '.join(first.split())}")


def _count(select: Select, table: str) -> int:
    return int(select(f"SELECT count(*) FROM {table}")[0][0])
