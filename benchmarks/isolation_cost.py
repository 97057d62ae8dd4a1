"""What each level of isolation costs beside none: the start of a match at most 30 ms, a move 20 us.

Two players of files pass at once, so all of a game is the start and the end of their processes.
For the cost of a move one such player passes and passes against a built-in one. All levels take
turns in the same run. Beside that stands what the sandbox program bubblewrap would cost, were it
put around a host that starts anew: a program under it, and an interpreter with the rules loaded.

    python benchmarks/isolation_cost.py [--games 30]
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from c_game_start import passer

from ludograph import boards, flood, play_match
from ludograph.games import Position
from ludograph.players.isolation.levels import Level
from ludograph.players.isolation.trial import why_not

START_GOAL, MOVE_GOAL = 30.0, 20.0
"""Milliseconds for the start of a match of two, microseconds for a move."""

BWRAP = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]


def game_seconds(start: Position, player: str, level: Level) -> float:
    """Return the seconds of a game in which both players pass."""
    began = time.perf_counter()
    result = play_match(start, [player, player], isolation=level)
    assert (result.reason, len(result.moves)) == ("finished", 2), result.sentence
    return time.perf_counter() - began


def move_seconds(start: Position, player: str, level: Level, seed: int) -> list[float]:
    """Return the seconds of each pass of a player against one that goes on."""
    result = play_match(start, ["random", player], isolation=level, seed=seed)
    assert not result.faults, result.sentence
    return [played.seconds for played in result.moves if played.seat == 1]


def low(values: list[float]) -> float:
    """Return the first decile: on a busy machine the medians are the other processes'."""
    return statistics.quantiles(values, n=10)[0]


def program_seconds(command: list[str], repeats: int) -> float:
    """Return the median time of a program."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=30)
    arguments = parser.parse_args()
    start = flood.position(boards.square(12), seed=1)
    levels = [level for level in reversed(Level) if not why_not(level)]
    begun: dict[tuple[str, Level], list[float]] = {}
    moved: dict[tuple[str, Level], list[float]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "passer.py").write_text("def choose(position):\n    return 'pass'\n")
        players = {"C library": passer(folder), "Python": str(folder / "passer.py")}
        for game in range(arguments.games + 1):  # the first is not counted
            for kind, player in players.items():
                for level in levels:
                    seconds = game_seconds(start, player, level)
                    passes = move_seconds(start, player, level, game)
                    if game:
                        begun.setdefault((kind, level), []).append(1e3 * seconds)
                        moved.setdefault((kind, level), []).extend(1e6 * x for x in passes)
    print(f"{arguments.games} games of each kind, {os.cpu_count()} cores, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}; first deciles\n")
    print(f"{'':20}{'start of two, ms':>18}{'more':>8}{'a move, us':>14}{'more':>8}")
    worst = [0.0, 0.0]
    for kind, level in list(begun):
        both = [low(found[kind, level]) for found in (begun, moved)]
        none = [low(found[kind, Level.NONE]) for found in (begun, moved)]
        more = [value - base for value, base in zip(both, none, strict=True)]
        worst = [max(pair) for pair in zip(worst, more, strict=True)]
        print(f"{kind:12}{level:8}{both[0]:18.1f}{more[0]:+8.1f}{both[1]:14.1f}{more[1]:+8.1f}")
    print(f"\nmore than none: start {worst[0]:+.1f} ms (at most {START_GOAL:.0f}), ", end="")
    print(f"move {worst[1]:+.1f} us (at most {MOVE_GOAL:.0f})")
    if shutil.which("bwrap"):
        rules = [sys.executable, "-c", "import numba, ludograph.rules"]
        plain, wrapped = program_seconds(["true"], 9), program_seconds([*BWRAP, "true"], 9)
        fresh = program_seconds([*BWRAP, *rules], 3)
        print(
            f"\nfor a player: 'true' {1e3 * plain:.1f} ms, under bubblewrap {1e3 * wrapped:.1f} ms;"
        )
        print(f"an interpreter that loads the rules under bubblewrap {1e3 * fresh:.0f} ms")
    return int(worst[0] > START_GOAL or worst[1] > MOVE_GOAL)


if __name__ == "__main__":
    sys.exit(main())
