"""Plies per second of a loop in Python, on one core: our positions beside OpenSpiel's states.

    python benchmarks/python_loop.py [--seconds 0.5] [--repeat 5]

Both play the middle one of the legal moves of Hex 11 x 11 to the end of the game (`loop`), and copy
the start and play a move on the copy (`copy`); they take turns, and medians of processor time are
compared. OpenSpiel (`pip install ludograph[bench]`) is C++ behind pybind11. For the other games
only our figures are printed: OpenSpiel does not have them on these boards.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

from measure import in_turns

import ludograph

GAMES = {"hex": {"size": 11}, "flood": {}, "penguins": {}, "carcassonne": {}, "amazons": {}}


def loop(start: ludograph.Position) -> int:
    """Play a game; return its plies."""
    position, plies = start.copy(), 0
    while not position.is_over:
        moves = position.legal_moves()
        position.play(moves[len(moves) // 2])
        plies += 1
    return plies


def copies(start: ludograph.Position, move: int) -> int:
    """Play a move on a hundred copies."""
    for _ in range(100):
        start.copy().play(move)
    return 100


def loop_there(state) -> int:
    """Play a game in OpenSpiel; return its plies."""
    state, plies = state.clone(), 0
    while not state.is_terminal():
        moves = state.legal_actions()
        state.apply_action(moves[len(moves) // 2])
        plies += 1
    return plies


def copies_there(state, move: int) -> int:
    """Play a move on a hundred copies in OpenSpiel."""
    for _ in range(100):
        state.clone().apply_action(move)
    return 100


def medians(runs: dict[str, Callable[[], int]], seconds: float, repeat: int) -> dict[str, float]:
    """Return plies per second of processor time; the runs take turns."""

    def rate(run: Callable[[], int]) -> float:
        run()
        began, plies = time.process_time(), 0
        while time.process_time() - began < seconds:
            plies += run()
        return plies / (time.process_time() - began)

    kinds = {name: partial(rate, run) for name, run in runs.items()}
    return {name: statistics.median(rates) for name, rates in in_turns(kinds, repeat).items()}


def main() -> None:
    """Measure, and print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    for name, settings in GAMES.items():
        start = ludograph.make(name, **settings)
        move = start.legal_moves()[0]
        runs = {"loop": partial(loop, start), "copy": partial(copies, start, move)}
        if name == "hex":
            import pyspiel

            state = pyspiel.load_game("hex(board_size=11)").new_initial_state()
            runs["loop there"] = partial(loop_there, state)
            runs["copy there"] = partial(copies_there, state, 0)
        rates = medians(runs, options.seconds, options.repeat)
        for kind in ("loop", "copy"):
            line = f"{name:12} {kind}: {rates[kind]:9,.0f} plies/s"
            if there := rates.get(f"{kind} there"):
                line += f", OpenSpiel {there:9,.0f}: ratio {rates[kind] / there:.2f}"
            print(line)


if __name__ == "__main__":
    main()
