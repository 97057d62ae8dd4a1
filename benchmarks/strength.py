"""How often one strategy of Flood beats another, over pairs of games with the seats exchanged.

python benchmarks/strength.py [--pairs 100] [--jobs 2] [--family torus] [mcts:time=0.1/greedy ...]

A pair is two games on one random board (12 x 12, 6 colors, random coloring). Two counts are
printed: pairs by games, in which one win each is even, and pairs by vertices, which go to whoever
holds more vertices over both games. Many boards favor one seat so much that it wins whoever sits
there; the first count shows that as even pairs, the second tells who made more of them.
"""

from __future__ import annotations

from pairs import compare

DUELS = ["greedy/valid", "minimax:time=0.1/greedy", "mcts:time=0.1/greedy"]


FAMILIES = ("square", "donut", "hatched", "torus")


def make(seed: int, family: str):
    from ludograph import boards, flood

    return flood.position(boards.family(family)(12), colors=6, seed=seed)


def main() -> None:
    compare(DUELS, __doc__.splitlines()[0], make, "vertices", family=FAMILIES)


if __name__ == "__main__":
    main()
