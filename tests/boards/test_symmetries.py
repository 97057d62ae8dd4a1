"""Symmetries of boards: as many as known, each keeps all edges, together they are a group."""

import networkx as nx
import numpy as np
import pytest

from ludograph import boards
from ludograph.games.hex import hex_board

COUNTS = [
    (boards.square(4), 8),
    (boards.square(4, 5), 4),
    (boards.torus(4), 8),
    (boards.hexagonal(4), 4),
    (boards.full_hexa(3), 2),
    (boards.from_edges(1, []), 1),
    (boards.from_edges(2, [(0, 1)]), 2),
]


@pytest.mark.parametrize(("board", "count"), COUNTS, ids=lambda one: getattr(one, "name", None))
def test_there_are_as_many_as_are_known(board, count) -> None:
    rows = boards.symmetries(board)
    assert rows.dtype == np.int32
    assert rows.shape == (count, board.n)
    assert rows[0].tolist() == list(range(board.n))


@pytest.mark.parametrize("name", ["square", "hexagonal", "penrose", "octo-tetra", "hatched"])
def test_each_keeps_the_edges_and_they_are_a_group(name) -> None:
    board = boards.family(name)(6)
    graph = nx.Graph(board.edges().tolist())
    rows = {tuple(row) for row in boards.symmetries(board, marks=False).tolist()}
    for one in rows:
        assert all(graph.has_edge(one[u], one[v]) for u, v in graph.edges)
        for other in rows:
            assert tuple(one[v] for v in other) in rows


def test_marks_are_kept_unless_they_do_not_matter() -> None:
    board = hex_board(5)
    assert len(boards.symmetries(board, marks=False)) == 4
    assert len(boards.symmetries(board)) == 2  # the others exchange the colors
    for row in boards.symmetries(board):
        for mark in board.marks.values():
            assert set(row[mark].tolist()) == set(mark.tolist())


def test_a_board_with_a_vertex_out_of_place_has_none_but_itself() -> None:
    board = boards.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)])
    moved = boards.from_edges(4, board.edges(), positions=[(0, 0), (1, 0), (1.3, 1.4), (0.1, 0.7)])
    assert len(boards.symmetries(moved)) == 1
