"""What a game of two players from files costs beyond its moves: the first game and later ones.

    python benchmarks/player_start.py [--games 20]

Both players pass at once, so a game is only the start and the end of two processes. Python files
and C libraries are measured; the fork server lives for all games (warm), or is started for each
game (cold). All kinds take turns in one run.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from functools import partial
from pathlib import Path

from measure import (
    compiled_player,
    in_turns,
    machine,
    seconds_with_a_new_server,
    seconds_without_moves,
)

GOALS = {"library": 10.0, "python": 20.0}
"""Milliseconds for a player."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "passer.py")
        file.write_text("def choose(position):\n    return 'pass'\n")
        kinds = {}
        for kind, player in {
            "library": compiled_player(file.parent, "passer"),
            "python": str(file),
        }.items():
            kinds[f"{kind:8}cold"] = partial(seconds_with_a_new_server, player)
            kinds[f"{kind:8}warm"] = partial(seconds_without_moves, player)
        times = in_turns(kinds, arguments.games + 1)
    print(f"{arguments.games} games of each kind, {machine()};", end="")
    print(" ms for a player of a game, without its moves\n")
    print(f"{'':16}{'first':>8}{'median':>8}{'least':>8}{'goal':>8}")
    medians = {}
    for kind, (first, *later) in times.items():
        medians[kind] = statistics.median(later)
        numbers = (500 * first, 500 * medians[kind], 500 * min(later), GOALS[kind.split()[0]])
        print(f"{kind:16}" + "".join(f"{number:8.1f}" for number in numbers))
    for kind in GOALS:
        print(f"{kind}: warm / cold {medians[f'{kind:8}warm'] / medians[f'{kind:8}cold']:.3f}")


if __name__ == "__main__":
    main()
