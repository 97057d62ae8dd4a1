"""How often one strategy of Flood beats another, over pairs of games with the seats exchanged.

python benchmarks/strength.py [--pairs 100] [--jobs 2] [minimax:time=0.1/greedy ...]

A pair is two games on one random board; who scores more over both wins the pair. Colorings are
random, 12 x 12, 6 colors.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

DUELS = ["greedy/random", "minimax:time=0.1/greedy", "mcts:time=0.1/greedy"]


def play_pair(one: str, other: str, seed: int) -> tuple[float, int]:
    """Return the points of ``one`` in two games (0 to 2), and how many games were forfeited."""
    from ludograph import boards, flood, play_match

    position = flood.position(boards.square(12), colors=6, seed=seed)
    points, forfeits = 0.0, 0
    for seat in (0, 1):
        players = [one, other] if seat == 0 else [other, one]
        result = play_match(position, players, seed=seed)
        points += 0.5 if result.winner is None else float(result.winner == seat)
        forfeits += len(result.faults)
    return points, forfeits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("duels", nargs="*", default=DUELS)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    for duel in options.duels:
        one, _, other = duel.partition("/")
        with ProcessPoolExecutor(options.jobs) as pool:
            pairs = list(pool.map(partial(play_pair, one, other), range(options.pairs)))
        points = [pair for pair, _ in pairs]
        won = sum(p > 1 for p in points)
        even = sum(p == 1 for p in points)
        forfeits = sum(f for _, f in pairs)
        print(
            f"{one} against {other}: {won} of {options.pairs} pairs won, {even} even, "
            f"{options.pairs - won - even} lost; {100 * sum(points) / 2 / options.pairs:.1f} % of "
            f"the points; {forfeits} forfeits",
            flush=True,
        )


if __name__ == "__main__":
    main()
