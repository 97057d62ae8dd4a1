"""Moves per second of a loop in Python, on one core: our positions beside OpenSpiel's states.

    python benchmarks/python_loop.py [--seconds 0.5] [--repeat 5]

Both play the middle one of the legal moves to the end of the game (`loop`), and copy the start and
play a move on the copy (`copy`); they take turns, and medians of processor time are compared.
OpenSpiel (`pip install ludograph[openspiel]`) is C++ behind pybind11; it has Hex 11 x 11 and
Amazons 10 x 10, where three of its actions are a move, and not the other games on these boards.
`aec` is the loop over our PettingZoo environment with its observations.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

from measure import in_turns

import ludograph
from ludograph import rl

THERE = {"hex": ("hex(board_size=11)", 1), "amazons": ("amazons", 3)}
"""Games of OpenSpiel, and their actions for a move."""

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


def steps(env) -> int:
    """Play a game in an environment; return its steps."""
    env.reset(seed=1)
    count, (seen, _, ended, _, _) = 0, env.last()
    while not ended:
        actions = seen["action_mask"].nonzero()[0]
        env.step(int(actions[len(actions) // 2]))
        count, (seen, _, ended, _, _) = count + 1, env.last()
    return count


def loop_there(state, actions: int) -> float:
    """Play a game in OpenSpiel; return its moves."""
    state, plies = state.clone(), 0
    while not state.is_terminal():
        moves = state.legal_actions()
        state.apply_action(moves[len(moves) // 2])
        plies += 1
    return plies / actions


def copies_there(state, moves: list[int]) -> int:
    """Play a move on a hundred copies in OpenSpiel."""
    for _ in range(100):
        twin = state.clone()
        for move in moves:
            twin.apply_action(move)
    return 100


def medians(runs: dict[str, Callable[[], float]], seconds: float, repeat: int) -> dict[str, float]:
    """Return moves per second of processor time; the runs take turns."""

    def rate(run: Callable[[], float]) -> float:
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
        runs["aec"] = partial(steps, rl.aec(name, **settings))
        if name in THERE:
            import pyspiel

            other, actions = THERE[name]
            state, moves = pyspiel.load_game(other).new_initial_state(), []
            runs["loop there"], after = partial(loop_there, state, actions), state.clone()
            for _ in range(actions):
                moves.append(after.legal_actions()[0])
                after.apply_action(moves[-1])
            runs["copy there"] = partial(copies_there, state, moves)
        rates = medians(runs, options.seconds, options.repeat)
        for kind in ("loop", "copy", "aec"):
            line = f"{name:12} {kind}: {rates[kind]:9,.0f} moves/s"
            if there := rates.get(f"{kind} there"):
                line += f", OpenSpiel {there:9,.0f}: ratio {rates[kind] / there:.2f}"
            print(line)


if __name__ == "__main__":
    main()
