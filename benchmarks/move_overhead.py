"""Processor time of a move besides its simulations, in this checkout and in an older one.

    git worktree add ../older <commit>
    python benchmarks/move_overhead.py ../older

``mcts:sims=2`` plays a game against random moves in a process for each checkout; the median of the
processor time of its moves is printed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent

STARTS = {
    "carcassonne, 72 tiles": "carcassonne.position(seed=2)",
    "carcassonne, meeples": "carcassonne.position(mode='finite', seed=2)",
    "penguins 8 x 8": "penguins.position(seed=1)",
    "hex 11 x 11": "hex.position(11, pie=False)",
}

PROGRAM = """
import statistics, time
from ludograph import carcassonne, hex, penguins, rules
position, spent = {start}, []
search = position.game.strategy("mcts").create({{"sims": "2"}}, 1)
search.prepare(position)
luck = rules.random_state(1)
while not position.is_over:
    if position.turn != 0:
        position.play_random(luck)
        continue
    began = time.process_time()
    move = search.choose(position)
    spent.append(time.process_time() - began)
    position.push(move)
print(statistics.median(spent))
"""


def seconds(checkout: Path, start: str) -> float:
    """Return the median processor time of a move in a checkout."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(start=start)],
        env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", nargs="?", type=Path, help="an older checkout to compare with")
    options = parser.parse_args()
    for name, start in STARTS.items():
        now = 1000 * seconds(HERE, start)
        line = f"{name:<24} now {now:6.2f} ms a move"
        if options.old:
            before = 1000 * seconds(options.old, start)
            line += f", before {before:6.2f} ms, ratio {before / now:.1f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
