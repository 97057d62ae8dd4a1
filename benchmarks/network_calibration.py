"""How right the values of Hex are that the shipped network and `mcts` give: the solver knows.

    python benchmarks/network_calibration.py [--sample 50] [--sims 100] [--seconds 1]
        [--weights my.npz ...]
    python benchmarks/network_calibration.py --make 70 --size 11 [--limit 2]

The positions stand in ``network_calibration.json``: moves without the pie rule, and what the seat
to move scores with best play. ``--make`` adds to them until there are so many of a size: it plays
games of `mcts` without the solver from near-even first stones up to where connections prove who
wins, and draws two of the plies before; the first of both comes at least four plies before the
other. The exact solver gets ``--limit`` seconds of processor time for each. What it does not
prove is left out, which is common early in a game; the number is printed.

Each judge gives the seat to move a value from 0, lost, to 1, won. It is on the wrong side if the
seat wins and the value is below 0.5, or the reverse. The error is the distance from the true score:
0.5 in the mean for a judge that always says 0.5. Behind both stand intervals of 95 %.

`net` and `mcts` alone are the networks before any search; the searches of simulations run without
the solver. With ``--seconds`` a last judge is `mcts` as it plays, for this processor time, with the
solver beside its search. The last line of a judge is about its values with another scale and
offset, those with the least squared error on the other half of the positions.
"""

from __future__ import annotations

import argparse
import json
import time
import types
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from hex_late import after, decided_game, interval, truth

from ludograph.games.hex import HexPosition
from ludograph.games.hex.patterns.strengths import make_patterns
from ludograph.games.hex.solving import HexSolver
from ludograph.games.hex.strategies import STRATEGIES
from ludograph.search import pacing
from ludograph.search.mcts.hints import judge

FILE = Path(__file__).with_name("network_calibration.json")
APART = 4
"""Plies between two positions of a game, at least."""

Judge = Callable[[HexPosition, int], float]
"""What the seat to move scores; the number is a seed."""


def known_positions() -> list[dict]:
    return json.loads(FILE.read_text()) if FILE.exists() else []


def add_positions(count: int, size: int, limit: float, first_seed: int) -> None:
    """Add positions of a size to those that are known, until there are so many."""
    known = known_positions()
    have = sum(one["size"] == size for one in known)
    seed, asked = first_seed + 10_000 * size + have, 0
    while have < count:
        moves = decided_game(size, seed)
        rng = np.random.default_rng(seed)
        seed += 1
        if len(moves) < 2 * APART:
            continue
        early, late = sorted(rng.integers(2, len(moves), 2).tolist())
        for plies in (early, late) if late - early >= APART else (late,):
            text = " ".join(moves[:plies])
            score = truth(after(size, text), HexSolver(size), limit)
            asked += 1
            if score is not None and have < count:
                have += 1
                known.append({"size": size, "moves": text, "score": score})
        lines = ",\n".join(json.dumps(one) for one in known)
        FILE.write_text(f"[\n{lines}\n]\n")
    print(f"{size} x {size}: {have} positions, {asked} asked", flush=True)


def searching(strategy: str, **options: str) -> Judge:
    """Return what says the value that a player of a strategy has found."""

    def value(position: HexPosition, seed: int) -> float:
        player = STRATEGIES[strategy].create(options, seed)
        player.choose(position)
        return float(player.thoughts().value)

    return value


def own_network_of_mcts(position: HexPosition, _: int) -> float:
    """Return the value that the network of `mcts` gives before any search."""
    moves = np.array(position.legal_moves(), np.int32)
    rewards = np.zeros(2)
    knowledge = make_patterns(position.setup)
    judge(position.setup, knowledge, position.state, moves, np.zeros(moves.size), rewards)
    return float(rewards[position.turn])


def judges(sims: int, seconds: float | None, weights: Sequence[str]) -> dict[str, Judge]:
    """Return all judges by name; ``weights`` are files of more networks for `net`."""
    found = {}
    for name, options in (
        ("net", {}),
        *((f"net:weights={file}", {"weights": file}) for file in weights),
    ):
        found[name] = searching("net", **options, sims="0")
        found[f"{name}, {sims} simulations"] = searching("net", **options, sims=str(sims))
    found["mcts"] = own_network_of_mcts
    found[f"mcts, {sims} simulations"] = searching("mcts", sims=str(sims), solver="off")
    if seconds is not None:
        found[f"mcts with solver, {seconds:g} s"] = searching("mcts", time=str(seconds))
    return found


def refitted(values: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Return values with the scale and the offset that fit the other half of the positions best.

    Halves are made of blocks of ten, because neighboring positions come from one game.
    """
    inside = np.arctanh(np.clip(2 * values - 1, -0.999, 0.999))
    is_first = np.arange(values.size) // 10 % 2 == 0
    found = np.empty_like(values)
    for own in (is_first, ~is_first):
        candidates = [
            0.5 + 0.5 * np.tanh(scale * inside + offset)
            for scale in np.linspace(0.0, 3.0, 61)
            for offset in np.linspace(-1.0, 1.0, 41)
        ]
        best = min(candidates, key=lambda each: float(((each - scores)[~own] ** 2).mean()))
        found[own] = best[own]
    return found


def report(name: str, values: np.ndarray, scores: np.ndarray, sizes: np.ndarray) -> None:
    """Print a line about a judge, and one for each size of board, if ``sizes`` are given."""
    each_size = [(f"  {n} x {n}", sizes == n) for n in sorted(set(sizes))]
    for text, rows in ((name, np.ones(values.size, bool)), *each_size):
        errors = np.abs(values - scores)[rows]
        wrong, count = int((errors > 0.5).sum()), errors.size
        spread = 1.96 * errors.std() / count**0.5
        lost, won = values[rows & (scores == 0.0)], values[rows & (scores == 1.0)]
        print(
            f"{text:<28} {count:>4} positions: wrong side {100 * wrong / count:4.1f} % "
            f"({interval(wrong, count)}), mean error {errors.mean():.3f} ± {spread:.3f}, "
            f"mean value {lost.mean():.2f} where lost, {won.mean():.2f} where won",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--make", type=int, default=0)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--limit", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=0, help="of the first game, with --make")
    parser.add_argument("--sample", type=int, help="of the positions, the same each time")
    parser.add_argument("--sims", type=int, default=100)
    parser.add_argument("--seconds", type=float, help="of `mcts` as it plays")
    parser.add_argument("--weights", nargs="*", default=(), help="files of more networks")
    options = parser.parse_args()
    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)
    if options.make:
        add_positions(options.make, options.size, options.limit, options.seed)
        return
    known = known_positions()
    if options.sample is not None:
        known = [known[n] for n in np.random.default_rng(0).permutation(len(known))]
        known = known[: options.sample]
    scores, sizes = (np.array([one[name] for one in known]) for name in ("score", "size"))
    for name, value in judges(options.sims, options.seconds, options.weights).items():
        found = [value(after(one["size"], one["moves"]), n) for n, one in enumerate(known)]
        report(name, np.array(found), scores, sizes)
        fitted = refitted(np.array(found), scores)
        report("  refitted", fitted, scores, np.zeros(0))


if __name__ == "__main__":
    main()
