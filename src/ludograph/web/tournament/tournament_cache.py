"""Tables of large tournaments, kept until their store changes.

The tables of a hundred thousand games are much work, and many people look at them at once.
Small tournaments are computed for each request, so that their pages are never late.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from ludograph.arena.store.location import file_of

Tables = dict[str, Any]

COSTLY = 0.3
"""The least seconds of work for tables to be kept."""

AGE = 1.0
"""Seconds for which kept tables are shown although games have ended since."""

FRESH = 10.0
"""Seconds for which tables of a tournament that goes on are kept although no game has ended."""

SETTLED = 0.1
"""Seconds since the last change of a file after which its time tells any further change."""

MOST = 16
"""The most tournaments whose tables are kept."""

Stamp = tuple[tuple[int, int, int], ...]


class KeptTables(NamedTuple):
    """The tables of a tournament.

    Attributes
    ----------
    stamp
        The state of the store before the tables were computed; None if it is not known.
    late
        When they are computed again if the store has changed.
    fresh
        When they are computed again although it has not.
    """

    tables: Tables
    stamp: Stamp | None
    late: float
    fresh: float


class TournamentCache:
    """The tables of the tournaments that were looked at last.

    Parameters
    ----------
    clock
        Seconds; another one in tests.
    """

    def __init__(
        self, store: str | Path | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store, self._clock = store, clock
        self._kept: OrderedDict[int, KeptTables] = OrderedDict()

    async def tables(
        self,
        number: int,
        compute: Callable[[], Awaitable[Tables]],
        asks_again: Callable[[Tables], bool],
    ) -> Tables:
        """Return the tables of a tournament, computed if they are not known.

        Parameters
        ----------
        asks_again
            Whether a page with these tables asks for newer ones by itself: only then they may be
            late.
        """
        stamp, began = stamp_of(self._store), self._clock()
        kept = self._kept.get(number)
        if kept is not None:
            same = stamp is not None and stamp == kept.stamp
            late = began < kept.late and asks_again(kept.tables)
            if late or (same and began < kept.fresh):
                self._kept.move_to_end(number)
                return kept.tables
        tables = await compute()
        now = self._clock()
        self._kept.pop(number, None)
        if now - began >= COSTLY:
            goes_on = tables["progress"]["moves_on"]
            fresh = now + FRESH if goes_on else float("inf")
            self._kept[number] = KeptTables(tables, stamp, now + AGE, fresh)
            if len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return tables


def stamp_of(store: str | Path | None) -> Stamp | None:
    """Return a value that another state of a store does not have.

    None for a store on a server, and for a file that has just changed: it may change again without
    another time.
    """
    path = file_of(store)
    if path is None:
        return None
    found = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = file.stat()
        except OSError:
            continue
        if status.st_size:
            if abs(time.time() - status.st_mtime) < SETTLED:
                return None
            found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(found)
