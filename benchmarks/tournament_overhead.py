"""What a tournament adds to the games themselves: at most 3 ms of processor time per game.

    python benchmarks/tournament_overhead.py [--games 400] [--stored 10000]

In one run, on the same starts with the same seeds, are compared

- games played by ``play_match`` alone, and the same games in a tournament of one process, whose
  records are compressed and whose results are written to a store, one transaction per game;
- a tournament of two processes and of one (on a machine with two free cores: 1.8 times as fast at
  least), and the same games without a tournament in two independent processes: the upper bound that
  the machine allows;
- ``ludograph results`` of 10,000 games in a store: the whole program, and the time of the tables in
  it; the peer is an interpreter that only imports the libraries of the program (click, NumPy,
  SQLAlchemy): the program takes 1.8 times as long at most.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from random import Random

from ludograph import boards, flood, play_match
from ludograph.arena import GameKey, cross_table, rate, standings
from ludograph.arena.executor import cores, local_executor
from ludograph.arena.finished_game import FinishedGame, SeatResult
from ludograph.arena.playing import play_plan
from ludograph.arena.store import Store
from ludograph.arena.tournament import Tournament, play_tournament
from ludograph.games.registry import game
from ludograph.players.spec import parse_player

OVERHEAD_LIMIT, SPEEDUP, RESULTS_LIMIT = 3e-3, 1.8, 1.8


def declared(games: int, *names: str) -> Tournament:
    """Return a tournament of two players on boards of 12 x 12."""
    specs = [parse_player(name, game("flood"), 2) for name in names]
    return Tournament(
        lambda _, seed: flood.position(boards.square(12), colors=6, seed=seed), specs, games=games
    )


def alone(tournament: Tournament, keys: list[GameKey]) -> None:
    """Play the games of a tournament by themselves."""
    for key in keys:
        play_match(
            tournament.start(key.start),
            [tournament.specs[name] for name in key.seating],
            seed=tournament.game_seed(key),
            chance_seed=tournament.chance_seed(key),
        )


def whole(tournament: Tournament, folder: Path, jobs: int) -> float:
    """Play a tournament; return its seconds once its processes are there."""
    path = folder / f"{time.monotonic_ns()}.db"
    executor = local_executor(play_plan, jobs, tournament.prepare)
    with executor, Store(path) as store:
        number = store.enroll(tournament.key, tournament.game, tournament.declaration)
        store.lock(number)
        began = time.perf_counter()
        play_tournament(tournament, number, store, executor)
        return time.perf_counter() - began


def overhead(games: int, folder: Path) -> float:
    """Return what a tournament adds to a game, in seconds of processor time: a median of three."""
    found = []
    for _ in range(3):
        tournament = declared(games, "greedy", "random")
        keys = tournament.schedule.remaining(())
        alone(tournament, keys[:2])
        began = time.process_time()
        alone(tournament, keys)
        between = time.process_time()
        whole(tournament, folder, 1)
        ended = time.process_time()
        bare, stored = ((b - a) / games for a, b in ((began, between), (between, ended)))
        print(f"  {1e3 * bare:.2f} ms alone, {1e3 * stored:.2f} ms in a tournament")
        found.append(stored - bare)
    return statistics.median(found)


def side_by_side(tournament: Tournament, processes: int) -> float:
    """Play the games without a tournament, a part in each process; return the seconds."""
    keys = tournament.schedule.remaining(())
    forked = multiprocessing.get_context("fork")
    parts = [
        forked.Process(target=alone, args=(tournament, keys[number::processes]))
        for number in range(processes)
    ]
    began = time.perf_counter()
    for part in parts:
        part.start()
    for part in parts:
        part.join()
    return time.perf_counter() - began


def speedup(games: int, folder: Path) -> tuple[float, float]:
    """Return the speedup of two processes over one, as medians of three runs.

    Returns
    -------
    tournament, machine
        The speedup of a tournament; that of the same games in independent processes.
    """
    found, possible = [], []
    tournament = declared(games, "greedy", "mcts:sims=200")
    alone(tournament, tournament.schedule.remaining(())[:2])
    for _ in range(3):
        one, two = (whole(tournament, folder, jobs) for jobs in (1, 2))
        print(f"  {games / one:.1f} games a second in one process, {games / two:.1f} in two")
        found.append(one / two)
        one, two = (side_by_side(tournament, processes) for processes in (1, 2))
        print(f"  {games / one:.1f} and {games / two:.1f} without a tournament")
        possible.append(one / two)
    return statistics.median(found), statistics.median(possible)


def fill(path: Path, games: int) -> None:
    """Write games of ten players to a store, with records of a usual size."""
    random = Random(1)
    names = [f"player {number}" for number in range(10)]
    record = zlib.compress(random.randbytes(2500))
    with Store(path) as store:
        declaration = {"title": "ten players", "format": "round-robin", "names": names, "seats": 2}
        number = store.enroll("key", "flood", declaration)
        for start in range(games):
            one, other = random.sample(range(10), 2)
            won = random.random() < 1 / (1 + 10 ** ((other - one) / 4))
            seats = tuple(
                SeatResult(names[player], 1 + (lost != (player == other)), 0.5, 20, 0.1)
                for lost, player in ((not won, one), (not won, other))
            )
            store.add(
                number,
                FinishedGame(
                    start=start,
                    seed=start,
                    board="square 12x12",
                    reason="finished",
                    plies=40,
                    sentence="one player wins",
                    seats=seats,
                    record=record,
                ),
            )


def tables(path: Path) -> float:
    """Return the processor time of the tables of a store: the minimum of five runs."""
    times = []
    for _ in range(5):
        began = time.process_time()
        with Store(path, must_exist=True) as store:
            games = store.played(1)
        ratings = rate(games)
        cross_table(games, [line.player for line in standings(games, (), ratings)])
        times.append(time.process_time() - began)
    return min(times)


def programs(*commands: Sequence[object]) -> list[tuple[float, float]]:
    """Return wall time and processor time of programs: the minima of nine runs that take turns."""
    found: list[list[tuple[float, float]]] = [[] for _ in commands]
    for _ in range(9):
        for command, times in zip(commands, found, strict=True):
            before, began = os.times(), time.perf_counter()
            words = [sys.executable, *map(str, command)]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            wall, after = time.perf_counter() - began, os.times()
            used = (after.children_user + after.children_system) - (
                before.children_user + before.children_system
            )
            times.append((wall, used))
    return [(min(wall for wall, _ in times), min(used for _, used in times)) for times in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--stored", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        added = overhead(options.games, folder)
        print(f"overhead {1e3 * added:.2f} ms per game (limit {1e3 * OVERHEAD_LIMIT:g} ms)")
        print(f"{cores()} cores, load {os.getloadavg()[0]:.1f}")
        ratio, possible = speedup(options.games // 8 * 2, folder)
        print(f"two processes {ratio:.2f} times as fast as one (goal {SPEEDUP}), ", end="")
        print(f"{possible:.2f} times without a tournament")
        path = folder / "stored.db"
        fill(path, options.stored)
        print(f"tables of {options.stored} games in {tables(path):.3f} s of processor time")
        (results, used), (bare, _), (version, _) = programs(
            ("-m", "ludograph", "results", "--store", path),
            ("-c", "import click, numpy, sqlalchemy"),
            ("-m", "ludograph", "--version"),
        )
        print(f"ludograph results: {results:.3f} s, {used:.2f} s of processor time")
        print(f"imports of its libraries: {bare:.3f} s; ludograph --version: {version:.3f} s")
        print(f"results / imports: {results / bare:.2f} (limit {RESULTS_LIMIT:g})")


if __name__ == "__main__":
    main()
