"""Positions per second of self-play of Hex, played by threads, by processes, and with a GPU.

    python benchmarks/self_play.py [--board 11] [--channels 32] [--layers 6] [--games 32]
        [--workers N] [--repeats 3] [--older CHECKOUT]

All kinds play the same groups of games, one group for each worker; threads and processes evaluate
positions in the network's own machine code, and play the same moves. If JAX finds a GPU, processes
also use it for evaluation; play with 168 games a group there, as learning does. The kinds take
turns after a run of each that is not counted. Rates are medians, by processor time of all processes
together, and by the clock; ratios are to threads. The weights of the network are random.

With ``--older`` this checkout is compared with an older one (``git worktree add ../older
<commit>``) instead: one thread, and an evaluator that takes no time, so that only searches and
samples count.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import Rates
from ludograph import hex
from ludograph.games.blocks import usable_cores
from ludograph.learning.device import computes_on_gpu, machine
from ludograph.learning.groups import (
    GameGroup,
    PlayGroups,
    choose_device,
    in_processes,
    in_threads,
)
from ludograph.learning.learner import shape_for, starts_of, surfaces_of
from ludograph.learning.model import exported, first_parameters
from ludograph.learning.settings import LearningSettings, Task

PLAY = """
import sys, time
import numpy as np
from ludograph import hex
from ludograph.learning.selfplay import SelfPlayOptions, play_games
board, games = map(int, sys.argv[1:])
def even(seen):
    mask = seen["action_mask"]
    return np.zeros(mask.shape, np.float32), np.zeros((len(mask), 2))
def play(count):
    starts = [hex.position(board)] * count
    return play_games(starts, even, SelfPlayOptions(opening=4.0), [1]).counts.size
play(8)
began = time.process_time()
positions = play(games)
print(positions / (time.process_time() - began))
"""


def compare(args: argparse.Namespace) -> None:
    """Print the positions per second of processor time of this checkout and an older one."""
    checkouts = {"older": args.older, "this": Path(__file__).resolve().parent.parent}
    found: dict[str, list[float]] = {name: [] for name in checkouts}
    for _ in range(args.repeats):
        for name, checkout in checkouts.items():
            output = subprocess.run(
                [sys.executable, "-c", PLAY, str(args.board), str(args.games)],
                env={**os.environ, "PYTHONPATH": str(checkout / "src")},
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            ).stdout
            found[name].append(float(output))
    older, this = (statistics.median(found[name]) for name in ("older", "this"))
    print(
        f"Hex {args.board} x {args.board}, {args.games} games, one thread, an evaluator without "
        f"work: {older:.0f} positions/s of processor time before, {this:.0f} now "
        f"(x {this / older:.2f})"
    )


def groups_of(args: argparse.Namespace) -> list[GameGroup]:
    """Return a group of games for each worker, with the network's parameters for JAX."""
    settings = LearningSettings(
        (f"hexagonal:{args.board}",), channels=args.channels, layers=args.layers
    )
    task = Task("hex", lambda _, __: hex.position(args.board), settings)
    starts = starts_of(task)
    shape, _ = shape_for(task, starts)
    parameters = first_parameters(shape, 1)
    return [
        GameGroup(
            starts=[(starts[0], args.games)],
            shape=shape,
            layers=exported(shape, parameters),
            parameters=parameters,
            surface=surfaces_of(shape, starts)[0],
            options=settings.selfplay,
            seed=(1, number),
        )
        for number in range(args.workers)
    ]


def rates_of(play_groups: PlayGroups, groups: list[GameGroup]) -> Rates:
    """Play groups; return the positions per second."""
    clock, processor = time.perf_counter(), -time.process_time()
    positions = 0
    for samples, cpu_seconds in play_groups(groups):
        positions += samples.counts.size
        processor += cpu_seconds
    processor += time.process_time()
    return Rates(positions / processor, positions / (time.perf_counter() - clock))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", type=int, default=11)
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--games", type=int, default=32, help="games of a group")
    parser.add_argument("--workers", type=int, default=usable_cores())
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--older", type=Path, help="another checkout to compare with")
    args = parser.parse_args()
    if args.older is not None:
        compare(args)
        return
    choose_device("auto")
    asking = groups_of(args)
    own = [replace(group, parameters=None) for group in asking]
    with ExitStack() as stack:
        processes = stack.enter_context(in_processes(args.workers, "auto"))
        kinds = {"threads": (in_threads(args.workers), own), "processes": (processes, own)}
        if computes_on_gpu():
            kinds["processes with a GPU"] = processes, asking
        found: dict[str, list[Rates]] = {name: [] for name in kinds}
        for repeat in range(1 + args.repeats):
            for name, (play_groups, groups) in kinds.items():
                rates = rates_of(play_groups, groups)
                if repeat:
                    found[name].append(rates)
    print(
        f"Hex {args.board} x {args.board}, {args.channels} channels, {args.layers} layers, "
        f"{args.workers} groups of {args.games} games, {machine()}"
    )
    medians = {
        name: Rates(*(statistics.median(each) for each in zip(*rates, strict=True)))
        for name, rates in found.items()
    }
    base = medians["threads"]
    for name, rates in medians.items():
        print(
            f"{name:22} {rates.processor:8.0f} positions/s of processor time "
            f"(x {rates.processor / base.processor:.2f}), {rates.clock:8.0f} by the clock "
            f"(x {rates.clock / base.clock:.2f})"
        )


if __name__ == "__main__":
    main()
