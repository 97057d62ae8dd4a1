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
from pathlib import Path

from hex_strength import first_stones
from versions import HERE, Version, play

from ludograph import hex


def wins(versions: tuple[Version, Version], size: int, first: int, seed: int) -> bool:
    """Play a game; tell whether the first of the versions, which has the stone, wins."""
    start = f"hex.position({size}, pie=False)"
    outcome = play(versions, hex.position(size, pie=False), start, [first], seed).outcome()
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
    this, older = (Version(at, options.player) for at in (HERE, options.older))
    won = 0
    for seed in range(options.seed, options.seed + options.pairs):
        first = stones[seed % len(stones)]
        won += wins((this, older), options.size, first, seed)
        won += not wins((older, this), options.size, first, seed)
        games = 2 * (seed + 1 - options.seed)
        print(f"{options.size} x {options.size}, {options.player}: {won} of {games}", flush=True)
    this.close()
    older.close()


if __name__ == "__main__":
    main()
