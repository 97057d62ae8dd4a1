"""How often one strategy of Carcassonne beats another, over pairs with the seats exchanged.

    python benchmarks/carcassonne_strength.py [--pairs 100] [--jobs 2] [--mode finite]
        [--processor-time] [mcts:time=0.1/greedy ...]

Both games of a pair have the same tiles in the same order, from the classic deck. The player with
more points in both games together wins the pair.
"""

from __future__ import annotations

from pairs import compare

DUELS = ["greedy/random", "expectimax:time=0.5/greedy", "mcts:time=0.5/greedy"]


def make(seed: int, mode: str):  # noqa: ARG001  (the referee draws the tiles by the seed)
    from ludograph import carcassonne

    if mode == "official":
        return carcassonne.position(rules="official")
    return carcassonne.position(mode=mode)


def main() -> None:
    modes = ("no-meeple", "infinite", "finite", "official")
    compare(DUELS, __doc__.splitlines()[0], make, "points", mode=modes)


if __name__ == "__main__":
    main()
