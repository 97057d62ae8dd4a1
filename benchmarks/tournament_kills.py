"""A tournament that is killed at random instants, against the same one undisturbed.

    python benchmarks/tournament_kills.py [--kills 100] [--games 400] [--postgresql] [--workers 2]

Each run of the command gets a SIGKILL after a random time, its processes end with it, and the next
run continues the tournament. In the end both stores must contain the same games, move by move, and
the tables must be the same text. The undisturbed tournament has a file as its store and is played
by this machine. The other one may have a PostgreSQL server, or a Dask scheduler with workers, which
this program starts. It prints after how many games runs continued it; if these are few numbers, the
runs need more `--seconds` to be killed while they play.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the servers of the tests

from tests import postgresql
from tests.arena import dask

PROGRAM = (sys.executable, "-m", "ludograph")
PLAYERS = ("greedy", "random", "valid", "mcts:sims=20")
REFUSALS = 20
"""The most runs that end without a kill or a result: a server may not yet know of a kill."""


class Place(NamedTuple):
    """Where a tournament is stored, and the options of what plays it."""

    store: str
    executor: tuple[str, ...] = ("-j", "2")

    def command(self, games: int) -> list[str]:
        """Return the tournament's command line."""
        words = ["tournament", "flood", "-m", "8", "-r", str(games), "--seed", "1"]
        return [*PROGRAM, *words, "--store", self.store, *self.executor, *PLAYERS]

    def moves(self, path: Path) -> list[object]:
        """Return all games of the store: key, seed, and all moves without their times."""
        words = [*PROGRAM, "results", "games", "--store", self.store, "--export", str(path)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        found = []
        for line in path.read_text().splitlines():
            game = json.loads(line)
            seating = [seat["player"] for seat in game["seats"]]
            played = [event["move"] for event in game["record"] if "move" in event]
            found.append([game["start"], seating, game["seed"], game["sentence"], played])
        return sorted(found)


def killed(place: Place, games: int, kills: int, seconds: float) -> tuple[int, list[str], str]:
    """Play a tournament with kills.

    Returns
    -------
    The number of kills, the numbers of games after which it was continued, and the tables.
    """
    random, continued, count, refusals = Random(1), [], 0, 0
    while True:
        process = subprocess.Popen(
            place.command(games), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        if count < kills:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(random.uniform(0.1, seconds))
            process.kill()
        tables, said = process.communicate()
        continued += re.findall(r"(\d+) games? of \d+ were played before", said)
        if process.returncode == 0:
            return count, continued, tables
        if process.returncode == -SIGKILL:
            count += 1
            continue
        refusals += 1
        if refusals > REFUSALS:
            sys.exit(said)
        time.sleep(0.1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=2.0, help="the longest time of a run")
    parser.add_argument("--postgresql", action="store_true", help="the killed one is stored there")
    parser.add_argument("--workers", type=int, default=0, help="of Dask, which play the killed one")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        undisturbed, other = Place(str(folder / "one.db")), Place(str(folder / "other.db"))
        if options.postgresql:
            server = stack.enter_context(postgresql.running())
            other = other._replace(store=server.new_store())
        if options.workers:
            cluster = stack.enter_context(dask.running(options.workers))
            other = other._replace(executor=("--cluster", cluster.address))
        whole = subprocess.run(
            undisturbed.command(options.games), check=True, capture_output=True, text=True
        ).stdout
        kills, continued, tables = killed(other, options.games, options.kills, options.seconds)
        games = undisturbed.moves(folder / "one.jsonl")
        same = games == other.moves(folder / "other.jsonl")
        print(f"{len(games)} games, {kills} kills")
        print(f"continued after {', '.join(continued) or 'no'} games")
        print(f"tables {'equal' if tables == whole else 'DIFFER'}")
        print(f"games {'equal, move by move' if same else 'DIFFER'}")
    sys.exit(0 if same and tables == whole else 1)


if __name__ == "__main__":
    main()
