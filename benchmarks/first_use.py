"""Processor time of a first game, which compiles what its strategies need, and of later games.

    git worktree add ../older <commit>
    python benchmarks/first_use.py [../older] [--precompiled] [--only "penguins mcts" ...]

Every strategy plays games against ``random``, each in a process of its own; this checkout and the
older one take turns. The first game begins with an empty folder of kernels; LATER games use the
kernels of the first one. With ``--precompiled``, a copy of this checkout with machine code in the
package, as in a wheel for a platform, plays LATER first games, each with an empty folder.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from ludograph.rules.precompiled import TARGETS

LATER = 5
HERE = Path(__file__).resolve().parent.parent

JOBS = {
    "flood minimax": ("flood.position(boards.square(5), colors=4, seed=1)", "minimax:depth=2"),
    "flood mcts": ("flood.position(boards.square(5), colors=4, seed=1)", "mcts:sims=20"),
    "hex minimax": ("hex.position(4)", "minimax:depth=1"),
    "hex mcts": ("hex.position(4)", "mcts:sims=20"),
    "penguins minimax": ("penguins.position(boards.full_hexa(4), penguins=1)", "minimax:depth=1"),
    "penguins mcts": ("penguins.position(boards.full_hexa(4), penguins=1)", "mcts:sims=20"),
    "amazons mcts": ("amazons.position()", "mcts:sims=20"),
    "carcassonne expectimax": ("carcassonne.position(deck=course(8))", "expectimax:depth=1"),
    "carcassonne mcts": ("carcassonne.position(deck=course(8))", "mcts:sims=20"),
}

PROGRAM = """
from ludograph import {game}, boards, play_match
from ludograph.games.carcassonne.decks import course  # older checkouts have it there, too
result = play_match({start}, ["{player}", "random"])
assert result.reason == "finished", result.sentence
"""


def seconds(checkout: Path, start: str, player: str) -> tuple[float, float]:
    """Return the processor time of a first game in a checkout, and the median of later ones."""
    with tempfile.TemporaryDirectory() as empty:
        spent = [spent_on_game(checkout / "src", start, player, empty) for _ in range(1 + LATER)]
    return spent[0], statistics.median(spent[1:])


def precompiled_seconds(start: str, player: str) -> float:
    """Return the median processor time of first games with machine code in the package."""
    with tempfile.TemporaryDirectory() as folder:
        copy, made = Path(folder, "src"), Path(folder, "src", "ludograph", "precompiled")
        shutil.copytree(HERE / "src", copy)
        spent_on_game(copy, start, player, str(made), cpu=TARGETS[platform.machine()].name)
        return statistics.median(
            spent_on_game(copy, start, player, str(Path(folder, f"empty {number}")))
            for number in range(LATER)
        )


def spent_on_game(source: Path, start: str, player: str, kernels: str, cpu: str = "") -> float:
    """Return the processor time of one game.

    Parameters
    ----------
    kernels
        The folder of compiled kernels.
    cpu
        The processor to compile for, if not this one.
    """
    environment = {
        **os.environ,
        "PYTHONPATH": str(source),
        "LUDOGRAPH_CACHE": kernels,
        "NUMBA_CACHE_DIR": kernels,  # for checkouts with Numba's own cache
        **({"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": ""} if cpu else {}),
    }
    game = start.partition(".")[0]
    program = [sys.executable, "-c", PROGRAM.format(game=game, start=start, player=player)]
    before = used()
    subprocess.run(program, env=environment, stderr=subprocess.DEVNULL, check=True)
    return used() - before


def used() -> float:
    """Return the processor time of all ended child processes."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", nargs="?", type=Path, help="an older checkout to compare with")
    parser.add_argument(
        "--precompiled",
        action="store_true",
        help="also first games with machine code, as in a wheel",
    )
    parser.add_argument("--only", nargs="+", choices=JOBS, default=list(JOBS), metavar="JOB")
    options = parser.parse_args()
    checkouts = {"now": HERE} | ({"before": options.old} if options.old else {})
    total = {version: np.zeros(2) for version in checkouts}
    ready_total = 0.0
    for name in options.only:
        start, player = JOBS[name]
        line = f"{name:<24}"
        for version, checkout in checkouts.items():
            first, later = seconds(checkout, start, player)
            total[version] += first, later
            line += f"  {version} {first:6.1f} s, then {later:5.2f} s"
        if options.precompiled:
            ready = precompiled_seconds(start, player)
            ready_total += ready
            line += f"  precompiled {ready:5.2f} s"
        print(line, flush=True)
    if options.old:
        first, later = total["before"] / total["now"]
        print(f"before/now: {first:.2f} for first games, {later:.2f} for later ones")
    if options.precompiled:
        print(f"now/precompiled: {total['now'][0] / ready_total:.1f} for first games")


if __name__ == "__main__":
    main()
