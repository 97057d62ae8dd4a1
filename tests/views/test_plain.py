from dataclasses import replace

import numpy as np
import pytest

from ludograph.views import plain
from ludograph.views.scene import Numeral
from tests.views.build import HEXAGON, SQUARE, hexagons, scene, squares, subset


def test_a_grid_is_a_matrix_of_symbols():
    assert plain.text(squares(3, 3, [0, 1, 2, 3, 4, 5, 0, 0, 1])) == "0 1 2\n3 4 5\n0 0 1"


def test_holes_are_blank():
    assert plain.text(squares(2, 3, [0, -1, 2, 3, 4, -1])) == "0   2\n3 4"


def test_a_donut_is_blank_inside():
    donut = subset(squares(3, 3, np.zeros(9)), [0, 1, 2, 3, 5, 6, 7, 8])
    assert plain.text(donut) == "0 0 0\n0   0\n0 0 0"


def test_hexagons_lie_in_shifted_rows():
    assert plain.text(hexagons(3, 3, [0, 1, 2, 3, 4, 5, 0, 0, 1])) == "0 1 2\n 3 4 5\n  0 0 1"


def test_a_row_a_column_and_one_cell():
    assert plain.text(squares(1, 4, [3, 2, 1, 0])) == "3 2 1 0"
    assert plain.text(squares(3, 1, [3, 2, 1])) == "3\n2\n1"
    assert plain.text(squares(1, 1, [4])) == "4"
    assert plain.text(scene([], SQUARE, [])) == ""


def test_scale_origin_and_rounding_of_positions_do_not_matter():
    exact = hexagons(4, 5)
    rounded = scene(np.round(exact.positions * 13.7 - 40, 2), HEXAGON, exact.fills)
    assert plain.text(rounded) == plain.text(exact)


def test_a_graph_is_a_list_with_the_number_of_the_first_of_each_line():
    positions = np.random.default_rng(1).random((23, 2))
    fills = np.arange(23) % 6
    fills[12] = -1
    lines = plain.text(scene(positions, SQUARE, fills)).split("\n")
    assert lines == ["  0: 0 1 2 3 4 5 0 1 2 3", " 10: 4 5 . 1 2 3 4 5 0 1", " 20: 2 3 4"]


def test_cells_in_one_place_are_a_list():
    assert plain.text(scene(np.zeros((3, 2)), SQUARE, [0, 1, 2])) == " 0: 0 1 2"


@pytest.mark.parametrize("build", [squares, hexagons])
def test_every_symbol_appears_once_per_cell(build):
    fills = np.random.default_rng(2).integers(0, 6, 63)
    written = plain.text(build(7, 9, fills)).split()
    assert written == [str(fill) for fill in fills]


def test_numbers_and_names_stand_behind_symbols_in_columns():
    board = squares(
        2, 2, [0, 1, 2, 3], numerals={0: Numeral(12, "#ffffff"), 3: Numeral(7, "#000000")}
    )
    assert plain.text(board) == "012 1\n2   37"
    named = replace(board, notes={0: "a2", 1: "b2"})
    assert plain.text(named) == "012:a2  1:b2\n2       37"
    assert plain.text(named, {0: "[]"}) == "[012:a2]   1:b2\n 2         37"
    assert plain.text(hexagons(2, 2, notes={0: "x"})) == "0:x 1\n  2   3"


def test_numbers_and_names_are_in_lists_too():
    ring = scene(np.zeros((3, 2)), SQUARE, [0, 1, 2], notes={1: "b"})
    assert plain.text(ring) == " 0: 0   1:b 2"
