"""How many more Monte-Carlo simulations a second two threads make in one tree.

    python benchmarks/mcts_threads.py [hex] [flood] [--threads 2] [--seconds 0.4] [--rounds 9]

The game's own `mcts` from the first position, a fresh tree each time, for so many seconds on
the clock: with one thread, with several, and as many processes of one thread each that know nothing
of each other, which is what the machine gives at that moment. All take turns in every round; the
medians of the rounds' ratios are printed. Goal: 1.8 times with two threads on two free cores. Where
others hold the cores, simulations per second of processor time say what a thread loses to the other
ones, in rounds in which they ran at once (``AT_ONCE`` of the cores they could use); the more rounds
and the shorter, the more of these.

How strong they are with as many simulations: `benchmarks/strength.py hex`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
from collections.abc import Callable
from itertools import compress
from multiprocessing.connection import Connection
from time import perf_counter, process_time

from ludograph import boards, flood, hex
from ludograph.games.position import Position
from ludograph.search.mcts import MonteCarlo

GAMES: dict[str, tuple[str, Callable[[], Position]]] = {
    "hex": ("Hex 11 x 11", lambda: hex.position(11, pie=False)),
    "flood": ("Flood 14 x 14", lambda: flood.position(boards.square(14), colors=6, seed=0)),
}

AT_ONCE = 0.9
"""The part of the clock's time on all of their cores from which threads count as run at once."""


def searcher(game: str, threads: int) -> Callable[[float], int]:
    """Return a function that searches for so many seconds and tells how often it simulated."""
    position = GAMES[game][1]()
    player = position.game.strategy("mcts").create({"threads": str(threads)}, seed=1)
    search: MonteCarlo = player.prepare(position)
    state = player.view.state(position)

    def run(seconds: float) -> int:
        search.last = None  # no tree is kept
        return search.search(state, time=seconds).simulations

    run(0.05)
    return run


def serve(game: str, pipe: Connection) -> None:
    """Search in a process of its own whenever it is asked to."""
    run = searcher(game, 1)
    pipe.send(0)
    while (seconds := pipe.recv()) is not None:
        pipe.send(run(seconds))


def compare_rates(game: str, threads: int, seconds: float, rounds: int) -> None:
    """Print what several threads make of one, and what the machine would give at most."""
    context = multiprocessing.get_context("spawn")
    pipes = []
    for _ in range(threads - 1):
        ours, theirs = context.Pipe()
        context.Process(target=serve, args=(game, theirs), daemon=True).start()
        pipes.append(ours)
    alone, together = searcher(game, 1), searcher(game, threads)
    for pipe in pipes:
        pipe.recv()

    def side_by_side(seconds: float) -> int:
        for pipe in pipes:
            pipe.send(seconds)
        return alone(seconds) + sum(pipe.recv() for pipe in pipes)

    kinds = [alone, together, side_by_side]
    rates: list[list[float]] = [[], [], []]
    thrift: list[list[float]] = [[], [], []]
    at_once = []
    for number in range(rounds):
        for place in range(3):
            kind = (number + place) % 3
            began, busy = perf_counter(), process_time()
            done = kinds[kind](seconds)
            passed, worked = perf_counter() - began, process_time() - busy
            thrift[kind].append(done / worked)
            if kind == 1:
                at_once.append(worked >= AT_ONCE * threads * passed)
            rates[kind].append(done / seconds)
    for pipe in pipes:
        pipe.send(None)
    one, many, apart = rates
    print(
        f"{GAMES[game][0]}, {rounds} rounds of {seconds:g} s\n"
        f"  1 thread      {statistics.median(one):12,.0f} simulations/s, "
        f"{statistics.median(thrift[0]):,.0f} by processor time\n"
        f"  {threads} threads     {statistics.median(many):12,.0f} simulations/s, "
        f"{ratio(many, one):.2f} times as many\n"
        f"  {threads} processes   {statistics.median(apart):12,.0f} simulations/s, "
        f"{ratio(apart, one):.2f} times: what the machine gives\n"
        f"  threads against processes {ratio(many, apart):.2f}\n"
        f"  {threads} threads against one by processor time {ratio(thrift[1], thrift[0]):.2f}, "
        f"at once in {sum(at_once)} rounds",
        flush=True,
    )
    if any(at_once):
        of_one, of_many = (list(compress(thrift[kind], at_once)) for kind in (0, 1))
        print(f"  in these rounds {ratio(of_many, of_one):.2f}", flush=True)


def ratio(rates: list[float], others: list[float]) -> float:
    """Return the median of the rounds' ratios."""
    return statistics.median(one / other for one, other in zip(rates, others, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.4, help="a run")
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    for game in options.games:
        compare_rates(game, options.threads, options.seconds, options.rounds)


if __name__ == "__main__":
    main()
