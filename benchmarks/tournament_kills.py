"""A tournament that is killed at random instants, against the same one undisturbed.

    python benchmarks/tournament_kills.py [--kills 100] [--games 400]

Each run of the command gets a SIGKILL after a random time, its processes end with it, and the next
run continues the tournament. In the end both stores must contain the same games, move by move, and
the tables must be the same text.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

PROGRAM = (sys.executable, "-m", "ludograph")
PLAYERS = ("greedy", "random", "valid", "mcts:sims=20")


def command(store: Path, games: int) -> list[str]:
    """Return the tournament's command line."""
    words = [
        "tournament",
        "flood",
        "-m",
        "8",
        "--games",
        str(games),
        "--seed",
        "1",
        "--store",
        str(store),
    ]
    return [*PROGRAM, *words, "-j", "2", "--json", *PLAYERS]


def moves(store: Path, folder: Path) -> list[object]:
    """Return all games of a store: key, seed, and all moves without their times."""
    path = folder / f"{store.stem}.jsonl"
    words = [*PROGRAM, "played", "--store", str(store), "--export", str(path)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    found = []
    for line in path.read_text().splitlines():
        game = json.loads(line)
        seating = [seat["player"] for seat in game["seats"]]
        played = [event["move"] for event in game["record"] if "move" in event]
        found.append([game["start"], seating, game["seed"], game["sentence"], played])
    return sorted(found)


def killed(store: Path, games: int, kills: int, seconds: float) -> tuple[int, str]:
    """Play a tournament with kills; return the number of kills, and the tables."""
    random, count = Random(1), 0
    while True:
        process = subprocess.Popen(
            command(store, games), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        if count < kills:
            time.sleep(random.uniform(0.1, seconds))
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
                count += 1
        tables, _ = process.communicate()
        if process.returncode == 0:
            return count, tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=2.0, help="the longest time of a run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one, other = folder / "undisturbed.db", folder / "killed.db"
        whole = subprocess.run(
            command(one, options.games), check=True, capture_output=True, text=True
        ).stdout
        kills, tables = killed(other, options.games, options.kills, options.seconds)
        games = moves(one, folder)
        same = games == moves(other, folder)
        print(f"{len(games)} games, {kills} kills")
        print(f"tables {'equal' if tables == whole else 'DIFFER'}")
        print(f"games {'equal, move by move' if same else 'DIFFER'}")
        sys.exit(0 if same and tables == whole else 1)


if __name__ == "__main__":
    main()
