"""How `mcts` judges and plays late positions of Hex, as this checkout has it and an older one.

    git worktree add ../older <commit>
    python benchmarks/hex_late.py ../older [--size 11] [--plies 13] [--seconds 1] [--sample 20]
    python benchmarks/hex_late.py --make 40 --size 11 --plies 13 --limit 20

The positions stand in ``hex_late.json``: moves without the pie rule, what the seat to move scores
with best play, and how many plies before its end a game was taken. ``--make`` adds to them until
there are so many of a size with so many plies: it plays games of
`mcts` without the solver from near-even first stones, goes back ``--plies`` plies from where
connections first prove who wins, and asks the exact solver, for at most ``--limit`` seconds. What
that does not prove is left out; its number is printed.

Each version searches each position once, with a fresh player. Seconds are those of the processor.
Printed for each: the mean distance of the value from the true score (0.5 by chance), positions on
the wrong side of 0.5, those proven, and of the won ones in how many the move keeps the win, as the
exact solver says. Behind the first three stand intervals of 95 %.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import types
from pathlib import Path

import numpy as np
from hex_strength import first_stones, winner_by_connections

from ludograph import hex
from ludograph.games.hex import HexPosition
from ludograph.games.hex.connections.verdicts import make_workspace
from ludograph.games.hex.solving import HexSolver, solve_position
from ludograph.games.hex.strategies import STRATEGIES
from ludograph.search import pacing
from ludograph.search.proof import WIN

HERE = Path(__file__).resolve().parent.parent
FILE = Path(__file__).with_name("hex_late.json")
SIMULATIONS = "2000"
PATIENCE = 60.0
"""Seconds for the question whether a move keeps a win."""


def after(size: int, moves: str) -> HexPosition:
    position = hex.position(size, pie=False)
    for move in moves.split():
        position.play(position.parse(move))
    return position


def truth(position: HexPosition, solver: HexSolver, limit: float) -> float | None:
    """Return what the seat to move scores, or None if that takes too long."""
    solver.deadline = pacing.deadline_after(limit)
    value = solve_position(position, solver=solver, line=False).value
    return None if value is None else float(value == WIN)


def decided_game(size: int, seed: int) -> list[str]:
    """Return the moves of a game up to where connections prove who wins."""
    position = hex.position(size, pie=False)
    workspace = make_workspace(position.setup)
    stones = first_stones(position)
    position.play(stones[seed % len(stones)])
    player = STRATEGIES["mcts"].create({"sims": SIMULATIONS, "solver": "off"}, seed)
    while not position.is_over and winner_by_connections(position, workspace) is None:
        position.play(player.choose(position))
    return [position.text(move) for move in position.history]


def add_positions(count: int, size: int, plies: int, limit: float) -> None:
    known = json.loads(FILE.read_text()) if FILE.exists() else []
    have = len(positions(size, plies, None)) if known else 0
    seed, left_out = 1000 * size + 100 * plies + have, 0
    while have < count:
        moves = decided_game(size, seed)[:-plies]
        seed += 1
        score = truth(after(size, " ".join(moves)), HexSolver(size), limit)
        if score is None:
            left_out += 1
            continue
        have += 1
        known.append({"size": size, "plies": plies, "moves": " ".join(moves), "score": score})
        lines = ",\n".join(json.dumps(one) for one in known)
        FILE.write_text(f"[\n{lines}\n]\n")
        print(f"{size} x {size}: {have} positions, {left_out} left out", flush=True)


def positions(size: int, plies: int, sample: int | None) -> list[dict]:
    known = json.loads(FILE.read_text())
    return [one for one in known if (one["size"], one["plies"]) == (size, plies)][:sample]


def answer(asked: list[dict], seconds: float, options: str) -> None:
    """Print what the player of the checkout on the path finds, a line of JSON for each position."""
    values = dict(part.split("=") for part in options.split(",") if part)
    for seed, one in enumerate(asked):
        position = after(one["size"], one["moves"])
        player = STRATEGIES["mcts"].create({**values, "time": str(seconds)}, seed)
        player.prepare(position)
        began = time.process_time()
        move = player.choose(position)
        took = time.process_time() - began
        info = player.thoughts()
        print(json.dumps([info.value, info.proven, position.text(move), took]), flush=True)


def judged(name: str, asked: list[dict], found: list[list]) -> None:
    errors, kept, won, proven, took = [], 0, 0, 0, 0.0
    for one, (value, is_proven, move, seconds) in zip(asked, found, strict=True):
        size = one["size"]
        errors.append(abs(value - one["score"]))
        proven += is_proven
        took += seconds
        if one["score"] == 1.0:
            won += 1
            position = after(size, f"{one['moves']} {move}")
            kept += position.is_over or truth(position, HexSolver(size), PATIENCE) == 0.0
    wrong = np.array(errors) > 0.5
    count = len(errors)
    print(
        f"{name:>8}, {count} positions, {took / count:.2f} s each: "
        f"mean error {np.mean(errors):.3f} ± {1.96 * np.std(errors) / count**0.5:.3f}, "
        f"wrong side {wrong.sum()} ({interval(int(wrong.sum()), count)}), "
        f"proven {proven} ({interval(proven, count)}), win kept {kept} of {won}",
        flush=True,
    )


def interval(hits: int, count: int) -> str:
    """Return Wilson's interval of a proportion."""
    part, z2 = hits / count, 1.96**2
    center = (part + z2 / (2 * count)) / (1 + z2 / count)
    spread = (part * (1 - part) / count + z2 / (4 * count**2)) ** 0.5 * 1.96 / (1 + z2 / count)
    return f"{100 * max(0.0, center - spread):.0f} to {100 * min(1.0, center + spread):.0f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("older", type=Path, nargs="?")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--options", default="", help="of mcts, such as network=off,threads=2")
    parser.add_argument("--make", type=int, default=0)
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)
    if options.make:
        add_positions(options.make, options.size, options.plies, options.limit)
        return
    asked = positions(options.size, options.plies, options.sample)
    if options.answer:
        answer(asked, options.seconds, options.options)
        return
    checkouts = {"this": HERE, **({"older": options.older} if options.older else {})}
    running = {
        name: subprocess.Popen(
            [sys.executable, __file__, *sys.argv[1:], "--answer"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        )
        for name, checkout in checkouts.items()
    }
    for name, process in running.items():
        out, _ = process.communicate()
        judged(name, asked, [json.loads(line) for line in out.splitlines()])


if __name__ == "__main__":
    main()
