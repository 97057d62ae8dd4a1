"""How often one strategy of Flood beats another, over pairs of games with the seats exchanged.

python benchmarks/strength.py [--pairs 100] [--jobs 2] [minimax:time=0.1/greedy ...]

A pair is two games on one random board (12 x 12, 6 colors, random coloring). Two counts are
printed: pairs by games, in which one win each is even, and pairs by vertices, which go to whoever
holds more vertices over both games. Many boards favor one seat so much that it wins whoever sits
there; the first count shows that as even pairs, the second tells who made more of them.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial

DUELS = ["greedy/random", "minimax:time=0.1/greedy", "mcts:time=0.1/greedy"]


def play_pair(one: str, other: str, seed: int) -> tuple[float, float, int]:
    """Return the points of ``one`` in two games (0 to 2), its margin in vertices, the forfeits."""
    from ludograph import boards, flood, play_match

    position = flood.position(boards.square(12), colors=6, seed=seed)
    points, margin, forfeits = 0.0, 0.0, 0
    for seat in (0, 1):
        players = [one, other] if seat == 0 else [other, one]
        result = play_match(position, players, seed=seed)
        points += 0.5 if result.winner is None else float(result.winner == seat)
        margin += result.outcome.scores[seat] - result.outcome.scores[1 - seat]
        forfeits += len(result.faults)
    return points, margin, forfeits


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
        points = [pair[0] for pair in pairs]
        won, even = sum(p > 1 for p in points), sum(p == 1 for p in points)
        more, equal = sum(pair[1] > 0 for pair in pairs), sum(pair[1] == 0 for pair in pairs)
        count = len(pairs)
        print(
            f"{one} against {other}, {count} pairs\n"
            f"  by games     {won} won, {even} even, {count - won - even} lost; "
            f"{50 * sum(points) / count:.1f} % of the points\n"
            f"  by vertices  {more} won, {equal} even, {count - more - equal} lost; "
            f"{sum(pair[1] for pair in pairs) / 2 / count:+.1f} vertices a game\n"
            f"  forfeits     {sum(pair[2] for pair in pairs)}",
            flush=True,
        )


if __name__ == "__main__":
    main()
