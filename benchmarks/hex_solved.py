"""How far `mcts` is from the truth in positions of Hex whose winner is proven.

python benchmarks/hex_solved.py [--seconds 0.1,1] [options of mcts, such as connections=off ...]
python benchmarks/hex_solved.py --solver --limit 5
python benchmarks/hex_solved.py --near 5 [--size 11]
python benchmarks/hex_solved.py --network
python benchmarks/hex_solved.py --make 200 --limit 0.5

The positions stand in ``hex_solved_9.json``: moves on 9 x 9 without the pie rule, from games of
`mcts` against itself after a first move at random, and what the seat to move scores with best play.
``--make`` adds to them until there are so many: of each game it takes the first position that the
solver proves to be won and the first that it proves to be lost, going back from the end as long as
no position takes it more than ``--limit`` seconds. So they are as early as the solver gets.

The error of a search is the distance of its best move's value from that score; by chance it would
be 0.5. Seconds are those of the processor. ``--sample`` takes so many of the positions only.
``--near`` plays so many games and prints which of their positions the solver decides, by how far
they show to be after its first nodes. ``--network`` prints what the network says of the positions
without a search, and how long a judgement takes.
"""

from __future__ import annotations

import argparse
import json
import time
import types
from pathlib import Path
from typing import Any

import numpy as np

from ludograph import hex
from ludograph.games.hex import HexPosition
from ludograph.games.hex.patterns.strengths import make_patterns
from ludograph.games.hex.solving import HexSolver, solve_position
from ludograph.games.hex.solving.background import SteppedSolver
from ludograph.games.hex.strategies import STRATEGIES, HexMcts
from ludograph.rules import compiled
from ludograph.search import pacing
from ludograph.search.mcts import SearchOptions
from ludograph.search.mcts.background_solver import FAR, NEAR, STEP
from ludograph.search.mcts.hints import judge
from ludograph.search.proof import WIN

SIZE = 9
FILE = Path(__file__).with_name("hex_solved_9.json")
SIMULATIONS = 1000
SMALL_TREE = SearchOptions(nodes=1 << 20)
NODES_OF_PROOF = 2000
REPEATED = 50
GROUPS = (NEAR, FAR, float("inf"))


def after(moves: str) -> HexPosition:
    position = hex.position(SIZE, pie=False)
    for move in moves.split():
        position.play(position.parse(move))
    return position


def some_game(rng: np.random.Generator, player: HexMcts) -> HexPosition:
    """Return the end of a game."""
    position = hex.position(SIZE, pie=False)
    position.play(int(rng.choice(position.legal_moves())))
    while not position.is_over:
        position.play(player.choose(position))
    return position


def earliest(game: HexPosition, solver: HexSolver, limit: float) -> dict[float, str]:
    """Return by their score the first positions of a game that are proven, going back."""
    moves = [game.text(move) for move in game.history]
    found = {}
    for ply in reversed(range(1, len(moves))):
        position = after(" ".join(moves[:ply]))
        solver.deadline = pacing.deadline_after(limit)
        value = solve_position(position, solver=solver, line=False).value
        if value is None:
            break
        found[float(value == WIN)] = " ".join(moves[:ply])
    return found


def add_positions(count: int, limit: float) -> None:
    """Write positions to the file until there are so many."""
    known = json.loads(FILE.read_text()) if FILE.exists() else []
    rng = np.random.default_rng(len(known))
    solver = HexSolver(SIZE)
    began = time.process_time()
    while len(known) < count:
        player = HexMcts(
            int(rng.integers(1 << 30)), sims=SIMULATIONS, tuned=SMALL_TREE, solver="off"
        )
        for score, moves in earliest(some_game(rng, player), solver, limit).items():
            one = {"moves": moves, "score": score}
            if one not in known:
                known.append(one)
        lines = ",\n".join(json.dumps(one) for one in known[:count])
        FILE.write_text(f"[\n{lines}\n]\n")
        print(f"{len(known)} positions, {time.process_time() - began:.0f} s", flush=True)


