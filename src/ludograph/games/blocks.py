"""Many small tasks in blocks for several threads; other threads run during a kernel."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

SECONDS = 0.1
"""The time of a block by that of the first task: short enough for Ctrl-C and a progress bar, long
compared with Python's overhead."""


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

    The first block is one task, whose time gives the size of all others. Which thread works on a
    block varies from call to call: the results must not depend on sizes and threads.

    Parameters
    ----------
    threads
        The number of threads, this one included.
    progress
        Called after each block with the number of finished tasks.
    """
    began = time.perf_counter()
    work(0, 1)
    fitting = SECONDS / max(time.perf_counter() - began, 1e-9)
    size = max(1, min(int(fitting), -(-count // threads)))
    firsts, done = iter(range(1, count, size)), 1
    lock, failed = threading.Lock(), threading.Event()
    if progress is not None:
        progress(done)

    def run() -> None:
        nonlocal done
        try:
            for first in firsts:  # shared by all threads: each block is taken once
                if failed.is_set():
                    return
                stop = min(first + size, count)
                work(first, stop)
                with lock:
                    done += stop - first
                    if progress is not None:
                        progress(done)
        except BaseException:  # Ctrl-C too: no thread takes another block
            failed.set()
            raise

    if threads == 1:
        run()
        return
    with ThreadPoolExecutor(threads - 1) as pool:
        others = [pool.submit(run) for _ in range(threads - 1)]
        run()
        for other in others:
            other.result()
