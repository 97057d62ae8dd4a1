"""Shortest solutions of solo boards: this checkout against an older one, in processor time.

    git worktree add ../older <commit>
    python benchmarks/solo_versions.py ../older --boards 1000
    python benchmarks/solo_versions.py ../older --boards 60 --size 19 --middle

The whole `solve_optimal` of each checkout's `src` is measured, from the position to the moves, on
the same boards: square, random colors, seeds 1, 2, ...; the start in the top left corner or in the
middle vertex. Each version runs in a process of its own; both solve the boards in turns, so that
the load of the machine is the same. Times are processor time of the solving thread; a first board
is not timed, because it compiles the rules. The lengths must be the same on every board.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent

WORKER = """
import sys, time
from ludograph import boards
from ludograph.games.flood import flood
from ludograph.games.flood.solo import solve_optimal
size, colors, start = map(int, sys.argv[1:])
board = boards.square(size)
for line in sys.stdin:
    position = flood.position(board, colors=colors, seats=1, starts=[start], seed=int(line))
    started = time.process_time()
    found = solve_optimal(position.setup, position.state, seconds=None)
    print(time.process_time() - started, len(found.moves), found.proven, flush=True)
"""


class Version:
    """A checkout's solver in a process of its own."""

    def __init__(self, checkout: Path, size: int, colors: int, start: int) -> None:
        self.seconds = 0.0
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(size), str(colors), str(start)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        )

    def solve(self, seed: int) -> int:
        """Return the length of a shortest solution."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{seed}\n")
        self._process.stdin.flush()
        seconds, length, proven = self._process.stdout.readline().split()
        if proven != "True":
            sys.exit(f"seed {seed}: not proven")
        self.seconds += float(seconds)
        return int(length)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("older", type=Path)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--size", type=int, default=14)
    parser.add_argument("--colors", type=int, default=6)
    parser.add_argument("--middle", action="store_true", help="start in the middle vertex")
    options = parser.parse_args()

    size = options.size
    start = size // 2 * size + size // 2 if options.middle else 0
    old, new = (
        Version(path.resolve(), size, options.colors, start) for path in (options.older, HERE)
    )
    for version in (old, new):
        version.solve(0)
        version.seconds = 0.0
    moves = 0
    for seed in range(1, options.boards + 1):
        first, second = (old, new) if seed % 2 else (new, old)
        length = first.solve(seed)
        if second.solve(seed) != length:
            sys.exit(f"seed {seed}: the lengths differ")
        moves += length
    print(
        f"{options.boards} boards of {size} x {size}, {options.colors} colors, start {start}: "
        f"{moves} moves (mean {moves / options.boards:.2f}), the same in both\n"
        f"  older {old.seconds:9.2f} s   {1e3 * old.seconds / options.boards:9.2f} ms a board\n"
        f"  here  {new.seconds:9.2f} s   {1e3 * new.seconds / options.boards:9.2f} ms a board\n"
        f"  {old.seconds / new.seconds:.1f} times as fast"
    )


if __name__ == "__main__":
    main()
