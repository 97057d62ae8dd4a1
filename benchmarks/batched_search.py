"""Simulations per second of searches with an evaluator, beside a reference in plain Python.

    python benchmarks/batched_search.py [--board 11] [--simulations 64] [--repeats 5]

The evaluator gives all moves the same probability and all positions the same value, so the figures
do not contain the time of a network. The runs of all kinds take turns; a rate is a median, by the
clock and by processor time. The reference (``tests/reference/batched_search.py``) searches one game
and has the same results.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import ludograph
from benchmarks.measure import both_rates
from ludograph import rules
from ludograph.games import Position
from ludograph.rules.observer import Arrays, Observer
from ludograph.search import BatchedSearch, Gumbel, Puct
from tests.reference.batched_search import search_puct

GAMES = (1, 64, 512)
THREADS = (1, 2)

Run = Callable[[], int]
"""Searches; returns the number of simulations."""


def evaluate(seen: Arrays) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    mask = seen["action_mask"]
    return np.zeros(mask.shape, np.float32), np.zeros(len(mask), np.float32)


def batched(
    position: Position, games: int, threads: int, simulations: int, selection: Puct | Gumbel
) -> Run:
    search = BatchedSearch(evaluate, simulations=simulations, threads=threads, selection=selection)
    positions = [position.copy() for _ in range(games)]

    def run() -> int:
        repeats = max(1, 64 // games)
        for _ in range(repeats):
            search.search(positions)
        return repeats * games * simulations

    return run


def reference(position: Position, simulations: int) -> Run:
    observer = Observer(position.setup, 1)

    def judge(leaf: Position) -> tuple[list[float], list[float]]:
        observer.observe(leaf.setup, leaf.state[None, :], 0)
        policy, _ = evaluate(observer.arrays)
        return policy[0, : observer.counts[0]].tolist(), [0.0, 0.0]

    def run() -> int:
        search_puct(position, judge, simulations, 1.25, rules.random_state(1))
        return simulations

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", type=int, default=11)
    parser.add_argument("--simulations", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    position = ludograph.make("hex", board=options.board)
    runs: dict[str, Run] = {"plain Python, 1 game": reference(position, options.simulations)}
    for selection in (Puct(), Gumbel()):
        for games in GAMES:
            for threads in THREADS if games > 1 else (1,):
                name = f"{type(selection).__name__.lower()}, games {games}, threads {threads}"
                runs[name] = batched(position, games, threads, options.simulations, selection)
    found = both_rates(runs, options.repeats)
    slow = found["plain Python, 1 game"]
    for name, (processor, clock) in found.items():
        print(
            f"{name}: {clock:,.0f} simulations a second, {processor:,.0f} a second of processor "
            f"time; {clock / slow.clock:.1f} and {processor / slow.processor:.1f} times "
            "plain Python"
        )


if __name__ == "__main__":
    main()
