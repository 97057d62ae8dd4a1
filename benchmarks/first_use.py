"""Processor time to compile what strategies need, from an empty cache, beside an older checkout.

    git worktree add ../older <commit>
    python benchmarks/first_use.py ../older [--only "penguins mcts" ...]

Every strategy plays a game against ``random`` in a process of its own, in the one checkout and in
the other by turns, each time with an empty folder of kernels.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

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
import sys, time
from ludograph import boards, carcassonne, flood, hex, penguins, play_match
from ludograph.games.carcassonne.decks import course  # where older checkouts have it too
began = time.process_time()
result = play_match({start}, ["{player}", "random"])
assert result.reason == "finished", result.sentence
print(time.process_time() - began)
"""


def seconds(checkout: Path, start: str, player: str) -> float:
    """Return the processor time of a first game in a checkout."""
    with tempfile.TemporaryDirectory() as empty:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(start=start, player=player)],
            env={
                **os.environ,
                "PYTHONPATH": str(checkout / "src"),
                "LUDOGRAPH_CACHE": empty,
                "NUMBA_CACHE_DIR": empty,  # for checkouts that kept their kernels by Numba's means
            },
            capture_output=True,
            text=True,
            check=True,
        )
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", nargs="?", type=Path, help="an older checkout to compare with")
    parser.add_argument("--only", nargs="+", choices=JOBS, default=list(JOBS), metavar="JOB")
    options = parser.parse_args()
    total = {"now": 0.0, "before": 0.0}
    for name in options.only:
        start, player = JOBS[name]
        line = f"{name:<24}"
        checkouts = {"now": HERE} | ({"before": options.old} if options.old else {})
        for version, checkout in checkouts.items():
            spent = seconds(checkout, start, player)
            total[version] += spent
            line += f"  {version} {spent:6.1f} s"
        print(line, flush=True)
    if options.old:
        now, before = total["now"], total["before"]
        print(f"all: now {now:.0f} s, before {before:.0f} s, ratio {before / now:.2f}")


if __name__ == "__main__":
    main()
