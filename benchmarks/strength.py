"""How often one strategy of Flood beats another, over pairs of games with the seats exchanged.

    python benchmarks/strength.py --processor-time mcts:time=0.05/vertices:4
    python benchmarks/strength.py [--pairs 100] [--jobs 2] [--family torus] [--size 14] ...

A pair is two games on one random board (12 x 12, 6 colors, random coloring). Two counts are
printed: pairs by games, in which one win each is even, and pairs by vertices, which the player with
more vertices over both games wins. On most boards the same seat wins both games: the first count
has these pairs as even, the second one tells which player got more vertices.

`vertices:4` and `vertices:6` are players as students write them: minimax to a fixed depth that
compares the vertices of both zones.
"""

from __future__ import annotations

from pairs import compare

from ludograph import rules, search

DUELS = [
    f"{player}:time=0.05/{other}"
    for player in ("mcts", "minimax")
    for other in ("greedy", "vertices:4", "vertices:6")
]

FAMILIES = ("square", "donut", "hatched", "torus", "hexagonal")
SIZES = ("12", "14", "8")


def make(seed: int, family: str, size: str):
    from ludograph import boards, flood

    return flood.position(boards.family(family)(int(size)), colors=6, seed=seed)


def count_vertices(setup, state, out):
    """Write the vertices of both zones."""
    rules.scores(setup, state, out)


class Vertices:
    """Minimax to a fixed depth that compares the vertices of both zones."""

    depth = 4

    def prepare(self, position):
        self.searcher = search.AlphaBetaSearch(position, evaluate=count_vertices)

    def choose(self, position):
        return self.searcher.search(position, depth=self.depth).move


class DeepVertices(Vertices):
    """The same, deeper."""

    depth = 6


PLAYERS = {"vertices:4": Vertices, "vertices:6": DeepVertices}


def main() -> None:
    compare(
        DUELS,
        __doc__.splitlines()[0],
        make,
        "vertices",
        players=PLAYERS,
        family=FAMILIES,
        size=SIZES,
    )


if __name__ == "__main__":
    main()
