"""A network of Hex that learns from a teacher beside one that learns by self-play, for equal time.

    python benchmarks/teacher.py [--size 5] [--layers 4] [--seconds 120] [--teacher mcts:sims=300]
        [--anchor connex] [--pairs 20]

Both play with one thread, and learn with the same settings until a round ends after this processor
time. Then each plays pairs of games against the anchor, alone and with a search of 100 simulations.
Printed are the positions that each has learned from, the shares of points with their 95 %
intervals, and the ratio of the shares, unless self-play has none.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from ludograph import hex
from ludograph.learning.groups import choose_device
from ludograph.learning.learner import Learner
from ludograph.learning.matches import MatchSettings, measure
from ludograph.learning.settings import LearningSettings, Task
from ludograph.learning.store import RunFolder

SEARCHES = (0, 100)
"""The simulations of the network in matches."""


def learned(
    task: Task, folder: Path, seconds: float, matches: MatchSettings
) -> list[dict[str, Any]]:
    """Learn for some seconds of processor time, print the positions, and return the matches."""
    learner = Learner(task, RunFolder(folder, task.settings.to_data()))
    while learner.progress.cpu_seconds < seconds:
        learner.play_round()
    learner.write_network()
    progress = learner.progress
    kind = task.settings.teacher or "self-play"
    print(f"{kind}: {progress.positions} positions in {progress.cpu_seconds:.0f} s", flush=True)
    network = learner.folder.network
    return measure(hex, lambda seed: task.make_position(0, seed), network, matches, seats=2, seed=0)


def shown(point: dict[str, Any]) -> str:
    """Return a share of points with its interval."""
    return f"{100 * point['points']:.0f} % ({100 * point['low']:.0f} to {100 * point['high']:.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--teacher", default="mcts:sims=300")
    parser.add_argument("--anchor", default="connex")
    parser.add_argument("--pairs", type=int, default=20)
    args = parser.parse_args()
    choose_device("cpu")
    settings = LearningSettings((f"hexagonal:{args.size}",), layers=args.layers)
    task = Task("hex", lambda _, __: hex.position(args.size), settings)
    taught = replace(task, settings=replace(settings, teacher=args.teacher))
    matches = MatchSettings((args.anchor,), SEARCHES, 2 * args.pairs)
    with tempfile.TemporaryDirectory() as folder:
        results = [
            learned(each, Path(folder) / name, args.seconds, matches)
            for name, each in (("own", task), ("taught", taught))
        ]
    for own, other in zip(*results, strict=True):
        ratio = f" (x {other['points'] / own['points']:.1f})" if own["points"] else ""
        print(
            f"{own['player']} against {own['anchor']}: self-play {shown(own)}, "
            f"{args.teacher} {shown(other)}{ratio}"
        )


if __name__ == "__main__":
    main()
