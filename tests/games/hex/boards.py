"""Boards of Hex that are no usual ones."""

import networkx as nx
import numpy as np

from ludograph import boards


def grid_between_borders(width: int, height: int):
    """A graph of our own: a plain grid, its outermost rows black, its outermost columns white."""
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(height, width))
    inner = range(1, width - 1)
    marks = {
        "black": [*inner, *((height - 1) * width + column for column in inner)],
        "white": [row * width + side for row in range(1, height - 1) for side in (0, width - 1)],
    }
    return boards.from_networkx(graph).with_marks(marks)


def tangle(seed: int):
    """A graph that no plane can hold, with borders anywhere: both colors could join theirs."""
    graph = nx.connected_watts_strogatz_graph(30, 6, 0.5, seed=seed)
    board = boards.from_networkx(graph)
    rng = np.random.default_rng(seed)
    while True:
        a, b, c, d = rng.choice(30, 4, replace=False).tolist()
        if b not in board.neighbors_of(a) and d not in board.neighbors_of(c):
            return board.with_marks({"black": [a, b], "white": [c, d]})
