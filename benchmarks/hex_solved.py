"""How far `mcts` is from the truth in positions of Hex whose winner is proven.

python benchmarks/hex_solved.py [--seconds 0.1,1] [options of mcts, such as connections=off ...]
python benchmarks/hex_solved.py --make 200 --limit 4

The positions stand in ``hex_solved_9.json``: moves on 9 x 9 without the pie rule, from games of
`mcts` against itself, and what the seat to move scores with best play. None is decided by a look at
itself; each was proven by a search of `mcts` with close looks, in which every win and loss is drawn
from virtual connections. ``--make`` adds to them until there are so many, trying each position for
``--limit`` seconds: so they are such as this search can prove, and the rest of the world is harder.

The error of a search is the distance of its best move's value from that score. Seconds are those of
the processor.
"""

from __future__ import annotations

import argparse
import json
import time
import types
from pathlib import Path

import numpy as np

from ludograph import hex
from ludograph.games.hex import HexPosition
from ludograph.games.hex.strategies import STRATEGIES, HexMcts
from ludograph.search import pacing

SIZE = 9
FILE = Path(__file__).with_name("hex_solved_9.json")
PLIES = (12, 20)
NODES = 1 << 20


def after(moves: list[str]) -> HexPosition:
    position = hex.position(SIZE, pie=False)
    for move in moves:
        position.play(position.parse(move))
    return position


def some_game(rng: np.random.Generator, player: HexMcts) -> list[str]:
    """Return the first moves of a game, one of them at random."""
    while True:
        position = hex.position(SIZE, pie=False)
        for ply in range(int(rng.integers(PLIES[0], PLIES[1] + 1))):
            moves = position.legal_moves()
            position.play(int(rng.choice(moves)) if ply == 0 else player.choose(position))
            if position.is_over:
                break
        else:
            return [position.text(move) for move in position.history]


def add_positions(count: int, limit: float) -> None:
    """Write positions to the file until there are so many."""
    known = json.loads(FILE.read_text()) if FILE.exists() else []
    rng = np.random.default_rng(len(known))
    player = HexMcts(len(known), sims=1500, connections="off", nodes=NODES)
    prover = HexMcts(0, time=limit, least_price=3.0, greatest_price=40.0, nodes=NODES)
    search = prover.prepare(hex.position(SIZE, pie=False))
    while len(known) < count:
        moves = some_game(rng, player)
        search.last = None
        found = search.search(after(moves).state, time=limit)
        if found.proven and found.simulations > 200:
            known.append({"moves": moves, "score": float(found.low.max())})
            lines = ",\n".join(json.dumps(one) for one in known)
            FILE.write_text(f"[\n{lines}\n]\n")
            print(f"{len(known)} positions", flush=True)


def error_of(options: dict[str, str], seconds: float) -> None:
    errors, proven = [], 0
    for number, one in enumerate(json.loads(FILE.read_text())):
        position = after(one["moves"])
        player = STRATEGIES["mcts"].create({**options, "time": str(seconds)}, number)
        result = player.prepare(position).search(position.state, time=seconds)
        value = float(result.values[result.moves.tolist().index(result.move)])
        errors.append(abs((result.low.max() if result.proven else value) - one["score"]))
        proven += result.proven
    told = ",".join(f"{name}={value}" for name, value in options.items())
    print(
        f"mcts:{told or '(plain)':20} {seconds:5g} s  mean error {np.mean(errors):.3f}, wrong "
        f"side {100 * np.mean(np.array(errors) > 0.5):.0f} %, proven {proven} of {len(errors)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("options", nargs="*", default=["", "connections=off"])
    parser.add_argument("--seconds", default="0.1,1")
    parser.add_argument("--make", type=int, default=0)
    parser.add_argument("--limit", type=float, default=4.0)
    options = parser.parse_args()
    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)
    if options.make:
        add_positions(options.make, options.limit)
        return
    for seconds in map(float, options.seconds.split(",")):
        for text in options.options:
            error_of(dict(part.split("=") for part in text.split(",") if part), seconds)


if __name__ == "__main__":
    main()
