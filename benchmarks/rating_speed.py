"""Ratings of 100 players from 100,000 games, from the games to the table: within a second.

    python benchmarks/rating_speed.py [--players 100] [--games 100000] [--repeat 3]

On a busy machine the threads of the linear algebra wait for each other; OPENBLAS_NUM_THREADS=1
limits it to one thread. The peer is choix, a library that fits Bradley-Terry models without draws,
first move or intervals, from arrays of wins by numbers.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import choix
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.simulated_games import SimulatedPlayers, named
from ludograph.arena import GameKey, Results, rate

LIMIT = 1.0


def games_of(players: int, count: int, seats: int) -> Results:
    """Return simulated games on 500 starts, with all rotations."""
    random = np.random.default_rng(1)
    elo = named(random.normal(0, 300, players))
    names = list(elo)
    keys = []
    for number in range(count // seats):
        table = [names[one] for one in random.choice(players, seats, replace=False)]
        for turn in range(seats):
            keys.append(GameKey(number % 500, tuple(table[turn:] + table[:turn])))
    world = SimulatedPlayers(elo, first_move=30, draws=0.2 if seats == 2 else 0)
    return Results.of(world.play(keys))


def measured(function: Callable[[], object], repeat: int) -> tuple[float, float]:
    """Return medians of wall and of processor time, in seconds."""
    times = []
    for _ in range(repeat):
        wall, cpu = time.perf_counter(), time.process_time()
        function()
        times.append((time.perf_counter() - wall, time.process_time() - cpu))
    walls, cpus = zip(*times, strict=True)
    return statistics.median(walls), statistics.median(cpus)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    games = games_of(arguments.players, arguments.games, 2)
    ours, spent = measured(lambda: rate(games), arguments.repeat)
    said = f"{arguments.players} players, {len(games):,} games"
    print(f"rate, 2 seats, {said}: {ours:.2f} s, processor {spent:.2f} s", flush=True)
    decided = games[games.ranks.max(1) > 1]
    order = np.argsort(decided.ranks, 1)
    wins = np.take_along_axis(decided.players, order, 1).tolist()
    wall, cpu = measured(lambda: choix.opt_pairwise(len(games.names), wins), 1)
    print(
        f"choix.opt_pairwise, its {len(wins):,} wins: {wall:.2f} s, processor {cpu:.2f} s; "
        f"ratio {wall / ours:.1f}",
        flush=True,
    )
    rankings = games_of(arguments.players, arguments.games, 4)
    wall, cpu = measured(lambda: rate(rankings), 1)
    print(f"rate, 4 seats, {said}: {wall:.2f} s, processor {cpu:.2f} s", flush=True)
    print(f"limit for two seats: {LIMIT:g} s of processor time")
    return int(spent > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
