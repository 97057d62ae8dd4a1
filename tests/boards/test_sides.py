"""Straight lines: through opposite sides, to the border or around the torus."""

import numpy as np
import pytest

from ludograph import boards
from ludograph.boards.sides import sides_from_neighbors
from ludograph.errors import InvalidInput

BOARDS = [
    boards.square(4, 3),
    boards.donut(6),
    boards.hatched(6, 3),
    boards.torus(2, 3),
    boards.torus(5, 4),
    boards.hexagonal(4, 3),
]


def slots(board):
    return [(v, side) for v in range(board.n) for side in range(board.sides.count(v))]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_all_lines_are_the_lines(board):
    offsets, tiles = boards.all_lines(board.sides)
    assert len(offsets) == len(slots(board)) + 1
    for slot, (v, side) in enumerate(slots(board)):
        assert tiles[offsets[slot] : offsets[slot + 1]].tolist() == board.line(v, side)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_the_neighbors_are_the_tiles_at_the_sides(board):
    for v in range(board.n):
        first = board.sides.offsets[v]
        beside = board.sides.neighbors[first : first + board.sides.count(v)]
        assert sorted(set(beside.tolist()) - {boards.OUTSIDE}) == board.neighbors_of(v).tolist()


@pytest.mark.parametrize("board", [b for b in BOARDS if "torus" not in b.name])
def test_lines_are_straight_and_sides_turn_clockwise(board):
    for v, side in slots(board):
        points = board.positions[[v, *board.line(v, side)]]
        steps = np.diff(points, axis=0)
        assert np.allclose(steps, steps[:1])
        if len(steps):
            turn = 2 * np.pi / board.sides.count(v)
            first = np.deg2rad(30) if board.sides.count(v) == 6 else 0.0
            angle = first + turn * side  # from the north, clockwise; y points down
            assert np.allclose(steps[0], [np.sin(angle), -np.cos(angle)])


def test_square_lines():
    board = boards.square(4, 3)
    assert [board.line(5, side) for side in range(4)] == [[1], [6, 7], [9], [4]]


def test_lines_stop_before_a_hole():
    board = boards.donut(6)  # two rows of 6 cells, two of 4, two of 6
    assert board.line(2, 2) == [8]
    assert board.line(12, 1) == [13]


def test_lines_stop_before_they_return():
    board = boards.torus(4, 3)
    assert board.line(0, 1) == [1, 2, 3]
    assert board.line(0, 0) == [8, 4]
    assert boards.torus(2).line(0, 1) == [1]


def test_no_such_line():
    with pytest.raises(InvalidInput, match="no straight lines"):
        boards.from_edges(2, [(0, 1)]).line(0, 0)
    for v, side in ((9, 0), (-1, 0), (0, 4), (0, -1)):
        with pytest.raises(InvalidInput, match="line: vertex"):
            boards.square(3).line(v, side)


def test_a_line_ends_at_a_tile_with_an_odd_number_of_sides():
    data = {
        "vertices": 4,
        "edges": [[0, 1], [1, 2], [2, 3]],
        "sides": {"neighbors": [[1, -1], [2, 0], [1, 3, -1], [-1, 2]]},
    }
    board = boards.from_data(data)
    assert board.line(0, 0) == [1, 2]
    assert board.line(2, 1) == [3]
    assert board.line(3, 1) == [2]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_entries_follow_from_the_neighbors(board):
    if board.name == "torus 2x3":
        with pytest.raises(InvalidInput, match="second side"):
            sides_from_neighbors(board.sides.offsets, board.sides.neighbors)
    else:
        sides = sides_from_neighbors(board.sides.offsets, board.sides.neighbors)
        assert sides.entries.tolist() == board.sides.entries.tolist()


PATH = {"vertices": 3, "edges": [[0, 1], [1, 2]]}


@pytest.mark.parametrize(
    ("sides", "sentence"),
    [
        ({"neighbors": [[1], [0, 2]]}, "one list per vertex"),
        ({"neighbors": [[1], [0, 2], [1]], "entries": [[0], [0], [1]]}, "as many as"),
        ({"neighbors": [[1], [0, 3], [1]]}, r"sides\[1\]\[1\].*does not exist"),
        ({"neighbors": [[1], [0, 2], [-1]]}, r"sides\[1\]\[1\].*no side to this"),
        ({"neighbors": [[1, 2], [0, 2], [1, 0]]}, r"sides\[0\]\[1\].*no edge"),
        ({"neighbors": [[1], [0], [-1]], "entries": [[0], [1], [-1]]}, r"sides\[1\]\[0\].*number"),
        ({"neighbors": [[1], [0], [-1]], "entries": [[0], [0], [0]]}, r"sides\[2\]\[0\].*no tile"),
        (
            {"neighbors": [[1], [0, 2], [1]], "entries": [[1], [0, 0], [1]]},
            r"sides\[0\]\[0\].*lead back",
        ),
    ],
)
def test_wrong_sides_are_refused(sides, sentence):
    with pytest.raises(InvalidInput, match=sentence):
        boards.from_data(PATH | {"sides": sides})
