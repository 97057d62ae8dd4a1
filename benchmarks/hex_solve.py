"""Winning openings of Hex: seconds for the whole map on one core, beside the generic solver.

    python benchmarks/hex_solve.py --largest 6

The generic solver (`search/proof`, proof numbers on the rules alone) maps the boards up to 4 x 4
in the same run and must find the same; larger ones are beyond it. `--largest 7` takes about 50
seconds of processor time more; all times are by the wall clock.
"""

from __future__ import annotations

import argparse
import statistics

import numpy as np
from measure import timed

from ludograph import hex, rules
from ludograph.games.hex.solving import HexSolver, solve_openings
from ludograph.rules import OVER, TURN
from ludograph.search.proof import WIN, Prover

GENERIC = 4


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=6)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    special(1)
    generic(1)  # all kernels are loaded now
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
