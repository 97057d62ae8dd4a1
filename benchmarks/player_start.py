"""What a game of two players from files costs beyond its moves: the first game and later ones.

    python benchmarks/player_start.py [--games 20]

Both players pass at once, so a game is only the start and the end of two processes. Python files
and C libraries are measured; the fork server lives for all games (warm), or is started for each
game (cold). All kinds take turns in one run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from c_game_start import passer

from ludograph import boards, flood, play_match
from ludograph.hosting.forkserver_client import FORK_SERVERS

GOALS = {"library": 10.0, "python": 20.0}
"""Milliseconds for a player."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    arguments = parser.parse_args()
    start = flood.position(boards.square(12), seed=1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "passer.py").write_text("def choose(position):\n    return 'pass'\n")
        players = {"library": passer(folder), "python": str(folder / "passer.py")}
        found: dict[tuple[str, str], list[float]] = {}
        for _ in range(arguments.games + 1):
            for kind, player in players.items():
                for way in ("cold", "warm"):
                    if way == "cold":
                        FORK_SERVERS.close()
                    began = time.perf_counter()
                    result = play_match(start, [player, player], isolation="none")
                    seconds = time.perf_counter() - began
                    assert (result.reason, len(result.moves)) == ("finished", 2), result.sentence
                    found.setdefault((kind, way), []).append(500 * seconds)
    print(f"{arguments.games} games of each kind, {os.cpu_count()} cores, ", end="")
    print(f"load {os.getloadavg()[0]:.1f}; ms for a player of a game, without its moves\n")
    print(f"{'':16}{'first':>8}{'median':>8}{'least':>8}{'goal':>8}")
    for (kind, way), (first, *later) in found.items():
        numbers = (first, statistics.median(later), min(later), GOALS[kind])
        print(f"{kind:8}{way:8}" + "".join(f"{number:8.1f}" for number in numbers))
    for kind in players:
        medians = [statistics.median(found[kind, way][1:]) for way in ("warm", "cold")]
        print(f"{kind}: warm / cold {medians[0] / medians[1]:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