def spread(sample: int | None) -> list[tuple[int, dict[str, Any]]]:
    """Return positions with their numbers: so many of them, evenly spread, or all."""
    known = list(enumerate(json.loads(FILE.read_text())))
    return known if sample is None else known[:: max(1, len(known) // sample)][:sample]


def error_of(options: dict[str, str], seconds: float, sample: int | None) -> None:
    errors, proven = [], 0
    for number, one in spread(sample):
        position = after(one["moves"])
        player = STRATEGIES["mcts"].create({**options, "time": str(seconds)}, number)
        result = player.prepare(position).search(position.state, time=seconds)
        value = float(result.values[result.moves.tolist().index(result.move)])
        errors.append(abs((result.low.max() if result.proven else value) - one["score"]))
        proven += result.proven
    chosen = ",".join(f"{name}={value}" for name, value in options.items())
    print(
        f"mcts:{chosen or '(plain)':20} {seconds:5g} s  mean error {np.mean(errors):.3f}, wrong "
        f"side {100 * np.mean(np.array(errors) > 0.5):.0f} %, proven {proven} of {len(errors)}",
        flush=True,
    )


def solver_alone(limit: float, sample: int | None) -> None:
    """Print what the solver takes that remembers nothing of a game's later positions."""
    took = []
    for _, one in spread(sample):
        solver = HexSolver(SIZE)
        solver.deadline = pacing.deadline_after(limit)
        began = time.process_time()
        found = solve_position(after(one["moves"]), solver=solver, line=False)
        if found.value is not None:
            assert (found.value == WIN) == (one["score"] == 1.0)
            took.append(time.process_time() - began)
    print(
        f"the solver alone, at most {limit:g} s: {len(took)} of {len(spread(sample))} proven, "
        f"median {np.median(took):.3f} s, longest {max(took):.2f} s",
        flush=True,
    )


def network_alone(sample: int | None) -> None:
    """Print how far the network is from the truth, and what a judgement takes."""
    knowledge = make_patterns(hex.position(SIZE, pie=False).setup)
    errors, took = [], []
    for _, one in spread(sample):
        position = after(one["moves"])
        moves, rewards = np.array(position.legal_moves(), np.int32), np.zeros(2)
        asked = (position.setup, knowledge, position.state, moves, np.zeros(moves.size), rewards)
        judge_often(*asked, 1)
        began = time.process_time()
        judge_often(*asked, REPEATED)
        took.append((time.process_time() - began) / REPEATED)
        errors.append(abs(rewards[position.turn] - one["score"]))
    print(
        f"the network alone: mean error {np.mean(errors):.3f}, wrong side "
        f"{100 * np.mean(np.array(errors) > 0.5):.0f} %, {1e6 * np.median(took):.0f} us",
        flush=True,
    )


@compiled
def judge_often(setup, knowledge, state, moves, likelihoods, rewards, times):
    for _ in range(times):
        judge(setup, knowledge, state, moves, likelihoods, rewards)


def by_distance(size: int, games: int, seed: int = 77) -> None:
    """Print how many positions of games are decided, by how far they show to be at first."""
    counts = {group: [0, 0] for group in GROUPS}
    rng = np.random.default_rng(seed)
    for number in range(games):
        position = hex.position(size, pie=False)
        position.play(int(rng.choice(position.legal_moves())))
        player = HexMcts(number, sims=SIMULATIONS, tuned=SMALL_TREE, solver="off")
        move = player.choose(position)
        while player.found is not None and not player.found.proven:
            stepped = SteppedSolver(position.setup)
            stepped.ask(position.state)
            if not stepped.advance(STEP):
                group = next(group for group in GROUPS if stepped.distance <= group)
                counts[group][0] += stepped.advance(NODES_OF_PROOF)
                counts[group][1] += 1
            position.play(move)
            move = player.choose(position)
    text = ", ".join(f"up to {group:g} {won} of {all_}" for group, (won, all_) in counts.items())
    print(
        f"{size} x {size}, {games} games, positions decided by {NODES_OF_PROOF} nodes, by the "
        f"lesser proof number after {STEP}: {text}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("options", nargs="*", default=["", "connections=off"])
    parser.add_argument("--seconds", default="0.1,1")
    parser.add_argument("--make", type=int, default=0)
    parser.add_argument("--limit", type=float, default=0.5)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--solver", action="store_true")
    parser.add_argument("--near", type=int, help="games whose positions are sorted by distance")
    parser.add_argument("--network", action="store_true")
    parser.add_argument("--size", type=int, default=SIZE, help="of their board")
    options = parser.parse_args()
    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)
    if options.make:
        add_positions(options.make, options.limit)
        return
    if options.near:
        by_distance(options.size, options.near)
        return
    if options.network:
        network_alone(options.sample)
        return
    if options.solver:
        solver_alone(options.limit, options.sample)
        return
    for seconds in map(float, options.seconds.split(",")):
        for text in options.options:
            error_of(
                dict(part.split("=") for part in text.split(",") if part), seconds, options.sample
            )


if __name__ == "__main__":
    main()
