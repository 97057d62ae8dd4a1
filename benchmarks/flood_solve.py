"""Boards of Flood for two solved, with and without what Flood says to the prover.

    python benchmarks/flood_solve.py --size 8 --colors 6 --boards 10

Flood gives bounds of the scores and first proof numbers (`games/flood/evaluation.py`). The same
rules under the name of a variant do without. Each board is solved twice, with an empty table, and
both verdicts must agree. Processor time of one core; the code is made before it is taken.
"""

from __future__ import annotations

import argparse
import statistics
import time

from ludograph import boards, flood, rules
from ludograph.games.flood.game import Flood
from ludograph.games.flood.rules import flood_info, flood_key
from ludograph.games.flood.setup import FloodSetup
from ludograph.search.proof import Prover, Solution

TABLE_BITS = 22


class PlainSetup(FloodSetup):
    """The Setup of Flood under a name of its own: by the same rules, without hints."""


@rules.implements(rules.info, PlainSetup)
def plain_info(setup: PlainSetup) -> rules.GameInfo:
    return flood_info(setup)


@rules.implements(rules.key, PlainSetup)
def plain_key(setup: PlainSetup, state: rules.State):
    return flood_key(setup, state)


rules.register(PlainSetup, plain_key, otherwise=FloodSetup)


class PlainFlood(Flood):
    setup_type = PlainSetup


def solve(game: Flood, size: int, colors: int, seed: int) -> tuple[float, Solution]:
    """Return the seconds of processor time of a proof, and what it has found."""
    position = game.position(boards.square(size), colors=colors, seed=seed)
    prover = Prover(position.setup, nodes=None, table_bits=TABLE_BITS)
    began = time.process_time()
    found = prover.solve(position.state)
    return time.process_time() - began, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--colors", type=int, default=6)
    parser.add_argument("--boards", type=int, default=10)
    options = parser.parse_args()
    games = {"with": flood, "without": PlainFlood()}
    for game in games.values():
        solve(game, 3, 3, 0)
    found = {
        name: [solve(game, options.size, options.colors, seed) for seed in range(options.boards)]
        for name, game in games.items()
    }
    verdicts = [[one.verdict for _, one in each] for each in found.values()]
    assert verdicts[0] == verdicts[1]
    print(f"{options.boards} boards of {options.size} x {options.size}, {options.colors} colors")
    for name, each in found.items():
        print(
            f"  {name:8} seconds {statistics.median(took for took, _ in each):9.3f} median, "
            f"{sum(took for took, _ in each):9.2f} in all;  positions "
            f"{statistics.median(one.nodes for _, one in each):11,.0f} median, "
            f"{sum(one.nodes for _, one in each):13,} in all",
            flush=True,
        )


if __name__ == "__main__":
    main()
