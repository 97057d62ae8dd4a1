"""Many small tasks in blocks for several threads; other threads run during a kernel."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

LEAST, MOST = 0.02, 0.1
"""Seconds of a block: short enough for Ctrl-C and a progress bar, long compared with Python's
overhead."""


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_blocks(
    count: int,
    work: Callable[[int, int], None],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Call ``work(first, stop)`` for blocks that make up ``range(count)``, in threads.

    The sizes of blocks, and the thread of each, vary from call to call: the results must not depend
    on them.

    Parameters
    ----------
    threads
        The number of threads, this one included.
    progress
        Called after each block with the number of finished tasks.
    """
    blocks = _Blocks(count, threads)

    def run() -> None:
        while (block := blocks.take()) is not None:
            began = time.perf_counter()
            try:
                work(*block)
                blocks.finish(block, time.perf_counter() - began, progress)
            except BaseException:  # Ctrl-C too: no thread takes another block
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
    """The remaining tasks, and the size of the next block."""

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
