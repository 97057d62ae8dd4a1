import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.views.polygons import Borders, areas
from tests.amounts import amount
from tests.views.build import HEXAGON, SQUARE, hexagons, scene, squares


def length(loops):
    return sum(np.hypot(*(np.roll(loop, -1, axis=0) - loop).T).sum() for loop in loops)


def area(loops):
    total = 0.0
    for loop in loops:
        x, y = loop.T
        total += float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)
    return total


def marked(whole, cells):
    chosen = np.zeros(whole.size, dtype=bool)
    chosen[list(cells)] = True
    return chosen


def test_the_border_of_a_block_has_four_corners():
    board = squares(4, 4)
    (loop,) = Borders(board).loops(marked(board, [0, 1, 4, 5]))
    assert len(loop) == 4
    assert length([loop]) == pytest.approx(8)


def test_a_ring_has_two_borders():
    board = squares(3, 3)
    loops = Borders(board).loops(marked(board, [0, 1, 2, 3, 5, 6, 7, 8]))
    assert sorted(round(length([loop])) for loop in loops) == [4, 12]
    assert area(loops) == pytest.approx(8)


def test_two_cells_that_touch_at_a_corner_keep_their_borders():
    board = squares(2, 2)
    assert length(Borders(board).loops(marked(board, [0, 3]))) == pytest.approx(8)


def test_neighboring_hexagons_lose_one_edge_each():
    board = hexagons(3, 3)
    edge = 1 / np.sqrt(3)
    assert length(Borders(board).loops(marked(board, [4, 5]))) == pytest.approx(10 * edge)


def test_corners_may_differ_in_their_last_digits_and_directions():
    noisy = squares(3, 3)
    points = noisy.outline_points + np.random.default_rng(3).normal(0, 1e-7, (36, 2))
    points[4:8] = points[4:8][::-1].copy()
    board = scene(noisy.positions, SQUARE, noisy.fills)
    board.outline_points[:] = points
    assert length(Borders(board).loops(marked(board, range(9)))) == pytest.approx(12, abs=1e-4)


def test_no_cells_have_no_border():
    board = squares(2, 2)
    assert Borders(board).loops(marked(board, [])) == []
    empty = scene([], SQUARE, [])
    assert Borders(empty).loops(np.zeros(0, dtype=bool)) == []


@settings(deadline=None, max_examples=amount(50))
@given(st.lists(st.booleans(), min_size=30, max_size=30), st.sampled_from([SQUARE, HEXAGON]))
def test_loops_enclose_the_area_of_their_cells(chosen, form):
    board = (squares if form is SQUARE else hexagons)(5, 6)
    chosen = np.array(chosen)
    expected = np.abs(areas(board))[chosen].sum()
    assert abs(area(Borders(board).loops(chosen))) == pytest.approx(expected)


def lines_between(whole, cells, others):
    return Borders(whole).between(marked(whole, cells), marked(whole, others))


def test_two_neighbors_meet_along_one_edge():
    (line,) = lines_between(squares(1, 3), [0], [1])
    assert sorted(map(tuple, line.tolist())) == [(0.5, -0.5), (0.5, 0.5)]
    assert lines_between(squares(1, 3), [0], [2]) == []


def test_a_cell_meets_those_around_it_along_a_closed_line():
    (line,) = lines_between(squares(3, 3), [4], [0, 1, 2, 3, 5, 6, 7, 8])
    assert len(line) == 5
    assert line[0].tolist() == line[-1].tolist()


def test_lines_that_cross_at_a_corner_are_all_found():
    lines = lines_between(squares(2, 2), [0, 3], [1, 2])
    edges = {
        frozenset((tuple(a), tuple(b)))
        for line in lines
        for a, b in zip(line.tolist(), line.tolist()[1:], strict=False)
    }
    assert len(edges) == sum(len(line) - 1 for line in lines) == 4


@given(st.lists(st.sampled_from("abc"), min_size=20, max_size=20))
def test_lines_between_are_the_edges_that_both_borders_have(owners):
    whole = hexagons(4, 5)
    one, other = ([i for i, o in enumerate(owners) if o == name] for name in "ab")
    borders = Borders(whole)
    alone = [length(borders.loops(marked(whole, cells))) for cells in (one, other)]
    together = length(borders.loops(marked(whole, one + other)))
    lines = borders.between(marked(whole, one), marked(whole, other))
    shared = sum(float(np.hypot(*np.diff(line, axis=0).T).sum()) for line in lines)
    assert 2 * shared == pytest.approx(sum(alone) - together)
