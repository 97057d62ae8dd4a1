"""Winning openings of Hex: seconds of processor time for all openings, beside the generic solver.

    python benchmarks/hex_solve.py --largest 6
    python benchmarks/hex_solve.py --size 8 --openings e4,d4,e3 --time 300
    python benchmarks/hex_solve.py --largest 6 --words

The generic solver (`search/proof`, proof numbers with the rules alone) solves the boards up to
4 x 4 in the same run and must have the same results; larger boards take it too long. `--largest 7`
takes about 15 seconds more. `--openings` measures single openings, each with an empty table.
`--time` is the limit of each proof, `--table-bits` the size of its table; an entry takes 32 bytes.
`--words` compares sets of one, two and four words, which larger boards need, on the same positions.
Times are without compilation.
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
from ludograph.rules.kernels.sets import LENGTHS
from ludograph.search.pacing import deadline_after
from ludograph.search.proof import WIN, Prover

GENERIC = 4


def timed(function: Callable[[], tuple[str, ...]]) -> tuple[float, tuple[str, ...]]:
    """Return the processor time of a call, in seconds, and its result."""
    began = time.process_time()
    result = function()
    return time.process_time() - began, result


def special(n: int, words: int | None = None) -> tuple[str, ...]:
    found = solve_openings(HexSolver(n, words=words))
    assert found.complete
    return found.rows


def generic(n: int) -> tuple[str, ...]:
    setup = hex.position(n, pie=False).setup
    prover = Prover(setup, nodes=None, table_bits=22)
    letters = []
    state = np.zeros(rules.info(setup).state_size, np.int32)
    for opening in setup.free.tolist():
        rules.start(setup, state)
        rules.play(setup, state, opening)
        won = state[TURN] == OVER or prover.value(state, 0) == WIN
        letters.append("W" if won else "L")
    return tuple("".join(letters[row * n : row * n + n]) for row in range(n))


def single(n: int, names: list[str], seconds: float | None, table_bits: int | None) -> None:
    """Print value, time and nodes of each opening."""
    for name in names:
        solver = None if table_bits is None else HexSolver(n, table_bits=table_bits)
        openings = Openings(n, solver)
        assert openings.solver.deadline is None  # the solver is compiled
        began = time.process_time()
        solved = openings.solve(name, deadline_after(seconds))
        took = time.process_time() - began
        value = "?" if solved is None else solved.values[name]
        nodes = openings.solver.nodes
        print(f"{n} x {n}, {name} {value} {took:10.2f} s {nodes:12d} nodes", flush=True)


def compare_words(n: int, repeats: int) -> None:
    """Print the cost of sets with more words than needed."""
    medians = {}
    for words in LENGTHS:
        special(1, words)
        runs = [timed(lambda words=words: special(n, words)) for _ in range(repeats)]
        medians[words] = statistics.median(seconds for seconds, _ in runs)
    figures = ", ".join(
        f"{words}: {seconds:.4f} s, ratio {seconds / medians[1]:.2f}"
        for words, seconds in medians.items()
    )
    print(f"{n} x {n}, all openings, words of a set {figures}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=6)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--openings", type=lambda text: text.split(","), default=[])
    parser.add_argument(
        "--time", type=float, metavar="SECONDS", help="for each proof of an opening"
    )
    parser.add_argument("--table-bits", type=int, metavar="N", help="tables of 2^N entries")
    parser.add_argument("--words", action="store_true")
    options = parser.parse_args()
    if options.words:
        compare_words(options.largest, options.repeats)
        return
    special(1)
    generic(1)  # loads all kernels
    if options.openings:
        single(options.size, options.openings, options.time, options.table_bits)
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
