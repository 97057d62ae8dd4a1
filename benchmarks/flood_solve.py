"""Solved boards of Flood for two: Flood's own solver beside the prover of all games.

    python benchmarks/flood_solve.py --size 8 --colors 6 --boards 10
    python benchmarks/flood_solve.py --size 12 --boards 20 --own

Flood's solver is alpha-beta search to the end of the game (`games/flood/solving.py`); here it finds
the winner. For the prover Flood has bounds of the scores and first proof numbers
(`games/flood/evaluation.py`). Each board is solved with an empty table, and all results must agree.
Times are processor time of one core, without compilation.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import NamedTuple

from ludograph import boards, flood
from ludograph.games.flood.compact import make_compact, to_compact
from ludograph.games.flood.solving import ExactSolver
from ludograph.search.proof import Prover

TABLE_BITS = 22


class Found(NamedTuple):
    """What a proof of a board has found."""

    verdict: str
    nodes: int


def solve(size: int, colors: int, seed: int) -> tuple[float, Found]:
    """Return the seconds of processor time of a proof, and what it has found."""
    position = flood.position(boards.square(size), colors=colors, seed=seed)
    prover = Prover(position.setup, nodes=None, table_bits=TABLE_BITS)
    began = time.process_time()
    found = prover.solve(position.state)
    return time.process_time() - began, Found(found.verdict, found.nodes)


def solve_by_own(size: int, colors: int, seed: int) -> tuple[float, Found]:
    """Return the same of Flood's own solver."""
    position = flood.position(boards.square(size), colors=colors, seed=seed)
    solver = ExactSolver(make_compact(position.setup), TABLE_BITS)
    began = time.process_time()
    winner, nodes = solver.winner(to_compact(solver.setup, position.state), None)
    verdict = {0: "win", 1: "loss"}.get(winner, "draw")
    return time.process_time() - began, Found(verdict, nodes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--colors", type=int, default=6)
    parser.add_argument("--boards", type=int, default=10)
    parser.add_argument("--own", action="store_true", help="without the prover")
    options = parser.parse_args()
    solvers = {"own": solve_by_own}
    if not options.own:
        solvers["prover"] = solve
    for solver in solvers.values():
        solver(3, 3, 0)
    found = {
        name: [solver(options.size, options.colors, seed) for seed in range(options.boards)]
        for name, solver in solvers.items()
    }
    verdicts = [[one.verdict for _, one in each] for each in found.values()]
    assert all(each == verdicts[0] for each in verdicts)
    counts = ", ".join(f"{verdicts[0].count(each)} {each}" for each in ("win", "draw", "loss"))
    print(
        f"{options.boards} boards of {options.size} x {options.size}, {options.colors} colors; "
        f"for the first to move: {counts}"
    )
    for name, each in found.items():
        print(
            f"  {name:6} seconds {statistics.median(took for took, _ in each):9.3f} median, "
            f"{sum(took for took, _ in each):9.2f} in all;  positions "
            f"{statistics.median(one.nodes for _, one in each):11,.0f} median, "
            f"{sum(one.nodes for _, one in each):13,} in all",
            flush=True,
        )


if __name__ == "__main__":
    main()
