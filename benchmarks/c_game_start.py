"""What a game of two C players costs beyond its moves: at most half of a new interpreter's start.

    python benchmarks/c_game_start.py [--games 20] [--busy 0]

Both players pass at once, so a game is only the start and the end of two processes. A fork server
forks the hosts; it lives for all games (warm), or is started for each game (cold). Both kinds take
turns in one run. ``--busy`` sets the number of other processes that use the processor meanwhile.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from measure import (
    busy_loops,
    compiled_player,
    in_turns,
    machine,
    seconds_with_a_new_server,
    seconds_without_moves,
)

LIMIT = 0.5
"""The largest ratio of the times of a warm and a cold game."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument(
        "--busy", type=int, default=0, help="other processes that use the processor"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        player = compiled_player(Path(folder), "passer")
        ways = {
            "cold": lambda: seconds_with_a_new_server(player),
            "warm": lambda: seconds_without_moves(player),
        }
        in_turns(ways, 1)  # compiles the rules, starts the fork server
        with busy_loops(arguments.busy):
            times = in_turns(ways, arguments.games)
    print(f"{arguments.games} games of each kind, {arguments.busy} other busy processes, ", end="")
    print(f"{machine()}\n")
    print(f"{'':6}{'median':>10}{'least':>10}{'most':>10}   ms for a game without its moves")
    for way, found in times.items():
        numbers = (statistics.median(found), min(found), max(found))
        print(f"{way:6}" + "".join(f"{1e3 * number:10.1f}" for number in numbers))
    ratio = statistics.median(times["warm"]) / statistics.median(times["cold"])
    print(f"\nwarm / cold: {ratio:.2f} (at most {LIMIT})")
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
