"""What a game of two C players costs beyond its moves: at most half of a new interpreter's start.

    python benchmarks/c_game_start.py [--games 20] [--busy 0]

Both players pass at once, so a game is only the start and the end of two processes. A fork server
forks the hosts; it lives for all games (warm), or is started for each game (cold). Both kinds take
turns in one run. ``--busy`` sets the number of other processes that use the processor meanwhile.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ludograph import boards, flood, play_match
from ludograph.games import Position
from ludograph.games.flood.native import FloodLibrary
from ludograph.hosting.forkserver_client import FORK_SERVERS

LIMIT = 0.5
"""The largest ratio of the times of a warm and a cold game."""

SOURCE = """
#include "player.h"
#include <stdlib.h>
char const *get_player_name() { return "passer"; }
void initialize(size_t id, struct graph_t *graph, enum color_t *colors, struct color_set_t f[2]) {
  (void) id; (void) f;
  gsl_spmatrix_uint_free(graph->t); free(graph); free(colors);
}
struct move_t play(struct move_t previous) {
  struct move_t pass = { NO_COLOR };
  (void) previous;
  return pass;
}
void finalize() { }
"""


def passer(folder: Path) -> str:
    """Compile the player that passes and return its path."""
    return compiled(folder, "passer")


def compiled(folder: Path, name: str, source: str = SOURCE) -> str:
    """Compile a player and return its path."""
    (folder / "player.h").write_text(FloodLibrary.header)
    (folder / f"{name}.c").write_text(source)
    path = folder / f"{name}.so"
    command = ["gcc", "-std=c99", "-shared", "-fPIC", str(folder / f"{name}.c"), "-o", str(path)]
    subprocess.run(command, check=True)
    return str(path)


def seconds_of(start: Position, player: str, *, cold: bool) -> float:
    """Return the seconds of one game; a cold one starts a fork server of its own."""
    if cold:
        FORK_SERVERS.close()
    began = time.perf_counter()
    result = play_match(start, [player, player], isolation="none")
    seconds = time.perf_counter() - began
    assert (result.reason, len(result.moves)) == ("finished", 2)
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument(
        "--busy", type=int, default=0, help="other processes that use the processor"
    )
    arguments = parser.parse_args()
    start = flood.position(boards.square(12), seed=1)
    loop = [sys.executable, "-c", "while True: pass"]
    with tempfile.TemporaryDirectory() as folder:
        player = passer(Path(folder))
        ways: dict[str, Callable[[], float]] = {
            "cold": lambda: seconds_of(start, player, cold=True),
            "warm": lambda: seconds_of(start, player, cold=False),
        }
        for measure in ways.values():
            measure()  # compiles the rules, starts the fork server
        others = [subprocess.Popen(loop) for _ in range(arguments.busy)]
        try:
            times: dict[str, list[float]] = {way: [] for way in ways}
            for _ in range(arguments.games):  # in turns: the noise is the same for both
                for way, measure in ways.items():
                    times[way].append(measure())
        finally:
            for other in others:
                other.kill()
                other.wait()
    print(f"{arguments.games} games of each kind, {arguments.busy} other busy processes, ", end="")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print(f"{'':6}{'median':>10}{'least':>10}{'most':>10}   ms for a game without its moves")
    for way, found in times.items():
        numbers = (statistics.median(found), min(found), max(found))
        print(f"{way:6}" + "".join(f"{1e3 * number:10.1f}" for number in numbers))
    ratio = statistics.median(times["warm"]) / statistics.median(times["cold"])
    print(f"\nwarm / cold: {ratio:.2f} (at most {LIMIT})")
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
