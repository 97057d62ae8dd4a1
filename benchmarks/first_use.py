"""Processor time of a first game, which compiles what its strategies need, and of the next ones.

    git worktree add ../older <commit>
    python benchmarks/first_use.py ../older [--only "penguins mcts" ...]

Every strategy plays games against ``random`` in processes of their own, in the one checkout and in
the other by turns: the first one with an empty folder of kernels, LATER ones with what that kept.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

LATER = 5
HERE = Path(__file__).resolve().parent.parent

JOBS = {
    "flood minimax": ("flood.position(boards.square(5), colors=4, seed=1)", "minimax:depth=2"),
    "flood mcts": ("flood.position(boards.square(5), colors=4, seed=1)", "mcts:sims=20"),
    "hex minimax": ("hex.position(4)", "minimax:depth=1"),
    "hex mcts": ("hex.position(4)", "mcts:sims=20"),
    "penguins minimax": ("penguins.position(boards.full_hexa(4), penguins=1)", "minimax:depth=1"),
    "penguins mcts": ("penguins.position(boards.full_hexa(4), penguins=1)", "mcts:sims=20"),
    "carcassonne expectimax": ("carcassonne.position(deck=course(8))", "expectimax:depth=1"),
    "carcassonne mcts": ("carcassonne.position(deck=course(8))", "mcts:sims=20"),
}

PROGRAM = """
from ludograph import boards, carcassonne, flood, hex, penguins, play_match
from ludograph.games.carcassonne.decks import course  # where older checkouts have it too
result = play_match({start}, ["{player}", "random"])
assert result.reason == "finished", result.sentence
"""


def seconds(checkout: Path, start: str, player: str) -> tuple[float, float]:
    """Return the processor time of a first game in a checkout, and the median of later ones."""
    with tempfile.TemporaryDirectory() as empty:
        environment = {
            **os.environ,
            "PYTHONPATH": str(checkout / "src"),
            "LUDOGRAPH_CACHE": empty,
            "NUMBA_CACHE_DIR": empty,  # for checkouts that kept their kernels by Numba's means
        }
        program = [sys.executable, "-c", PROGRAM.format(start=start, player=player)]
        spent = []
        for _ in range(1 + LATER):
            before = used()
            subprocess.run(program, env=environment, stderr=subprocess.DEVNULL, check=True)
            spent.append(used() - before)
    return spent[0], statistics.median(spent[1:])


def used() -> float:
    """Return the processor time of all processes that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", nargs="?", type=Path, help="an older checkout to compare with")
    parser.add_argument("--only", nargs="+", choices=JOBS, default=list(JOBS), metavar="JOB")
    options = parser.parse_args()
    total = {"now": np.zeros(2), "before": np.zeros(2)}
    for name in options.only:
        start, player = JOBS[name]
        line = f"{name:<24}"
        checkouts = {"now": HERE} | ({"before": options.old} if options.old else {})
        for version, checkout in checkouts.items():
            first, later = seconds(checkout, start, player)
            total[version] += first, later
            line += f"  {version} {first:6.1f} s, then {later:5.2f} s"
        print(line, flush=True)
    if options.old:
        first, later = total["before"] / total["now"]
        print(f"before/now: {first:.2f} for first games, {later:.2f} for later ones")


if __name__ == "__main__":
    main()
