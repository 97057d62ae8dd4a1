"""Random games in bulk against a loop in Python, on one thread and on all cores.

    python benchmarks/playouts_in_bulk.py

Each line is one game: games per second of `Position.play_random` in a loop, of `random_games` and
`playouts` on one thread, and of `playouts` on all cores, with the ratio to the loop. Kernels are
compiled before; the loop plays fewer games. Times are wall-clock times, all in the same run.
"""

import argparse
import time

import ludograph
from ludograph.games.blocks import usable_cores
from ludograph.rules import random_state

CASES = (
    ("hex", {"size": 11}, 20_000),
    ("flood", {"board": "square:12"}, 10_000),
    ("penguins", {"board": "full-hexa:8"}, 10_000),
    ("carcassonne", {}, 3_000),
    ("amazons", {"board": "square:6", "queens": 2}, 3_000),
)


def loop(position: ludograph.Position, count: int) -> float:
    began = time.perf_counter()
    for game in range(count):
        copy, luck = position.copy(), random_state(1, game)
        while not copy.is_over:
            copy.play_random(luck)
    return count / (time.perf_counter() - began)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    cores = usable_cores()
    print(f"games a second{'loop':>12}{'games':>16}{'playouts':>16}{f'on {cores} threads':>18}")
    for name, options, count in CASES:
        position = ludograph.make(name, **options)
        loop(position, 2)
        ludograph.random_games(position, 2)
        ludograph.playouts(position, 2)
        base = loop(position, max(20, count // 100))
        found = (
            ludograph.random_games(position, count, threads=1),
            ludograph.playouts(position, count, threads=1),
            ludograph.playouts(position, count),
        )
        rates = [each.count / each.seconds for each in found]
        columns = "".join(f"{rate:>10.0f} {f'x{rate / base:.0f}':>6}" for rate in rates)
        print(f"{name:<14}{base:>12.0f}{columns}")


if __name__ == "__main__":
    main()
