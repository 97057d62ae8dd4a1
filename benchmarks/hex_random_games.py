"""Random games of Hex per second, move by move on the general graph, on one core, by board size.

    python benchmarks/hex_random_games.py [--sizes 5,7,9,11,13,19] [--seconds 0.3]
        [--older CHECKOUT]

The peer is OpenSpiel's C++ (`pip install ludograph[bench]`), whose rollout evaluator plays the
games without Python; both take turns, and the medians are compared.

With ``--older`` only the games of an older checkout (``git worktree add ../older <commit>``) and of
this one are compared, by processor time: both take turns, and the medians are compared.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

import numpy as np

from ludograph import hex, rules

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import median_rates, processor_rate, report
from benchmarks.random_play import play_out, play_uniform
from benchmarks.versions import add_older, tell_rates

PLIES = 1_000_000
"""About this number is played in a run that is compared with an older checkout's."""


def peer(size: int):
    """Return a function that plays a number of games in OpenSpiel; None if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(f"hex(board_size={size})")
    state = game.new_initial_state()

    def run(games: int) -> None:
        # One simulation of the search makes this number of rollouts from the root, in one call.
        evaluator = pyspiel.RandomRolloutEvaluator(games, 1)
        pyspiel.MCTSBot(game, evaluator, 1.4, 1, 10, False, 1, False).step(state)

    return run


def rates(sizes: list[int]) -> dict[str, float]:
    """Random games per second of processor time."""
    found = {}
    for size in sizes:
        position = hex.position(size, pie=False)
        setup, state, rng = position.setup, position.state.copy(), rules.random_state(1)
        found[f"{size} x {size}, step by step"] = processor_rate(
            lambda n, s=setup, t=state, r=rng: play_uniform(s, t, r, n), PLIES // size**2
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="5,7,9,11,13,19")
    parser.add_argument("--seconds", type=float, default=0.2, help="per run, about")
    parser.add_argument("--repeat", type=int, default=5, help="runs, of which the median counts")
    add_older(parser)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    if tell_rates(options, partial(rates, sizes), __file__, ["--sizes", options.sizes]):
        return
    print("Hex without the pie rule, one core; the peer is OpenSpiel's C++")
    for size in sizes:
        position = hex.position(size, pie=False)
        setup, state = position.setup, position.state.copy()
        rng, out = rules.random_state(1), np.zeros(2)
        kinds = {
            "step by step": lambda games, s=setup, t=state, r=rng: play_uniform(s, t, r, games),
            "playouts": lambda games, s=setup, t=state, r=rng, o=out: play_out(s, t, r, o, games),
        }
        other = peer(size)
        if other is not None:
            kinds["OpenSpiel"] = other
        probes = dict.fromkeys(kinds, 100)
        medians = median_rates(kinds, probes, options.seconds, options.repeat)
        for name in ("step by step", "playouts"):
            report(f"{size} x {size}, {name}", medians[name], medians.get("OpenSpiel"))


if __name__ == "__main__":
    main()
