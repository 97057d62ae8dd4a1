"""Large solo boards in bounded memory and time: solutions, proven bounds, and the resources used.

    python benchmarks/solo_bounded.py --boards 5 --size 24 --memory 4 --seconds 60

For each board (square, random colors, start in the top left corner) a line: the number of moves
found, the proven lower bound, the gap between both, processor time, and the peak of the memory
that the solver allocated, as `tracemalloc` counts it (NumPy's arrays included). The solver has a
limit of `--memory` MiB; a higher peak ends the run with an error. Counting allocations costs
little here, as the search makes none.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc

from ludograph import boards
from ludograph.games.flood import flood
from ludograph.games.flood.solo import solve_optimal


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=5)
    parser.add_argument("--size", type=int, default=24)
    parser.add_argument("--colors", type=int, default=6)
    parser.add_argument("--memory", type=int, default=4, help="MiB")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()

    board = boards.square(options.size)
    small = flood.position(boards.square(8), colors=options.colors, seats=1, seed=0)
    solve_optimal(small.setup, small.state)  # loads all kernels
    print(f"{options.size} x {options.size}, {options.colors} colors, {options.memory} MiB:")
    worst = 0
    for seed in range(1, options.boards + 1):
        position = flood.position(board, colors=options.colors, seats=1, seed=seed)
        tracemalloc.start()
        started = time.process_time()
        found = solve_optimal(
            position.setup,
            position.state,
            seconds=options.seconds,
            memory=options.memory << 20,
        )
        used = time.process_time() - started
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        worst = max(worst, peak)
        print(
            f"  seed {seed:3d}: {len(found.moves)} moves, at least {found.lower_bound}, gap "
            f"{len(found.moves) - found.lower_bound}; {used:7.2f} s, {peak / 2**20:.2f} MiB, "
            f"{found.nodes} zones"
        )
    if worst > options.memory << 20:
        sys.exit(f"it took {worst / 2**20:.2f} MiB, more than it was allowed")


if __name__ == "__main__":
    main()
