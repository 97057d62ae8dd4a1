"""Steps of environments per second of processor time, on one core, beside other libraries.

Random legal actions in all of them; the runs of all kinds take turns. The peers are measured where
they are installed (``pip install open_spiel 'pettingzoo[classic]' pgx``), else named.

    python benchmarks/rl_steps.py [--games 1024] [--steps 60]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from ludograph import rl

GAMES = {
    "hex 11 x 11": ("hex", {"board": 11}),
    "flood 14 x 14": ("flood", {"board": 14}),
    "penguins 60 tiles": ("penguins", {}),
    "amazons 6 x 6": ("amazons", {"board": 6}),
    "carcassonne": ("carcassonne", {}),
}

Run = Callable[[], int]
"""Plays for a while; returns the number of steps."""


def ours(game: str, games: int, steps: int, **options: object) -> Run:
    env = rl.vector(game, games, **options)
    env.reset(seed=1)

    def run() -> int:
        for _ in range(steps):
            env.step(env.sample())
        return games * steps

    return run


def by_policy(games: int, steps: int) -> Run:
    """Return a run in which a policy of one matrix chooses the moves of Hex."""
    env = rl.vector("hex", games, board=11)
    seen, _ = env.reset(seed=1)
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(seen["vertices"][0].size, env.single_action_space.n))
    weights = weights.astype(np.float32)

    def run() -> int:
        for _ in range(steps):
            found = env.observer.arrays
            scores = found["vertices"].reshape(games, -1) @ weights
            env.step(np.where(found["action_mask"] == 1, scores, -np.inf).argmax(axis=1))
        return games * steps

    return run


def openspiel(games: int, steps: int) -> Run:
    from open_spiel.python import rl_environment
    from open_spiel.python.vector_env import SyncVectorEnv

    class Output:
        def __init__(self, action: int) -> None:
            self.action = action

    made = [rl_environment.Environment("hex", board_size=11) for _ in range(games)]
    env = SyncVectorEnv(made)
    rng = np.random.default_rng(1)
    state = {"seen": env.reset()}

    def run() -> int:
        for _ in range(steps):
            outputs = []
            for each in state["seen"]:
                seat = each.observations["current_player"]
                legal = each.observations["legal_actions"][seat]
                outputs.append(Output(int(legal[rng.integers(len(legal))])))
            state["seen"] = env.step(outputs, reset_if_done=True)[0]
        return games * steps

    return run


def connect_four(_: int, steps: int) -> Run:
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()
    rng = np.random.default_rng(1)

    def run() -> int:
        done = 0
        while done < 50 * steps:
            env.reset()
            for _ in env.agent_iter():
                seen, _, ended, cut, _ = env.last()
                legal = np.flatnonzero(seen["action_mask"])
                env.step(None if ended or cut else int(rng.choice(legal)))
                done += 1
        return done

    return run


def pgx(games: int, steps: int) -> Run:
    import jax
    import pgx as library

    made = library.make("hex")  # 11 x 11
    begin, play = jax.jit(jax.vmap(made.init)), jax.jit(jax.vmap(made.step))
    choose = jax.jit(
        jax.vmap(lambda key, mask: jax.random.categorical(key, jax.numpy.log(mask.astype(float))))
    )
    key = jax.random.PRNGKey(1)
    state = begin(jax.random.split(key, games))

    def run() -> int:
        nonlocal key, state
        for _ in range(steps):
            key, fresh = jax.random.split(key)
            actions = choose(jax.random.split(fresh, games), state.legal_action_mask)
            state = play(state, actions)
            if bool(state.terminated.all()):
                state = begin(jax.random.split(fresh, games))
        jax.block_until_ready(state.legal_action_mask)
        return games * steps

    return run


def rates(runs: dict[str, Run], repeats: int) -> dict[str, float]:
    """Return steps per second of processor time: medians of runs that take turns."""
    found: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        run()
    for _ in range(repeats):
        for name, run in runs.items():
            began = time.process_time()
            steps = run()
            found[name].append(steps / (time.process_time() - began))
    return {name: statistics.median(each) for name, each in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    runs: dict[str, Run] = {}
    for title, (game, settings) in GAMES.items():
        runs[title] = ours(game, options.games, options.steps, **settings)
    title = "hex 11 x 11"
    runs[f"{title}, what moves touch too"] = ours(
        "hex", options.games, options.steps, board=11, touches=True
    )
    runs[f"{title}, a policy of one matrix"] = by_policy(options.games, options.steps)
    peers = {
        "OpenSpiel's vector environment, hex 11 x 11": openspiel,
        "PettingZoo's connect four": connect_four,
        "pgx on this processor, hex 11 x 11": pgx,
    }
    for name, make in peers.items():
        try:
            runs[name] = make(64 if make is openspiel else options.games, options.steps)
        except ImportError as error:
            print(f"{name}: not measured ({error})")
    found = rates(runs, options.repeats)
    for name, rate in found.items():
        ratio = f", we are {found[title] / rate:.1f} times as fast" if name in peers else ""
        print(f"{name}: {rate:,.0f} steps a second{ratio}")


if __name__ == "__main__":
    main()
