"""A player of Hex as this checkout has it against the same player of an older one.

    git worktree add ../older <commit>
    python benchmarks/hex_versions.py ../older --pairs 20
    python benchmarks/hex_versions.py ../older --size 9 --player mcts:time=0.2

Each version plays in a process of its own, from its checkout's `src`. Its searches read the
processor's clock, so `time` is processor time: a busy machine slows both alike. A pair is two games
from one near-even first stone, with colors exchanged; the stones are those of `hex_strength.py`.
Printed after each pair: the games that this checkout has won, of all.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from hex_strength import first_stones

from ludograph import hex

HERE = Path(__file__).resolve().parent.parent

WORKER = """
import sys, time, types
from ludograph import hex
from ludograph.search import pacing
pacing.time = types.SimpleNamespace(perf_counter=time.process_time)
name, _, options = sys.argv[2].partition(":")
values = dict(part.split("=") for part in options.split(",") if part)
start = hex.position(int(sys.argv[1]), pie=False)
for line in sys.stdin:
    word, *moves = line.split()
    if word == "game":
        position = start.copy()
        player = hex.strategy(name).create(values, int(moves[0]))
        continue
    for move in moves[position.ply :]:
        position.play(int(move))
    print(player.choose(position.copy()), flush=True)
"""


class Version:
    """A checkout's player in a process of its own."""

    def __init__(self, checkout: Path, size: int, player: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(size), player],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        )

    def begin(self, seed: int) -> None:
        """Begin a game with a fresh player."""
        self._write(f"game {seed}")

    def move(self, moves: list[int]) -> int:
        """Return the move after some others."""
        self._write(f"moves {' '.join(map(str, moves))}")
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()


def play(versions: tuple[Version, Version], size: int, first: int, seed: int) -> bool:
    """Play a game; tell whether the first of the versions, which has the stone, wins."""
    position, moves = hex.position(size, pie=False), [first]
    position.play(first)
    for version in versions:
        version.begin(seed)
    while not position.is_over:
        moves.append(versions[position.turn or 0].move(moves))
        position.play(moves[-1])
    outcome = position.outcome()
    return outcome is not None and outcome.winner == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("older", type=Path)
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--player", default="mcts:time=0.1")
    options = parser.parse_args()
    stones = first_stones(hex.position(options.size, pie=False))
    this, older = (Version(at, options.size, options.player) for at in (HERE, options.older))
    won = 0
    for seed in range(options.seed, options.seed + options.pairs):
        first = stones[seed % len(stones)]
        won += play((this, older), options.size, first, seed)
        won += not play((older, this), options.size, first, seed)
        games = 2 * (seed + 1 - options.seed)
        print(f"{options.size} x {options.size}, {options.player}: {won} of {games}", flush=True)
    this.close()
    older.close()


if __name__ == "__main__":
    main()
