"""How long a newcomer waits: `make play` and `make test` of a fresh clone, with empty caches.

    python benchmarks/first_hour.py [--against COMMIT]

The checked-out commit is cloned, and all caches are new folders, also that of pip. The time of the
tests depends mainly on how fast a machine compiles, which differs between machines, and on one
machine from hour to hour, by more than a factor of two. Therefore one game of Flood, `mcts` against
`minimax`, with empty caches serves as a unit: nearly all of its time is compilation. The last line
is the processor time of the tests in this unit. `make play` comes last, because it starts a
background process which compiles more rules. With ``--against``, `make test` of another commit runs
first, and the ratio of both is printed. Measure on an idle machine.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
GAME = ("flood", "-q", "mcts:sims=10", "minimax:depth=1")


def timed(command: list[str], clone: Path, cache: Path) -> tuple[float, float]:
    """Return the seconds that a command takes, and those of processor time."""
    env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=clone, env=env, check=False, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(what: str, seconds: float, processor: float) -> None:
    """Print a line."""
    print(f"{what}: {seconds:.1f} s, {processor:.1f} s of processor time", flush=True)


def cloned(folder: str, name: str) -> Path:
    """Return a fresh clone of the checked-out commit."""
    clone = Path(folder) / name
    subprocess.run(["git", "clone", "-q", str(HERE), str(clone)], check=True)
    return clone


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", metavar="COMMIT", help="whose make test runs first")
    against = parser.parse_args().against
    with tempfile.TemporaryDirectory() as folder:
        clone = cloned(folder, "clone")

        def tested(what: str, clone: Path) -> tuple[float, float]:
            seconds, processor = timed(["make", "test"], clone, Path(folder) / f"cache of {what}")
            report(what, seconds, processor)
            return seconds, processor

        def one_game(cache: str) -> float:
            command = [str(clone / ".venv" / "bin" / "ludograph"), *GAME]
            seconds, processor = timed(command, clone, Path(folder) / cache)
            report("one game from nothing", seconds, processor)
            return processor

        if against:
            other = cloned(folder, "other")
            subprocess.run(["git", "checkout", "-q", against], cwd=other, check=True)
            before = tested(f"make test of {against}", other)
        seconds, tests = tested("make test", clone)
        if against:
            time_ratio, ratio = seconds / before[0], tests / before[1]
            print(f"ratio: {time_ratio:.2f} of the time, {ratio:.2f} of the processor time")
        measure = (one_game("first") + one_game("second")) / 2
        shutil.rmtree(clone / ".venv")
        report("make play", *timed(["make", "play"], clone, Path(folder) / "play"))
    print(f"make test takes {tests / measure:.1f} times the processor time of one game")


if __name__ == "__main__":
    main()
