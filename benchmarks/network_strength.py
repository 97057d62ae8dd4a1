"""How often the shipped network of a game beats other strategies, over pairs of games.

    python benchmarks/network_strength.py [--board GAME/BOARD] [--pairs 20] [net:sims=0/connex ...]

A pair is two games from one start with the seats exchanged: a random board in Flood and Penguins,
two random moves in Hex and Amazons. The searches read the processor's clock, so `time` is processor
time. `scripts/learn-networks` names the boards that each network has learned; the others are new
to it.
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
    *(f"penguins/{board}" for board in ("full-hexa:8", "square:8", "full-hexa:12", "donut:9")),
    *(f"amazons/{board}" for board in ("square:8", "square:10", "square:12", "full-hexa:8")),
)

SAME_START = ("amazons", "hex")
"""Games that always begin with the same position, so two random moves make starts of it."""


def make(seed: int, board: str):
    from ludograph.cli.game_options import chosen
    from ludograph.games.registry import declaration
    from ludograph.search import pacing

    pacing.time = types.SimpleNamespace(perf_counter=time.process_time)
    game, _, text = board.partition("/")
    declared = declaration(game)
    position = declared.game().position(seats=2, seed=seed, **chosen(declared, {"board": text}))
    if game in SAME_START:
        rng = random.Random(seed)
        for _ in range(2):
            position.push(rng.choice(sorted(position.legal_moves())))
    return position


def main() -> None:
    compare(DUELS, __doc__.splitlines()[0], make, "points", board=BOARDS)


if __name__ == "__main__":
    main()
