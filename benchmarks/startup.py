"""Time from a command to its answer: help, a wrong option, a quiet match with a warm cache.

    python benchmarks/startup.py [--repeats 7]

Figures are medians, compared with the start of Python alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import median_seconds

COMMANDS = {
    "python -c pass": ([sys.executable, "-c", "pass"], None),
    "ludograph --help": (["--help"], 0.3),
    "ludograph --version": (["--version"], 0.3),
    "ludograph flood --help": (["flood", "--help"], 0.3),
    "a wrong option": (["flood", "--nonsense"], 0.3),
    "an unknown strategy": (["flood", "unheard-of", "greedy"], 0.3),
    "a quiet match": (["flood", "-m", "12", "-c", "6", "--quiet", "greedy", "random"], 1.5),
}


def run(arguments: list[str]) -> None:
    own = arguments[0] == sys.executable
    command = arguments if own else [sys.executable, "-m", "ludograph", *arguments]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    alone = None
    for name, (arguments, goal) in COMMANDS.items():
        run(arguments)  # warm the caches
        seconds = median_seconds(lambda arguments=arguments: run(arguments), options.repeats)
        alone = alone or seconds
        against = f"goal {goal} s, " if goal else ""
        print(
            f"{name:<28} {seconds:6.3f} s   {against}{seconds / alone:5.1f} x Python alone",
            flush=True,
        )


if __name__ == "__main__":
    main()
