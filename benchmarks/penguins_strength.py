"""How often one strategy of Penguins beats another, over pairs of games with the seats exchanged.

    python benchmarks/penguins_strength.py [--pairs 100] [--jobs 2] [mcts:time=0.3/line ...]

A pair is two games with the same fish on 8 x 8 hexagons, 2 players with 2 penguins each.
"""

from __future__ import annotations

from pairs import compare

DUELS = [
    "line/random",
    "dissector:time=0.3/line",
    "minimax:time=0.3/line",
    "mcts:time=0.3/line",
]


def make(seed: int):
    from ludograph import penguins

    return penguins.position(penguins.board("full-hexa", 8), penguins=2, seed=seed)


def main() -> None:
    compare(DUELS, __doc__.splitlines()[0], make, "fish")


if __name__ == "__main__":
    main()
