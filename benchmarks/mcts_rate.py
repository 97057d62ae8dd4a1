"""How many Monte-Carlo simulations a second, from the start of a game of Flood, on one core.

Beside the compiled search the very same search runs as plain Python; both grow the same tree.

    python benchmarks/mcts_rate.py --size 14 --colors 6
"""

from __future__ import annotations

import argparse
import statistics
import time

from ludograph import boards, rules
from ludograph.games.flood import flood
from ludograph.games.position import Position
from ludograph.search.mcts import MonteCarlo


def rate(position: Position, simulations: int) -> float:
    """Return simulations per second of one search."""
    search = MonteCarlo(position.setup, seed=1)
    search.search(position.state, sims=1)
    started = time.perf_counter()
    search.search(position.state, sims=simulations)
    return simulations / (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=14, help="width of the square board")
    parser.add_argument("--colors", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0, help="of the board's coloring")
    parser.add_argument("--sims", type=int, default=20_000, help="simulations per run")
    parser.add_argument("--python-sims", type=int, default=20, help="the same in plain Python")
    parser.add_argument("--repeat", type=int, default=7, help="runs, of which the median counts")
    options = parser.parse_args()
    board = boards.square(options.size)
    position = flood.position(board, colors=options.colors, seed=options.seed)
    rate(position, 100)
    # Taken in turn, so that both meet the same load of the machine.
    compiled, plain = [], []
    for _ in range(options.repeat):
        compiled.append(rate(position, options.sims))
        with rules.interpreted():
            plain.append(rate(position, options.python_sims))
    fast, slow = statistics.median(compiled), statistics.median(plain)
    print(f"flood on {board.name}, {options.colors} colors, coloring {options.seed}, one core")
    print(f"compiled      {fast:12,.0f} simulations/s  (best {max(compiled):,.0f})")
    print(f"plain Python  {slow:12,.1f} simulations/s")
    print(f"ratio         {fast / slow:12,.0f}")


if __name__ == "__main__":
    main()
