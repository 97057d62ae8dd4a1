"""How right players of Hex are about positions whose winner is proven.

    python benchmarks/hex_solved.py mcts:time=0.1 mcts:time=0.1,network=off network
    python benchmarks/hex_solved.py network solver:limit=2 --positions earliest
    python benchmarks/hex_solved.py mcts:time=1 --positions late --size 11 --older ../older
    python benchmarks/hex_solved.py --make 40 --positions late --size 11 --plies 13 --limit 20

The positions stand in ``hex_solved.json``, without the pie rule, with what the seat to move scores:
in the set *earliest* the first proven positions of games on 9 x 9, in *late* those some plies
before connections decide a game, in *drawn* two plies of each game at random. ``--make`` adds to a
set until it has so many of a size: it plays games of `mcts` without the solver, goes back
``--plies`` plies, or as many as are drawn, and asks the exact solver for at most ``--limit``
seconds. What that does not prove is left out; its number is printed.

A player is a strategy, or the *network* of `mcts` without any search, or the *solver* alone. It is
on the wrong side if the seat wins and its value is below 0.5, or the reverse. The error is the
distance from the true score: 0.5 in the mean for one that always says 0.5. Behind them stand
intervals of 95 %. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measure import printed_by

from ludograph import hex
from ludograph.arena.intervals import wilson
from ludograph.games.hex import HexPosition
from ludograph.games.hex.connections.verdicts import make_workspace
from ludograph.games.hex.evaluation.patterns import make_patterns
from ludograph.games.hex.solving import HexSolver, solve_position
from ludograph.games.hex.strategies import STRATEGIES
from ludograph.search import pacing
from ludograph.search.mcts.hints import JUDGEMENT, settle, weigh
from ludograph.search.proof import WIN

FILE = Path(__file__).with_name("hex_solved.json")
SIMULATIONS = "1000"

Known = dict[str, Any]


class Found(NamedTuple):
    """What a player says: the value for the seat to move, None if open, and whether it is proven.

    A proven value that is wrong ends the benchmark.
    """

    value: float | None
    proven: bool = False


Judge = Callable[[HexPosition, int], Found]
"""Judges a position; the number is a seed."""


def after(size: int, moves: str) -> HexPosition:
    position = hex.position(size, pie=False)
    for move in moves.split():
        position.play(position.parse(move))
    return position


def truth(position: HexPosition, limit: float) -> float | None:
    """Return what the seat to move scores, or None if that takes too long."""
    solver = HexSolver(position.size)
    solver.deadline = pacing.deadline_after(limit)
    value = solve_position(position, solver=solver, line=False).value
    return None if value is None else float(value == WIN)


def network(position: HexPosition, _: int) -> Found:
    moves, rewards = np.array(position.legal_moves(), np.int32), np.zeros(2)
    knowledge = make_patterns(position.setup)
    out = np.zeros(moves.size)
    weigh(position.setup, knowledge, position.state, moves, JUDGEMENT, out, rewards)
    return Found(float(rewards[position.turn]))


def judge_of(text: str) -> Judge:
    """Return the judge of a text."""
    name, _, rest = text.partition(":")
    values = dict(part.split("=") for part in rest.split(",") if part)
    if name == "network":
        return network

    def proven(position: HexPosition, _: int) -> Found:
        value = truth(position, float(values["limit"]))
        return Found(value, value is not None)

    def searched(position: HexPosition, seed: int) -> Found:
        player = STRATEGIES[name].create(values, seed)
        player.prepare(position)
        player.choose(position)
        info = player.thoughts()
        return Found(info.value, bool(info.proven))

    return proven if name == "solver" else searched


def report(text: str, asked: list[Known]) -> None:
    """Print a line on a player."""
    judge_it, errors, proven, took = judge_of(text), [], 0, 0.0
    for seed, one in enumerate(asked):
        position = after(one["size"], one["moves"])
        began = time.process_time()
        found = judge_it(position, seed)
        took += time.process_time() - began
        if found.value is not None:
            errors.append(abs(found.value - one["score"]))
        proven += found.proven
        assert not found.proven or found.value == one["score"], one
    count, wrong = len(errors), sum(error > 0.5 for error in errors)
    sides, proofs = (
        wilson(wrong / max(1, count), max(1, count)),
        wilson(proven / len(asked), len(asked)),
    )
    spread = 1.96 * np.std(errors) / max(1, count) ** 0.5
    print(
        f"{text}, {took / len(asked):.3f} s each: mean error {np.mean(errors):.3f} ± {spread:.3f}, "
        f"wrong side {wrong} of {count} ({100 * sides.low:.0f} to {100 * sides.high:.0f} %), "
        f"proven {proven} of {len(asked)} ({100 * proofs.low:.0f} to {100 * proofs.high:.0f} %)",
        flush=True,
    )


def decided_game(size: int, seed: int) -> list[str]:
    """Return the moves of a game up to where connections prove who wins."""
    position = hex.position(size, pie=False)
    stones = position.game.solving.openings("near-even", position)
    position.play(position.parse(stones[seed % len(stones)]))
    player = STRATEGIES["mcts"].create({"sims": SIMULATIONS, "solver": "off"}, seed)
    workspace = make_workspace(position.setup)
    scores, moves = np.zeros(2), np.zeros(position.board.n, np.int32)
    while not position.is_over:
        if settle(position.setup, workspace, position.state, scores, moves)[0]:
            break
        position.play(player.choose(position))
    return [position.text(move) for move in position.history]


def add_positions(kind: str, count: int, size: int, plies: int | None, limit: float) -> None:
    """Add positions to a set until it has so many of a size."""
    known = json.loads(FILE.read_text())
    have = sum((one["set"], one["size"]) == (kind, size) for one in known)
    seed, left_out = 1000 * size + have, 0
    while have < count:
        moves = decided_game(size, seed)
        back = random.Random(seed).randrange(1, len(moves) - 1) if plies is None else plies
        text = " ".join(moves[:-back])
        seed += 1
        score = truth(after(size, text), limit)
        if score is None:
            left_out += 1
            continue
        have += 1
        known.append({"set": kind, "size": size, "moves": text, "score": score, "plies": back})
        lines = ",\n".join(json.dumps(one) for one in known)
        FILE.write_text(f"[\n{lines}\n]\n")
        print(f"{size} x {size}: {have} positions, {left_out} left out", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="*", default=["mcts:time=0.1", "network"])
    parser.add_argument("--positions", choices=("earliest", "late", "drawn"), default="earliest")
    parser.add_argument("--size", type=int, help="only those of this size")
    parser.add_argument("--sample", type=int, help="so many of them, evenly spread")
    parser.add_argument("--older", type=Path, help="a checkout to compare with")
    parser.add_argument("--make", type=int, default=0)
    parser.add_argument("--plies", type=int, help="only those so many plies before the decision")
    parser.add_argument("--limit", type=float, default=0.5)
    options = parser.parse_args()
    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)
    if options.make:
        size = options.size or 9
        add_positions(options.positions, options.make, size, options.plies, options.limit)
        return
    asked = [
        one
        for one in json.loads(FILE.read_text())
        if one["set"] == options.positions
        and options.size in (None, one["size"])
        and options.plies in (None, one.get("plies"))
    ]
    if options.sample:
        asked = asked[:: max(1, len(asked) // options.sample)][: options.sample]
    for player in options.players:
        report(player, asked)
    if options.older:
        at = sys.argv.index("--older")
        arguments = (__file__, *sys.argv[1:at], *sys.argv[at + 2 :])
        print(f"the same in {options.older}:\n{printed_by(options.older, *arguments)}", end="")


if __name__ == "__main__":
    main()
