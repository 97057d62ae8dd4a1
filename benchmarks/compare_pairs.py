"""How many pairs of games `ludograph compare` needs, and how often it errs between equal players.

    python benchmarks/compare_pairs.py [--trials 60] [--pairs 100] [--elo 20]

The results of pairs are random numbers, no games are played. Beside the mixture of sequential tests
of `compare`, a single test with the least difference is applied to the same kinds of players. The
share of wrong answers about equal players should be at most 0.05; for players of different strength
the ratio of the numbers of pairs is printed.
"""

from __future__ import annotations

import argparse
import random
import statistics

from ludograph.arena.comparison import ERROR
from ludograph.arena.sprt import MixedSprt, Sprt, SprtVerdict

CHANCES = (0.5, 0.6, 0.95)
"""The first player's chance to win a game."""


def compare(
    test: Sprt | MixedSprt, chance: float, most: int, lots: random.Random
) -> tuple[bool, int]:
    """Return whether the test decides for a player, and the number of pairs it needs."""
    counts = ([0] * 5, [0] * 5)  # of pairs by half points, for each of the players
    for pair in range(1, most + 1):
        points = 2 * sum(lots.random() < chance for _ in range(2))
        for seen, brought in zip(counts, (points, 4 - points), strict=True):
            seen[brought] += 1
        if any(test.state(seen).verdict == SprtVerdict.UPPER for seen in counts):
            return True, pair
    return False, most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=60)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--elo", type=float, default=20.0)
    options = parser.parse_args()
    tests = {
        "single": Sprt(0, options.elo, ERROR, ERROR),
        "mixture": MixedSprt.from_difference(options.elo, ERROR),
    }
    for chance in CHANCES:
        pairs = {}
        for name, test in tests.items():
            lots = random.Random(1)
            found = [compare(test, chance, options.pairs, lots) for _ in range(options.trials)]
            pairs[name] = statistics.mean(used for _, used in found)
            decided = statistics.mean(better for better, _ in found)
            print(f"chance {chance}, {name}: {decided:.3f} decided, {pairs[name]:.1f} pairs")
        print(f"chance {chance}: single / mixture {pairs['single'] / pairs['mixture']:.1f} pairs")


if __name__ == "__main__":
    main()
