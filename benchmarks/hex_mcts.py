"""MCTS simulations of Hex per second by board size, on one thread, beside OpenSpiel's C++.

    python benchmarks/hex_mcts.py [--sizes 5,7,9,11,13,19] [--seconds 0.5]

The search is plain UCT with one rollout a simulation from the empty board, with a new tree in each
run. The peer is OpenSpiel's MCTSBot (`pip install ludograph[openspiel]`). All kinds take turns, and
the medians are compared.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ludograph import hex
from ludograph.search.mcts import MonteCarlo, SearchOptions

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import median_rates, report


def searcher(size: int):
    """Return a function that runs a number of simulations."""
    position = hex.position(size, pie=False)
    search = MonteCarlo(position.setup, SearchOptions(seed=1))
    return lambda sims: search.search(position.state, sims=sims)


def peer(size: int):
    """Return the same for OpenSpiel; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(f"hex(board_size={size})")
    state = game.new_initial_state()

    def run(sims: int) -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, sims, 1000, False, 1, False)
        bot.step(state)

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="5,7,9,11,13,19")
    parser.add_argument("--seconds", type=float, default=0.3, help="per run, about")
    parser.add_argument("--repeat", type=int, default=5, help="runs, of which the median counts")
    options = parser.parse_args()
    print("Hex without the pie rule, plain UCT; the peer is OpenSpiel's C++ MCTSBot")
    for size in map(int, options.sizes.split(",")):
        kinds = {"ours": searcher(size)}
        other = peer(size)
        if other is not None:
            kinds["OpenSpiel"] = other
        probes = {name: 1000 if name == "OpenSpiel" else 20_000 for name in kinds}
        medians = median_rates(kinds, probes, options.seconds, options.repeat)
        report(f"{size} x {size}", medians["ours"], medians.get("OpenSpiel"))


if __name__ == "__main__":
    main()
