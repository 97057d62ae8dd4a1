"""What self-play of a network costs: searches, evaluations, and whole games of Hex.

    python benchmarks/self_play.py [search] [network] [games] [--board 11] [--repeats 3]
    python benchmarks/self_play.py games --older ../older

- search: simulations per second of `BatchedSearch`, with an evaluator that gives all moves the same
  probability and all positions the same value, so no network's time is in the figures. The peer
  (``tests/reference/batched_search.py``) searches one game in plain Python, with the same results.
- network: evaluations per second of a graph network on one core, of positions of random games: all
  features, values, and the logits of all moves. The kernel runs in a compiled loop, as in a search.
- games: positions per second of self-play. All kinds play the same groups of games, one group for
  each worker; threads and processes evaluate positions in the network's own machine code, and play
  the same moves. If JAX finds a GPU, processes also use it for evaluation; play with 168 games a
  group there, as learning does. Ratios are to threads.

The runs of all kinds take turns after one that is not counted. Rates are medians, by processor time
of all processes together, and by the clock. The weights of networks are random.

With ``--older`` this checkout is compared with an older one (``git worktree add ../older
<commit>``) instead: one thread, and an evaluator that takes no time, so that only searches and
samples count.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import ROOT, Rates, both_rates, chosen, in_turns, printed_by
from ludograph import Position, amazons, flood, hex, penguins, rules
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
from ludograph.rules.observer import Arrays, Observer, sizes_of
from ludograph.search import BatchedSearch
from ludograph.search.network import NetworkShape, place_network, random_layers
from ludograph.search.network.evaluator import evaluate_all
from tests.reference.batched_search import search_gumbel

POSITIONS = 64
"""Positions that a network evaluates in a run."""

GAMES = {
    "hex 11 x 11": lambda: hex.position(11),
    "flood 14 x 14": lambda: flood.position(14),
    "penguins 8 x 8": penguins.position,
    "amazons 8 x 8": lambda: amazons.position(8),
}

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

Run = Callable[[], int]
"""Does some work; returns its amount."""


def show(found: dict[str, Rates], unit: str, base: str | None = None) -> None:
    """Print rates, each with its ratios to a base."""
    for name, (processor, clock) in found.items():
        line = (
            f"{name:28} {processor:10,.0f} {unit}/s of processor time, {clock:10,.0f} by the clock"
        )
        if base is not None:
            line += (
                f" (x {processor / found[base].processor:.2f}, x {clock / found[base].clock:.2f})"
            )
        print(line, flush=True)


def even(seen: Arrays) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    mask = seen["action_mask"]
    return np.zeros(mask.shape, np.float32), np.zeros(len(mask), np.float32)


def batched(position: Position, games: int, simulations: int, threads: int) -> Run:
    search = BatchedSearch(even, simulations=simulations, threads=threads)
    positions = [position.copy() for _ in range(games)]

    def run() -> int:
        repeats = max(1, 64 // games)
        for _ in range(repeats):
            search.search(positions)
        return repeats * games * simulations

    return run


def plain_python(position: Position, simulations: int) -> Run:
    observer = Observer(position.setup, 1)

    def judge(leaf: Position) -> tuple[list[float], list[float]]:
        observer.observe(leaf.setup, leaf.state[None, :], 0)
        policy, _ = even(observer.arrays)
        return policy[0, : observer.counts[0]].tolist(), [0.0, 0.0]

    def run() -> int:
        search_gumbel(position, judge, simulations, 16, rules.random_state(1))
        return simulations

    return run


def measure_search(args: argparse.Namespace) -> None:
    position = hex.position(args.board)
    runs = {"plain Python, 1 game": plain_python(position, args.simulations)}
    for games, threads in ((1, 1), (64, 1), (64, 2), (512, 1), (512, 2)):
        name = f"games {games}, threads {threads}"
        runs[name] = batched(position, games, args.simulations, threads=threads)
    show(both_rates(runs, args.repeats), "simulations", "plain Python, 1 game")


@rules.compiled
def evaluated(network, seen, by_code, policy, values, count):
    """Evaluate positions one after the other, a number of times."""
    vertices, games, moves, kinds, ends, touched = seen
    for _ in range(count):
        evaluate_all(network, vertices, games, moves, kinds, ends, touched, by_code, policy, values)


def evaluations(start: Position, channels: int, layers: int) -> Run:
    """Return a run of a network on positions of random games."""
    dice, states = rules.random_state(1), []
    while len(states) < POSITIONS:
        position = start.copy()
        while not position.is_over and len(states) < POSITIONS:
            if not position.is_chance:
                states.append(position.state.copy())
            position.play_random(dice)
    observer = Observer(start.setup, POSITIONS, touches=True)
    observer.observe(start.setup, np.array(states), 0)
    sizes = sizes_of(start.setup)
    counts = (sizes.vertex_features, sizes.game_features, sizes.kinds)
    shape = NetworkShape(*counts, seats=2, channels=channels, layers=layers)
    network = place_network(shape, random_layers(shape, 1), start.setup, start.board)
    names = ("vertices", "game", "moves", "kinds", "ends", "touched")
    seen = tuple(observer.arrays[name] for name in names)
    policy = np.zeros((POSITIONS, observer.actions), np.float32)
    values = np.zeros((POSITIONS, 2))

    def run() -> int:
        evaluated(network, seen, observer.by_code, policy, values, 20)
        return 20 * POSITIONS

    return run


def measure_network(args: argparse.Namespace) -> None:
    runs = {name: evaluations(start(), args.channels, args.layers) for name, start in GAMES.items()}
    show(both_rates(runs, args.repeats), "evaluations")


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


def measure_games(args: argparse.Namespace) -> None:
    choose_device("auto")
    asking = groups_of(args)
    own = [replace(group, parameters=None) for group in asking]
    with ExitStack() as stack:
        processes = stack.enter_context(in_processes(args.workers, "auto"))
        kinds = {
            "threads": partial(rates_of, in_threads(args.workers), own),
            "processes": partial(rates_of, processes, own),
        }
        if computes_on_gpu():
            kinds["processes with a GPU"] = partial(rates_of, processes, asking)
        in_turns(kinds, 1)
        found = in_turns(kinds, args.repeats)
    print(
        f"Hex {args.board} x {args.board}, {args.channels} channels, {args.layers} layers, "
        f"{args.workers} groups of {args.games} games, {machine()}"
    )
    medians = {
        name: Rates(*map(statistics.median, zip(*rates, strict=True)))
        for name, rates in found.items()
    }
    show(medians, "positions", "threads")


def compare(args: argparse.Namespace) -> None:
    """Print the positions per second of processor time of an older checkout and this one."""
    arguments = ("-c", PLAY, args.board, args.games)
    kinds = {
        name: lambda place=place: float(printed_by(place, *arguments))
        for name, place in (("older", args.older), ("this", ROOT))
    }
    older, this = map(statistics.median, in_turns(kinds, args.repeats).values())
    print(
        f"Hex {args.board} x {args.board}, {args.games} games, one thread, an evaluator without "
        f"work: {older:.0f} positions/s of processor time before, {this:.0f} now "
        f"(x {this / older:.2f})"
    )


MEASURES = {"search": measure_search, "network": measure_network, "games": measure_games}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=", ".join(MEASURES))
    parser.add_argument("--board", type=int, default=11)
    parser.add_argument("--simulations", type=int, default=64, help="of the measure search")
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
    for name in chosen(parser, args.measures, MEASURES):
        MEASURES[name](args)


if __name__ == "__main__":
    main()
