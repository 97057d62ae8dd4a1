"""A player of Flood as students write it: minimax that compares the vertices of both zones."""

from ludograph import rules, search


def count_vertices(setup, state, out):
    """Write the vertices of both zones."""
    rules.scores(setup, state, out)


class Vertices:
    """The search to a fixed depth."""

    def __init__(self, depth: int = 4):
        self.depth = depth

    def prepare(self, position):
        """Compile the search."""
        self.searcher = search.AlphaBetaSearch(position, evaluate=count_vertices)

    def choose(self, position):
        """Return the best move."""
        return self.searcher.search(position, depth=self.depth).move
