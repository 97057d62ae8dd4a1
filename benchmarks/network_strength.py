"""How often the shipped network of a game beats other strategies, over pairs of games.

    python benchmarks/network_strength.py [--board GAME/BOARD] [--pairs 20] [net:sims=0/connex ...]

A pair is two games from one start with the seats exchanged: a random board in Flood, two random
stones in Hex. The searches read the processor's clock, so `time` is processor time. The networks
learned Hex on hexagonal boards of 5, 7, 9 and 11 cells in a row, and Flood on square:8, square:14,
hatched:9, hexagonal:8, triangular:4 and penrose:8; the other boards are new to them.
"""

from __future__ import annotations

import random
import time
import types

from pairs import compare

DUELS = ["net:sims=0/random"]

BOARDS = (
    *(f"hex/hexagonal:{size}" for size in (11, 5, 7, 9, 13)),
    "hex/square:9",
    *(
        f"flood/{board}"
        for board in ("square:14", "square:21", "octo-tetra:10", "torus:12", "square:7")
    ),
)


def make(seed: int, board: str):
    from ludograph.cli.game_options import chosen
    from ludograph.games.registry import declaration
    from ludograph.search import pacing

    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)
    game, _, text = board.partition("/")
    declared = declaration(game)
    position = declared.game().position(seats=2, seed=seed, **chosen(declared, {"board": text}))
    if game == "hex":
        rng = random.Random(seed)
        for _ in range(2):
            position.push(rng.choice(sorted(position.legal_moves())))
    return position


def main() -> None:
    compare(DUELS, __doc__.splitlines()[0], make, "points", board=BOARDS)


if __name__ == "__main__":
    main()
