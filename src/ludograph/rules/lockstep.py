"""Threads for games in lockstep: each gets some rows of the arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

LEAST_ROWS = 64
"""The least number of games for a thread: with fewer games, waking it takes too much time."""


class LockstepThreads:
    """Threads that wait for the next step until they are closed.

    Parameters
    ----------
    threads
        Their number; with one, the work is done in the thread of the caller.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def run(self, work: Callable[[T], Any], parts: Sequence[T]) -> None:
        """Call a function for each part of a step."""
        if self.pool is None or len(parts) == 1:
            for part in parts:
                work(part)
        else:
            list(self.pool.map(work, parts))

    def blocks(self, layout: Sequence[tuple[T, int]]) -> Iterator[tuple[T, int, int]]:
        """Yield blocks of rows of one kind: the kind, the first row and the number of rows.

        Parameters
        ----------
        layout
            The kinds of rows in their order, for example setups, and how many rows each has.
        """
        most = max(LEAST_ROWS, -(-sum(rows for _, rows in layout) // self.threads))
        first = 0
        for kind, rows in layout:
            for begun in range(0, rows, most):
                count = min(most, rows - begun)
                yield kind, first, count
                first += count

    def close(self) -> None:
        """End the threads."""
        if self.pool is not None:
            self.pool.shutdown()
