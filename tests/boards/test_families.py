"""The families against a slow derivation from rows and columns, and against networkx."""

import itertools

import networkx as nx
import numpy as np
import pytest

from ludograph import boards
from ludograph.errors import InvalidInput
from tests.boards.graphs import as_networkx

NORTH, EAST, SOUTH, WEST = (-1, 0), (0, 1), (1, 0), (0, -1)
SQUARE = (NORTH, EAST, SOUTH, WEST)
SIZES = list(itertools.product((2, 3, 4, 7), (2, 3, 5)))
THIRDS = list(itertools.product((3, 6, 9), (3, 6, 12)))


def slow_board(width, height, alive=lambda r, c: True, steps=SQUARE, wrap=False):
    """Cells numbered row by row, and the set of neighbors of each."""
    cells = [(r, c) for r in range(height) for c in range(width) if alive(r, c)]
    number = {cell: v for v, cell in enumerate(cells)}
    rows = []
    for r, c in cells:
        there = [(r + dr, c + dc) for dr, dc in steps]
        if wrap:
            there = [(a % height, b % width) for a, b in there]
        rows.append(sorted({number[cell] for cell in there if cell in number}))
    return cells, rows


def check_against(board, slow):
    cells, rows = slow
    assert board.n == len(cells)
    assert [board.neighbors_of(v).tolist() for v in range(board.n)] == rows
    assert [board.degree(v) for v in range(board.n)] == [len(row) for row in rows]
    assert board.edge_count == sum(map(len, rows)) // 2
    edges = [[u, v] for u, row in enumerate(rows) for v in row if u < v]
    assert board.edges().tolist() == edges
    assert board.edges().dtype == np.int32


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_square_numbers_its_cells_row_by_row(width, height):
    board = boards.square(width, height)
    check_against(board, slow_board(width, height))
    assert nx.is_isomorphic(as_networkx(board), nx.grid_2d_graph(height, width))
    assert board.positions.tolist() == [[c, r] for r in range(height) for c in range(width)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_torus_goes_on_at_the_border(width, height):
    board = boards.torus(width, height)
    check_against(board, slow_board(width, height, wrap=True))
    if min(width, height) > 2:
        grid = nx.grid_2d_graph(height, width, periodic=True)
        assert nx.is_isomorphic(as_networkx(board), grid)
        assert nx.diameter(grid) == height // 2 + width // 2
    assert board.distances(0)[board.starts(2)[1]] == height // 2 + width // 2


@pytest.mark.parametrize(("width", "height"), THIRDS)
def test_donut_has_no_middle(width, height):
    def alive(r, c):
        return not (height / 3 <= r < 2 * height / 3 and width / 3 <= c < 2 * width / 3)

    check_against(boards.donut(width, height), slow_board(width, height, alive))
    assert boards.donut(width, height).n == width * height * 8 // 9


@pytest.mark.parametrize(("width", "height"), THIRDS)
def test_hatched_is_the_letter_h(width, height):
    def alive(r, c):
        bar = height / 3 <= r < 2 * height / 3
        return bar or not width / 3 <= c < 2 * width / 3

    check_against(boards.hatched(width, height), slow_board(width, height, alive))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_hexagonal_is_a_parallelogram(width, height):
    steps = (*SQUARE, (1, -1), (-1, 1))
    board = boards.hexagonal(width, height)
    check_against(board, slow_board(width, height, steps=steps))
    ends = board.positions[board.edges()]
    assert np.allclose(np.hypot(*(ends[:, 0] - ends[:, 1]).T), 1)


def test_hexagons_touch_exactly_their_neighbors():
    board = boards.hexagonal(4, 5)
    corners = [{tuple(p) for p in np.round(board.outline_of(v), 6) + 0.0} for v in range(board.n)]
    for u, v in itertools.combinations(range(board.n), 2):
        assert (len(corners[u] & corners[v]) == 2) == (v in board.neighbors_of(u))


def test_squares_touch_exactly_their_neighbors():
    board = boards.donut(6)
    corners = [{tuple(p) for p in board.outline_of(v)} for v in range(board.n)]
    for u, v in itertools.combinations(range(board.n), 2):
        assert (len(corners[u] & corners[v]) == 2) == (v in board.neighbors_of(u))


@pytest.mark.parametrize("name", boards.FAMILIES)
def test_every_family_is_a_valid_picture(name):
    board = boards.family(name)(6)
    assert board.name == f"{name} 6x6"
    assert nx.is_connected(as_networkx(board))
    assert not board.links
    assert board.starts(1).tolist() == [0]
    for v in range(board.n):
        assert np.allclose(board.outline_of(v).mean(axis=0), board.positions[v])


@pytest.mark.parametrize("name", ["square", "donut", "hatched"])
def test_starts_are_the_corners(name):
    board = boards.family(name)(9, 6)
    assert board.starts(2).tolist() == [0, board.n - 1]
    places = board.positions[board.starts(4)].tolist()
    assert sorted(places) == [[0, 0], [0, 5], [8, 0], [8, 5]]


def test_starts_of_the_others():
    assert boards.hexagonal(5, 4).starts(2).tolist() == [0, 19]
    assert boards.torus(5, 4).starts(2).tolist() == [0, 2 * 5 + 2]


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: boards.donut(10), r"^donut: .*\bwidth\b.* 3, .* 10$"),
        (lambda: boards.hatched(9, 4), r"^hatched: .*\bheight\b.* 3, .* 4$"),
        (lambda: boards.square(1), r"^square: .*\bwidth\b.* 1$"),
        (lambda: boards.torus(3, -3), r"^torus: .*\bheight\b.* -3$"),
        (lambda: boards.hexagonal(2.5), r"^hexagonal: .*\bwidth\b.* 2\.5$"),
        (lambda: boards.square(True), r"^square: .*\bwidth\b.* True$"),
        (lambda: boards.torus(10**9), rf"^torus: {10**9}x{10**9} "),
        (lambda: boards.family("c"), "square, donut, hatched, torus, triangular"),
    ],
)
def test_bad_sizes_are_refused(make, named):
    with pytest.raises(InvalidInput, match=named):
        make()


@pytest.mark.slow
def test_a_million_cells():
    board = boards.torus(1000)
    assert (board.n, board.edge_count) == (10**6, 2 * 10**6)
    assert len(set(board.starts(5).tolist())) == 5
