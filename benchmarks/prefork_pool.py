"""What forking hosts ahead saves a series of C players: it stays if it is more than 15 % of a game.

The template of a C player plays Flood against itself on a board of 12 x 12, in the sandbox that a
match takes by itself. The same games are played with hosts that were forked ahead while the game
before ran, and with hosts that are forked when they are asked for; both ways take turns in every
round. In one process, and in as many as there are cores, where forking ahead takes time from games.

    python benchmarks/prefork_pool.py [--games 40] [--rounds 7] [--side 12]
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from c_game_start import compiled

from ludograph import boards, flood, play_match
from ludograph.games import Position
from ludograph.hosting import host_process

LIMIT = 1.15
"""The seconds of a game without the pool, over those with it, from which on it stays."""


class NeverAgain:
    """Fork servers to which no player is one that was there before, so that none is forked ahead.

    The pool keeps a host for a player with the same environment; here each has its own.
    """

    def __init__(self) -> None:
        self._servers = host_process.FORK_SERVERS
        self._numbers = itertools.count()

    def fork(
        self, place: tuple[str, ...], request: Mapping[str, Any], descriptors: Sequence[int]
    ) -> Any:
        """Have a host forked when it is asked for."""
        own = {**request["environment"], "NUMBER": str(next(self._numbers))}
        return self._servers.fork(place, {**request, "environment": own}, descriptors)


def play(start: Position, player: str, games: int, *, ahead: bool) -> None:
    """Play some games of a player against itself."""
    kept = host_process.FORK_SERVERS
    if not ahead:
        host_process.FORK_SERVERS = NeverAgain()
    try:
        for seed in range(games):
            result = play_match(start, [player, player], seed=seed, clock="1s")
            assert not result.faults, result.sentence
    finally:
        host_process.FORK_SERVERS = kept


def seconds_of(start: Position, player: str, games: int, processes: int, *, ahead: bool) -> float:
    """Return the seconds of a game, where each process plays as many."""
    if processes == 1:
        began = time.perf_counter()
        play(start, player, games, ahead=ahead)
        return (time.perf_counter() - began) / games
    forked = multiprocessing.get_context("fork")
    parts = [
        forked.Process(target=play, args=(start, player, games), kwargs={"ahead": ahead})
        for _ in range(processes)
    ]
    began = time.perf_counter()
    for part in parts:
        part.start()
    for part in parts:
        part.join()
    assert not any(part.exitcode for part in parts)
    return (time.perf_counter() - began) / (games * processes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--side", type=int, default=12)
    options = parser.parse_args()
    start = flood.position(boards.square(options.side), colors=6, seed=1)
    source = files("ludograph.games.flood") / "templates" / "player.c.txt"
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        player = compiled(Path(folder), "template", source.read_text().replace("@NAME@", "same"))
        for ahead in (True, False):
            play(start, player, 4, ahead=ahead)
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; ms for a game, medians of")
        print(f"{options.rounds} rounds of {options.games} games in each process\n")
        print(f"{'processes':>9}{'ahead':>10}{'on demand':>12}{'ratio':>8}")
        for processes in sorted({1, os.cpu_count() or 1}):
            found: dict[bool, list[float]] = {True: [], False: []}
            for turn in range(options.rounds):
                for ahead in (True, False) if turn % 2 else (False, True):
                    seconds = seconds_of(start, player, options.games, processes, ahead=ahead)
                    found[ahead].append(seconds)
            ratio = statistics.median(
                other / one for one, other in zip(found[True], found[False], strict=True)
            )
            ratios.append(ratio)
            medians = [1e3 * statistics.median(found[ahead]) for ahead in (True, False)]
            print(f"{processes:9}{medians[0]:10.1f}{medians[1]:12.1f}{ratio:8.2f}")
    print(f"\nstays from a ratio of {LIMIT} on: {'yes' if max(ratios) > LIMIT else 'no'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
