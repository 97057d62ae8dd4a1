"""The hexagon of triangles, against the page's description of its rows."""

import itertools

import numpy as np
import pytest

from ludograph import boards
from ludograph.errors import InvalidInput
from tests.reference.hex import triangular as slow_triangular

SIZES = [(2, 2), (3, 3), (2, 5), (5, 2), (4, 4), (6, 6)]


@pytest.mark.parametrize("m", range(2, 12))
def test_it_is_the_board_of_the_page(m: int) -> None:
    board = boards.triangular(m)
    adjacency, _, _ = slow_triangular(m)
    assert [board.neighbors_of(v).tolist() for v in range(board.n)] == adjacency
    assert (board.n, board.edge_count) == (6 * m * m, 9 * m * m - 3 * m)
    degrees = np.diff(board.offsets)
    assert set(degrees.tolist()) == {2, 3}
    assert (degrees == 2).sum() == 6 * m


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_triangles_touch_exactly_their_neighbors(width: int, height: int) -> None:
    board = boards.triangular(width, height)
    assert board.n == 2 * width * width + 4 * width * height
    corners = [{tuple(p) for p in np.round(board.outline_of(v), 6) + 0.0} for v in range(board.n)]
    for u, v in itertools.combinations(range(board.n), 2):
        assert (len(corners[u] & corners[v]) == 2) == (v in board.neighbors_of(u))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_picture_is_regular(width: int, height: int) -> None:
    board = boards.triangular(width, height)
    edges = board.edges()
    assert np.allclose(
        np.hypot(*(board.positions[edges[:, 0]] - board.positions[edges[:, 1]]).T), 1
    )
    for v in range(board.n):
        outline = board.outline_of(v)
        assert np.allclose(outline.mean(axis=0), board.positions[v])
        (ax, ay), (bx, by), (cx, cy) = outline
        assert (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0  # clockwise on a screen
    y, x = board.positions[:, 1].round(6), board.positions[:, 0]
    assert np.array_equal(np.lexsort((x, y)), np.arange(board.n))  # numbered row by row


def test_sides_run_clockwise_from_the_north() -> None:
    board = boards.triangular(3)
    for v in range(board.n):
        angles = []
        for side in range(3):
            start, end = board.sides.offsets[v : v + 2]
            near = board.sides.neighbors[start:end][side]
            if near >= 0:
                dx, dy = board.positions[near] - board.positions[v]
                angles.append(np.arctan2(dx, -dy) % (2 * np.pi))
        turns = np.diff([*angles, angles[0]]) % (2 * np.pi)
        assert np.isclose(turns.sum(), 2 * np.pi)


def test_bad_sizes_get_one_sentence() -> None:
    with pytest.raises(InvalidInput, match=r"^triangular: .*\bwidth\b.* 1$"):
        boards.triangular(1)
    with pytest.raises(InvalidInput, match=r"^triangular: 3000x3000\b"):
        boards.triangular(3000)
