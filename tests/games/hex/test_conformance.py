"""Hex passes the suite that every game must pass, on all kinds of boards."""

import networkx as nx
import numpy as np
import pytest

from ludograph import boards, hex
from ludograph.conformance import check_game
from ludograph.games.hex import hex_board
from tests.amounts import few

pytestmark = pytest.mark.usefixtures("plain_in_make_test")


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


@pytest.mark.parametrize("kind", "hct")
@pytest.mark.parametrize(
    ("m", "pie"),
    [
        (2, False),
        (4, True),
        *(
            pytest.param(m, pie, marks=pytest.mark.slow)
            for m in (2, 3, 4, 7)
            for pie in (True, False)
            if (m, pie) not in {(2, False), (4, True)}
        ),
    ],
)
def test_every_kind_of_board(kind: str, m: int, pie: bool) -> None:
    board = hex_board(5 if (kind, m) == ("t", 7) else m, kind)  # a side of 7 has 294 triangles
    check_game(lambda seed: hex.position(board, pie=pie), games=few(2, 3))


@pytest.mark.slow
def test_the_usual_board() -> None:
    check_game(lambda seed: hex.position(), games=1)


@pytest.mark.slow
@pytest.mark.parametrize("pie", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_marked_graphs(pie: bool) -> None:
    check_game(lambda seed: hex.position(grid_between_borders(6, 4), pie=pie), games=few(1, 3))
    check_game(lambda seed: hex.position(tangle(seed), pie=pie), games=few(2, 6))
