"""What the referee adds to each move: at most 30 µs in its process, 200 µs to another process.

    python benchmarks/referee_overhead.py [--games 15] [--width 30]

A whole game is played first. Then players that read their moves from a list play it again under a
referee, so that nearly all of the time per move is the referee's. The cost of the rules alone
(kernels called on arrays, without Position) is subtracted.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludograph import boards, flood, play_match, rules
from ludograph.games import Position

IN_PROCESS_LIMIT, PROCESS_LIMIT = 30e-6, 200e-6

PLAYER = """
class Scripted:
    def start(self, position, seat):
        self.moves = iter(SCRIPT[seat::2])
    def play(self, moves, time_left):
        return next(self.moves)
    def finish(self, outcome):
        pass
"""


def scripted_game(width: int) -> tuple[Position, list[int]]:
    """Return a start, and the moves of a whole game from there that ends with two passes."""
    start = flood.position(boards.torus(width), colors=8, seed=1)
    position, rng, script = start.copy(), rules.random_state(5), []
    while not position.is_over:
        moves = position.legal_moves()
        colors = moves[:-1]
        move = colors[rules.random_below(rng, len(colors))] if colors else moves[-1]
        position.play(move)
        script.append(move)
    return start, script


def kernels(start: Position, script: Sequence[int]) -> float:
    """Return the seconds per move of the rules alone: legal moves, and the move."""
    setup, state = start.setup, start.state.copy()
    codes = np.empty(rules.info(setup).move_capacity, np.int32)
    began = time.perf_counter()
    for move in script:
        rules.legal_moves(setup, state, codes)
        rules.play(setup, state, move)
    return (time.perf_counter() - began) / len(script)


def bare(start: Position, script: Sequence[int]) -> float:
    """Return seconds per move of ``Position.play``, which checks the move."""
    position = start.copy()
    began = time.perf_counter()
    for move in script:
        position.play(move)
    return (time.perf_counter() - began) / len(script)


def refereed(start: Position, players: Sequence[Any], **options: Any) -> float:
    """Return seconds per move of a match, without its start and its end."""
    times: list[float] = []
    play_match(start, players, on_move=lambda *_: times.append(time.perf_counter()), **options)
    return (times[-1] - times[0]) / (len(times) - 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=15)
    parser.add_argument("--width", type=int, default=30)
    arguments = parser.parse_args()
    start, script = scripted_game(arguments.width)
    namespace: dict[str, Any] = {"SCRIPT": script}
    exec(PLAYER, namespace)
    here = [namespace["Scripted"]] * 2
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "scripted.py")
        file.write_text(f"SCRIPT = {script}\n{PLAYER}")
        away = [str(file)] * 2
        record = Path(folder, "record.jsonl")
        kinds = {
            "kernels alone": lambda: kernels(start, script),
            "Position.play alone": lambda: bare(start, script),
            "referee, in process": lambda: refereed(start, here, clock="10s"),
            "referee, in process, recording": lambda: refereed(
                start, here, clock="10s", record=record
            ),
            "referee, other processes": lambda: refereed(start, away, clock="10s"),
        }
        for measure in kinds.values():
            measure()  # compile, fill caches
        times: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(arguments.games):  # in turns: the noise is the same for all kinds
            for kind, measure in kinds.items():
                times[kind].append(measure())
    medians = {kind: statistics.median(of) for kind, of in times.items()}
    floor, plain = medians["kernels alone"], medians["Position.play alone"]
    print(f"{len(script)} moves on {start.board.name}, median of {arguments.games} games, ")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; per move:\n")
    print(f"{'':32}{'µs':>8}{'µs over kernels':>18}{'x Position.play':>18}")
    for kind, seconds in medians.items():
        over = (seconds - floor) * 1e6
        print(f"{kind:32}{seconds * 1e6:8.1f}{over:18.1f}{seconds / plain:18.1f}")
    slow = medians["referee, in process"] - floor > IN_PROCESS_LIMIT
    slow |= medians["referee, other processes"] - floor > PROCESS_LIMIT
    print("\nover the limits of 30 and 200 µs" if slow else "\nwithin the limits of 30 and 200 µs")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
