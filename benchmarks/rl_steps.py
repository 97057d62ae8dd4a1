"""Steps of environments per second, beside other libraries: with and without observations.

    python benchmarks/rl_steps.py [--games 1024] [--steps 60]

Actions are random legal ones, or those of a policy of one matrix; the runs of all kinds take turns.
Rates are medians: by processor time, which is the work on one core, and by the clock, where two
threads help. Without observations the kernels alone play the same games; pgx's compiler leaves out
observations that nobody reads. The policy reads 484 numbers of an observation of Hex in each
library, the size of pgx's observation. NumPy multiplies matrices in one thread: a second one would
wait, and its waiting would count as processor time. Peers are measured if they are installed (``pip
install open_spiel 'pettingzoo[classic]' pgx``); otherwise they are only named.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy reads it when it is imported

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.measure import both_rates
from ludograph import rl
from ludograph.rl import kernels
from ludograph.rl.vector_env import EnvBlock

GAMES = {
    "hex 11 x 11": ("hex", {"board": 11}),
    "flood 14 x 14": ("flood", {"board": 14}),
    "penguins 60 tiles": ("penguins", {}),
    "amazons 6 x 6": ("amazons", {"board": 6}),
    "carcassonne": ("carcassonne", {}),
}

READ = 11 * 11 * 4
"""Numbers of an observation that the policy reads."""

Run = Callable[[], int]
"""Plays some steps and returns their number."""


def ours(game: str, games: int, steps: int, **options: object) -> Run:
    env = rl.vector(game, games, **options)
    env.reset(seed=1)

    def run() -> int:
        for _ in range(steps):
            env.step(env.sample())
        return games * steps

    return run


def unseen(games: int, steps: int, threads: int = 1) -> Run:
    """Return a run of Hex without observations."""
    env = rl.vector("hex", games, board=11, threads=threads)
    env.reset(seed=1)

    def play(block: EnvBlock) -> None:
        rows, found = block.rows, env.results
        games = (block.start.setup, block.states, env.rngs[rows])
        kernels.sample_all(*games, env.codes[rows])
        found.ended[rows] = 0
        kernels.step_all(
            *(*games, env.learners[rows], False, env.codes[rows], found.rewards[rows]),
            *(found.scores[rows], found.ended[rows], found.lengths[rows], np.empty(env.seats)),
        )
        kernels.begin_all(*games, env.learners[rows], False, found.ended[rows])

    def run() -> int:
        for _ in range(steps):
            env.threads.run(play, env.blocks)
        return games * steps

    return run


def by_policy(games: int, steps: int, threads: int = 1) -> Run:
    """Return a run in which a policy of one matrix chooses the moves of Hex."""
    env = rl.vector("hex", games, board=11, threads=threads)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(READ, env.single_action_space.n)).astype(np.float32)

    def run() -> int:
        for _ in range(steps):
            found = env.observer.arrays
            scores = found["vertices"].reshape(games, -1)[:, :READ] @ weights
            env.step(np.where(found["action_mask"] == 1, scores, -np.inf).argmax(axis=1))
        return games * steps

    return run


def openspiel(games: int, steps: int, *, policy: bool = False) -> Run:
    from open_spiel.python import rl_environment
    from open_spiel.python.vector_env import SyncVectorEnv

    class Output:
        def __init__(self, action: int) -> None:
            self.action = action

    made = [rl_environment.Environment("hex", board_size=11) for _ in range(games)]
    env = SyncVectorEnv(made)
    rng = np.random.default_rng(1)
    seen = env.reset()
    weights = rng.normal(size=(READ, made[0].action_spec()["num_actions"])).astype(np.float32)

    def run() -> int:
        nonlocal seen
        for _ in range(steps):
            outputs = []
            seats = [each.observations["current_player"] for each in seen]
            if policy:
                pairs = zip(seen, seats, strict=True)
                features = [each.observations["info_state"][seat][:READ] for each, seat in pairs]
                scores = np.array(features, np.float32) @ weights
            for game, (each, seat) in enumerate(zip(seen, seats, strict=True)):
                legal = each.observations["legal_actions"][seat]
                place = scores[game, legal].argmax() if policy else rng.integers(len(legal))
                outputs.append(Output(int(legal[place])))
            seen = env.step(outputs, reset_if_done=True)[0]
        return games * steps

    return run


def connect_four(_: int, steps: int, *, policy: bool = False) -> Run:
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(84, 7)).astype(np.float32)

    def choose(seen: dict[str, npt.NDArray[np.int8]]) -> int:
        if policy:
            scores = seen["observation"].reshape(-1) @ weights
            return int(np.where(seen["action_mask"] == 1, scores, -np.inf).argmax())
        return int(rng.choice(np.flatnonzero(seen["action_mask"])))

    def run() -> int:
        done = 0
        while done < 50 * steps:
            env.reset()
            for _ in env.agent_iter():
                seen, _, ended, cut, _ = env.last()
                env.step(None if ended or cut else choose(seen))
                done += 1
        return done

    return run


def pgx(games: int, steps: int, *, policy: bool = False, observed: bool = True) -> Run:
    import jax
    import pgx as library

    made = library.make("hex")  # 11 x 11
    begin = jax.jit(jax.vmap(made.init))
    weights = jax.random.normal(jax.random.PRNGKey(2), (READ, 11 * 11 + 1))

    def step(state, key):  # of the library's types
        scores = jax.random.gumbel(key, state.legal_action_mask.shape)
        if policy:
            scores = state.observation.reshape(-1) @ weights
        action = jax.numpy.where(state.legal_action_mask, scores, -jax.numpy.inf).argmax()
        after = made.step(state, action)
        return after if observed else after.replace(observation=state.observation)

    play = jax.jit(jax.vmap(step))
    key = jax.random.PRNGKey(1)
    state = begin(jax.random.split(key, games))

    def run() -> int:
        nonlocal key, state
        for _ in range(steps):
            key, fresh = jax.random.split(key)
            state = play(state, jax.random.split(fresh, games))
            if bool(state.terminated.all()):
                state = begin(jax.random.split(fresh, games))
        jax.block_until_ready(state.legal_action_mask)
        return games * steps

    return run


SEEN, UNSEEN, POLICY = "hex 11 x 11", "hex 11 x 11, not observed", "hex 11 x 11, policy"

PEERS: dict[str, tuple[Callable[..., Run], dict[str, bool], str]] = {
    "OpenSpiel's vector environment, hex 11 x 11": (openspiel, {}, SEEN),
    "OpenSpiel's vector environment, hex 11 x 11, policy": (openspiel, {"policy": True}, POLICY),
    "PettingZoo's connect four": (connect_four, {}, SEEN),
    "PettingZoo's connect four, policy": (connect_four, {"policy": True}, POLICY),
    "pgx on this processor, hex 11 x 11": (pgx, {}, SEEN),
    "pgx on this processor, hex 11 x 11, not observed": (pgx, {"observed": False}, UNSEEN),
    "pgx on this processor, hex 11 x 11, policy": (pgx, {"policy": True}, POLICY),
}
"""For each peer: how it is made, and the run of ours that it is compared with."""


def our_runs(games: int, steps: int) -> dict[str, Run]:
    runs = {title: ours(game, games, steps, **made) for title, (game, made) in GAMES.items()}
    runs["hex 11 x 11, what moves touch too"] = ours("hex", games, steps, board=11, touches=True)
    runs[UNSEEN] = unseen(games, steps)
    runs[POLICY] = by_policy(games, steps)
    runs[f"{SEEN}, 2 threads"] = ours("hex", games, steps, board=11, threads=2)
    runs[f"{UNSEEN}, 2 threads"] = unseen(games, steps, threads=2)
    runs[f"{POLICY}, 2 threads"] = by_policy(games, steps, threads=2)
    return runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    runs = our_runs(options.games, options.steps)
    for name, (make, settings, _) in PEERS.items():
        try:
            games = 64 if make is openspiel else options.games
            runs[name] = make(games, options.steps, **settings)
        except ImportError as error:
            print(f"{name}: not measured ({error})")
    found = both_rates(runs, options.repeats)
    print(
        "steps a second of processor time | of the clock | how many times as fast we are, by each"
    )
    for name, (processor, clock) in found.items():
        ratio = ""
        if name in PEERS:
            own = PEERS[name][2]
            ratio = f" | {found[own].processor / processor:.1f}, {found[own].clock / clock:.1f}"
            ratio += f", with 2 threads {found[f'{own}, 2 threads'].clock / clock:.1f}"
        print(f"{name}: {processor:,.0f} | {clock:,.0f}{ratio}")


if __name__ == "__main__":
    main()
