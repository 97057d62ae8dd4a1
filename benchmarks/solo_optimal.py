"""Shortest solutions of random solo boards: milliseconds a board on one core, and their lengths.

    python benchmarks/solo_optimal.py --boards 300
    python benchmarks/solo_optimal.py --boards 5 --size 24 --memory 4 --time 60

For comparison, in the same run, the breadth-first search of the tests and the same kernels as plain
Python solve small boards; the lengths must be the same.

With ``--memory`` (in MiB) boards are solved in bounded memory and time: for each board the moves
found, the proven lower bound, processor time, and the peak of the memory that the solver
allocated, as `tracemalloc` counts it (NumPy's arrays included); a higher peak ends the run with an
error. Counting allocations costs little here, as the search makes none.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ludograph import boards
from ludograph.games.flood import flood
from ludograph.games.flood.setup import vertex_colors
from ludograph.games.flood.solo import solve_beam, solve_optimal
from ludograph.games.position import Position
from ludograph.rules import interpreted
from tests.reference.flood_solo import solve as breadth_first


def position_of(size: int, colors: int, seed: int) -> Position:
    return flood.position(boards.square(size), colors=colors, seats=1, seed=seed)


def optimal(position: Position) -> int:
    solution = solve_optimal(position.setup, position.state)
    if not solution.proven:
        print(f"  not proven: {solution.lower_bound} to {len(solution.moves)} moves")
    return len(solution.moves)


def beam(position: Position) -> int:
    return len(solve_beam(position.setup, position.state).moves)


def plain(position: Position) -> int:
    with interpreted():
        return optimal(position)


def reference(position: Position) -> int:
    board = position.board
    adjacency = [board.neighbors_of(vertex).tolist() for vertex in range(board.n)]
    start = int(position.setup.start_vertices[0])
    found = breadth_first(adjacency, vertex_colors(position.setup).tolist(), start)
    assert found is not None
    return found[0]


def run(
    name: str, solve: Callable[[Position], int], positions: list[Position]
) -> tuple[float, list[int]]:
    """Solve all, print a line, return the median of the milliseconds and the lengths."""
    lengths, times = [], []
    for position in positions:
        started = time.perf_counter()
        lengths.append(solve(position))
        times.append(1e3 * (time.perf_counter() - started))
    print(
        f"  {name:<28} median {statistics.median(times):9.2f}  mean {statistics.mean(times):9.2f}  "
        f"95 % {np.percentile(times, 95):9.2f} ms a board   mean length "
        f"{statistics.mean(lengths):.2f}"
    )
    return statistics.median(times), lengths


def in_memory(position: Position, memory: int, limit: float) -> int:
    """Solve a board within limits, print a line, return the peak of allocated bytes."""
    tracemalloc.start()
    started = time.process_time()
    found = solve_optimal(position.setup, position.state, seconds=limit, memory=memory)
    used = time.process_time() - started
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(
        f"  {len(found.moves)} moves, at least {found.lower_bound}; {used:7.2f} s, "
        f"{peak / 2**20:.2f} MiB, {found.nodes} zones",
        flush=True,
    )
    return peak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--size", type=int, default=14)
    parser.add_argument("--colors", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--memory", type=int, metavar="MIB", help="solve in bounded memory")
    parser.add_argument("--time", type=float, default=60.0, help="seconds for a board then")
    options = parser.parse_args()

    small = position_of(8, options.colors, options.seed)
    optimal(small)
    beam(small)  # loads all kernels
    seeds = range(options.seed, options.seed + options.boards)
    positions = [position_of(options.size, options.colors, seed) for seed in seeds]
    print(f"{len(positions)} boards of {options.size} x {options.size}, {options.colors} colors:")
    if options.memory:
        allowed = options.memory << 20
        worst = max(in_memory(position, allowed, options.time) for position in positions)
        if worst > allowed:
            sys.exit(f"it took {worst / 2**20:.2f} MiB, more than it was allowed")
        return
    _, shortest = run("optimal", optimal, positions)
    _, found = run("beam of 200", beam, positions)
    excess = sum(found) - sum(shortest)
    print(f"  beam of 200 needs {excess} moves more on {len(positions)} boards together")

    for size, colors, name, slow in (
        (5, 4, "breadth-first, plain Python", reference),
        (7, 6, "the same kernels, plain Python", plain),
    ):
        small = [position_of(size, colors, seed) for seed in range(5)]
        print(f"{len(small)} boards of {size} x {size}, {colors} colors:")
        fast_median, fast_lengths = run("optimal", optimal, small)
        slow_median, slow_lengths = run(name, slow, small)
        assert fast_lengths == slow_lengths
        print(f"  optimal is {slow_median / fast_median:.0f} times as fast")


if __name__ == "__main__":
    main()
