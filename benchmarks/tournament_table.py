"""A tournament of strategies, C players and a program, in which the order of some is known.

    python benchmarks/tournament_table.py [--games 12] [--size 7]

Ten players of Hex on near-even openings, with exchanged seats: random moves; the same search with
five numbers of simulations; circuits; two C players from the template of ``ludograph player new``,
with its evaluation of moves and without; a program in JavaScript. The tournament is played twice,
with other seeds: the searches must be ordered by their simulations, and the ratings of each player
in both halves must agree within their intervals (about one of twenty may not).
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = (sys.executable, "-m", "ludograph")
STRENGTHS = (
    "random",
    "mcts:sims=4",
    "mcts:sims=10",
    "mcts:sims=20",
    "mcts:sims=100",
    "mcts:sims=500",
)
FLAGS = ("-std=c99", "-O2", "-shared", "-fPIC")
NORMAL = 1.96


def run(folder: Path, *words: object) -> str:
    """Run the program in a folder."""
    done = subprocess.run(
        [*PROGRAM, *map(str, words)], cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def players(folder: Path) -> list[str]:
    """Write and compile the players from files; return the names of all players."""
    for name, more in (("shortest.c", ()), ("bare.c", ("--bare",)), ("program.js", ())):
        run(folder, "new-player", "hex", name, *more)
    for name in ("shortest", "bare"):
        libraries = ("-lgsl", "-lgslcblas", "-lm")
        command = ["gcc", *FLAGS, f"{name}.c", "-o", f"{name}.so", *libraries]
        subprocess.run(command, cwd=folder, check=True)
    files = ("./shortest.so", "./bare.so", "cmd: node program.js")
    return [*STRENGTHS, "resistance", *files]


def table(folder: Path, names: list[str], games: int, size: int, seed: int) -> dict[str, dict]:
    """Play a tournament, write its table, return it."""
    words = ["tournament", "hex", "--size", size, "--games", games, "--seed", seed]
    words += ["--openings", "near-even", "--clock", "10s", "--store", "store.db"]
    print(run(folder, *words, *names))
    data = json.loads(run(folder, *words, "--json", *names))
    return {player["player"]: player for player in data["players"]}


def error(player: dict) -> float:
    """Return the standard error of a rating; with one bound only, from this bound."""
    ends = [abs(player["elo"] - end) for end in (player["low"], player["high"]) if end is not None]
    return sum(ends) / len(ends) / NORMAL if ends else math.inf


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--size", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = players(folder)
        halves = [table(folder, names, options.games, options.size, seed) for seed in (0, 1000)]
    right = True
    for found in halves:
        elos = [found[name]["elo"] for name in STRENGTHS]
        right = right and elos == sorted(elos)
    forfeits = sum(sum(p["forfeits"].values()) for found in halves for p in found.values())
    one, other = halves
    apart = [
        (one[player]["elo"] - other[player]["elo"])
        / math.hypot(error(one[player]), error(other[player]))
        for player in one
    ]
    agree = sum(abs(z) <= NORMAL for z in apart)
    print(f"order of strengths {'right' if right else 'WRONG'}, {forfeits} forfeits")
    print(f"ratings of both halves agree within their intervals: {agree} of {len(apart)}")
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
