"""Winning openings of Hex: seconds of processor time for the whole map, beside the generic solver.

    python benchmarks/hex_solve.py --largest 6
    python benchmarks/hex_solve.py --size 8 --openings e4,d4,e3

The generic solver (`search/proof`, proof numbers on the rules alone) maps the boards up to 4 x 4
in the same run and must find the same; larger ones are beyond it. `--largest 7` takes about 15
seconds more. `--openings` measures single openings, each with an empty table. Code is compiled, or
loaded, before the time is taken.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from ludograph import hex, rules
from ludograph.games.hex.solving import HexSolver, Openings, solve_openings
from ludograph.rules import OVER, TURN
from ludograph.search.proof import WIN, Prover

GENERIC = 4


def timed(function: Callable[[], tuple[str, ...]]) -> tuple[float, tuple[str, ...]]:
    """Return the seconds of processor time that a call took, and its result."""
    began = time.process_time()
    result = function()
    return time.process_time() - began, result


def special(n: int) -> tuple[str, ...]:
    found = solve_openings(HexSolver(n))
    assert found.complete
    return found.rows


def generic(n: int) -> tuple[str, ...]:
    setup = hex.position(n, pie=False).setup
    prover = Prover(setup, nodes=None, table_bits=22)
    letters = []
    state = np.zeros(rules.state_size(setup), np.int32)
    for opening in setup.free.tolist():
        rules.start(setup, state)
        rules.play(setup, state, opening)
        won = state[TURN] == OVER or prover.value(state, 0) == WIN
        letters.append("W" if won else "L")
    return tuple("".join(letters[row * n : row * n + n]) for row in range(n))


def single(n: int, names: list[str]) -> None:
    """Print what each of some openings took."""
    for name in names:
        solved = Openings(n).solve(name, None)
        assert solved is not None
        value = solved.values[name]
        print(
            f"{n} x {n}, {name} {value} {solved.seconds:10.2f} s {solved.nodes:12d} nodes",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=6)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--openings", type=lambda text: text.split(","), default=[])
    options = parser.parse_args()
    special(1)
    generic(1)  # all kernels are loaded now
    if options.openings:
        single(options.size, options.openings)
        return
    for n in range(2, options.largest + 1):
        runs = [timed(lambda n=n: special(n)) for _ in range(options.repeats if n < 7 else 1)]
        ours = statistics.median(seconds for seconds, _ in runs)
        line = f"{n} x {n}, all openings {ours:12.4f} s"
        if n <= GENERIC:
            peer, rows = timed(lambda n=n: generic(n))
            assert rows == runs[0][1]
            line += f"   generic solver {peer:10.4f} s   ratio {peer / ours:10.1f}"
        print(f"{line}   {'/'.join(runs[0][1])}", flush=True)


if __name__ == "__main__":
    main()
