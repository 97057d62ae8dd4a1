"""Groups of games that are played in lockstep, by threads or by processes.

The games of a group depend only on the group; it can be pickled, and so can its result.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any

from ludograph.games import Position
from ludograph.learning.samples import Samples, Surface
from ludograph.learning.selfplay import SelfPlayOptions, play_games
from ludograph.learning.teacher import Teacher, play_taught_games
from ludograph.rules.observer import sizes_of
from ludograph.search.batched.evaluator import Evaluate
from ludograph.search.network import Layers, NetworkEvaluator, NetworkShape

FEWEST_GAMES = 32
"""The least number of games in lockstep with which JAX evaluates: for fewer the transfer to a GPU
takes too long."""

PlayGroups = Callable[[Sequence["GameGroup"]], Iterable[tuple[Samples, float]]]
"""Yields, for each group in its order, its positions and the seconds of processor time that another
process took for them."""


@dataclass(frozen=True)
class GameGroup:
    """Games that are played in lockstep.

    Attributes
    ----------
    starts
        Starts on one board, with the number of games from each.
    shape, layers
        The shape and the layers of the network.
    parameters
        The same network for JAX; None: its own machine code evaluates positions.
    surface
        The board in the form for JAX.
    teacher
        The strategy that plays in place of the network; None: the network plays.
    """

    starts: Sequence[tuple[Position, int]]
    shape: NetworkShape
    layers: Layers
    parameters: Any
    surface: Surface
    options: SelfPlayOptions
    seed: Sequence[int]
    threads: int = 1
    teacher: Teacher | None = None


def play_group(group: GameGroup, stop: Event | None = None) -> Samples:
    """Play the games of a group, and return their positions; raise Stopped after ``stop``."""
    starts = [start for start, games in group.starts for _ in range(games)]
    if group.teacher is not None:
        return play_taught_games(starts, group.teacher, group.options, group.seed, stop=stop)
    evaluate = evaluator_of(group, starts)
    return play_games(starts, evaluate, group.options, group.seed, threads=group.threads, stop=stop)


def play_timed(group: GameGroup) -> tuple[Samples, float]:
    """Play the games of a group; return their positions and the processor time of this process."""
    before = time.process_time()
    return play_group(group), time.process_time() - before


def evaluator_of(group: GameGroup, starts: Sequence[Position]) -> Evaluate:
    """Return the evaluator of the positions of games from these starts."""
    start = starts[0]
    if group.parameters is None or len(starts) < FEWEST_GAMES:
        return NetworkEvaluator(
            group.shape, group.layers, start.setup, start.board, threads=group.threads
        )
    from ludograph.learning.device import DeviceNetwork  # noqa: PLC0415  (it imports JAX)

    network = DeviceNetwork(group.shape, group.parameters)
    return network.evaluator(group.surface, by_code=sizes_of(start.setup).codes > 0)


def in_threads(threads: int) -> PlayGroups:
    """Return a player of groups in threads; a single group gets all of them.

    After Ctrl-C the threads end at their next move.
    """
    pool = ThreadPoolExecutor(threads)

    def play(groups: Sequence[GameGroup]) -> Iterator[tuple[Samples, float]]:
        stop = Event()
        try:
            for samples in pool.map(partial(play_group, stop=stop), groups):
                yield samples, 0.0
        finally:
            stop.set()

    return play


@contextmanager
def in_processes(count: int, device: str) -> Iterator[PlayGroups]:
    """Yield a player of groups in processes, each with its own JAX; they end with the context.

    Threads would wait for each other: a step of a search on a GPU is short, and Python prepares
    it.

    Parameters
    ----------
    device
        See :func:`choose_device`.
    """
    context = multiprocessing.get_context("spawn")
    with context.Pool(count, begin_process, (device,)) as pool:
        yield partial(pool.imap, play_timed)


def begin_process(device: str) -> None:
    """Choose the device of a process; only its parent handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    choose_device(device)


def choose_device(device: str) -> None:
    """Let JAX compute on a device: ``auto``, ``cpu`` or ``gpu``; call it before JAX computes.

    Processes share the memory of a GPU, so none of them takes most of it at its start.

    Raises
    ------
    RuntimeError
        If JAX finds no GPU although one is requested.
    """
    import jax  # noqa: PLC0415  (only learning needs it)

    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if device == "cpu":
        jax.config.update("jax_platforms", "cpu")
    if device == "gpu":
        jax.config.update("jax_default_device", jax.devices("gpu")[0])
