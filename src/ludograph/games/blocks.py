"""Many small tasks in blocks for several threads; other threads run during a kernel."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

LEAST, MOST = 0.02, 0.1
"""Seconds that a block should take: short enough for Ctrl-C and a bar, long enough for Python."""


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_blocks(
    count: int,
    work: Callable[[int, int], None],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Call ``work(first, stop)`` for blocks that make up ``range(count)``, in threads.

    Who does which block, and how large they are, depends on the moment: the work must not.

    Parameters
    ----------
    threads
        How many, this one included.
    progress
        Told how many are done, after each block.
    """
    blocks = _Blocks(count, threads)

    def run() -> None:
        while (block := blocks.take()) is not None:
            began = time.perf_counter()
            try:
                work(*block)
                blocks.finish(block, time.perf_counter() - began, progress)
            except BaseException:  # Ctrl-C too: nobody takes another block
                blocks.stop()
                raise

    if threads == 1:
        run()
        return
    with ThreadPoolExecutor(threads - 1) as pool:
        others = [pool.submit(run) for _ in range(threads - 1)]
        run()
        for other in others:
            other.result()


class _Blocks:
    """What is left to do, and how much of it makes a block."""

    def __init__(self, count: int, threads: int) -> None:
        self.count, self.threads = count, threads
        self.next, self.done, self.size = 0, 0, 1
        self.lock = threading.Lock()

    def take(self) -> tuple[int, int] | None:
        with self.lock:
            first = self.next
            if first >= self.count:
                return None
            fair = -(-(self.count - first) // self.threads)
            self.next = first + min(self.size, fair)
            return first, self.next

    def finish(
        self, block: tuple[int, int], seconds: float, progress: Callable[[int], None] | None
    ) -> None:
        size = block[1] - block[0]
        with self.lock:
            self.done += size
            if seconds < LEAST and size == self.size:
                self.size *= 2
            elif seconds > MOST and size <= self.size:
                self.size = max(1, size // 2)
            if progress is not None:
                progress(self.done)

    def stop(self) -> None:
        with self.lock:
            self.next = self.count
