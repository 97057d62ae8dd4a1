"""Warm-up: compilation of the built-in strategies' kernels, so that no game waits for it.

Each strategy of each game plays games against itself, on each of the game's starts for a warm-up:
with the smallest search for each word of each option, then with a few simulations. After that the
kernels for games in bulk are called with a single game. The jobs of one game run one after the
other, as they share most of their kernels.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ludograph.games import AnyGame, Position, Strategy
from ludograph.games.bulk import playouts
from ludograph.games.options import Word
from ludograph.games.registry import game, name_of
from ludograph.players import PlayerSpec
from ludograph.referee.match import play_match
from ludograph.rules import random_below, random_state
from ludograph.rules.announcer import announcer

LEAST = {"time": "0.001", "sims": "1", "depth": "1"}
"""Options that limit a search, with the smallest value of each."""

FEW_SIMULATIONS = 200
"""They reach the kernels that the smallest search does not: background solvers, and reuse of
trees."""

BULK = "in bulk"
"""In place of a strategy: the kernels that play many games at once."""


class Job(NamedTuple):
    """A strategy, as a player is named, or ``BULK``, to be compiled for a start of its game.

    Attributes
    ----------
    game
        The name of the game, or the path of one that is not installed.
    """

    game: str
    player: str
    start: int


class CompiledJob(NamedTuple):
    """The result of a job.

    Attributes
    ----------
    seconds
        Processor time.
    fault
        The faults in the game, or an empty text.
    """

    job: Job
    seconds: float
    fault: str


def jobs_of(name: str) -> list[Job]:
    """Return the jobs of a game, by name or path."""
    one = game(name_of(name))
    return [
        Job(name, player, number)
        for number, start in enumerate(one.warm_up_starts())
        for player in [*players_for(start), BULK]
    ]


def players_for(start: Position) -> list[str]:
    """Return the strategies that can play from a start, as players are named."""
    return [
        player
        for strategy in start.game.strategies.values()
        if strategy.plays_alone(start.seats)
        for player in players_of(strategy)
    ]


def players_of(strategy: Strategy) -> list[str]:
    """Return a strategy as it is, with a few simulations, and with each word of each option."""
    known = {option.name for option in strategy.options}
    limits = [f"{name}={value}" for name, value in LEAST.items() if name in known]
    words = [
        f"{option.name}={word}"
        for option in strategy.options
        if isinstance(option.type, Word)
        for word in option.type.words
    ]
    chosen = [",".join([*limits, word]) for word in words] or [",".join(limits)]
    if "sims" in known:
        chosen.append(f"sims={FEW_SIMULATIONS}")
    return [f"{strategy.name}:{options}".rstrip(":") for options in chosen]


def least_effort(spec: PlayerSpec, one: AnyGame) -> str:
    """Return the name of the same built-in player with the smallest search."""
    least = {**LEAST, "threads": "1"}
    known = {option.name for option in one.strategy(spec.target).options}
    options = {**spec.options, **{name: least[name] for name in least if name in known}}
    listed = ",".join(f"{name}={value}" for name, value in options.items())
    return f"{spec.target}:{listed}" if listed else spec.target


def compile_for(job: Job) -> CompiledJob:
    """Play a game in which every kernel is called that the strategy needs; or games in bulk."""
    began = time.process_time()
    random_below(random_state(0), 2)  # it draws the player that starts
    one = game(name_of(job.game))
    start = list(one.warm_up_starts())[job.start]
    fault = ""
    if job.player == BULK:
        for uniform in (False, True):
            playouts(start, 1, threads=1, uniform=uniform)
    else:
        result = play_match(start, [job.player] * start.seats)
        fault = "; ".join(fault.message for fault in result.faults)
    return CompiledJob(job, time.process_time() - began, fault)


def compile_all(chains: Sequence[Iterable[Job]], processes: int) -> Iterator[CompiledJob]:
    """Do jobs in processes of their own, those of one chain one after the other.

    Yields
    ------
    CompiledJob
        In the order of their ends.
    """
    waiting = [iter(chain) for chain in chains]
    updates: queue.SimpleQueue[tuple[int, CompiledJob | BaseException]] = queue.SimpleQueue()
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, initializer=_begin) as pool:  # ends its processes on the way out

        def submit(chain: int) -> int:
            job = next(waiting[chain], None)
            if job is None:
                return 0
            pool.apply_async(
                compile_for,
                (job,),
                callback=lambda done: updates.put((chain, done)),
                error_callback=lambda error: updates.put((chain, error)),
            )
            return 1

        running = sum(submit(chain) for chain in range(len(waiting)))
        while running:
            chain, done = updates.get()
            if isinstance(done, BaseException):
                raise done
            yield done
            running += submit(chain) - 1


def _begin(*_: Any) -> None:
    """Prepare a process: it prints nothing, and leaves Ctrl-C to its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    announcer.enabled = False
