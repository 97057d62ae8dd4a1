"""What people read from a position of Hex."""

import numpy as np
import pytest

from ludograph import hex
from ludograph.games.hex import BLACK, NOBODY, WHITE, hex_board


def played(position, *moves):
    for move in moves:
        position.play(move)
    return position


def test_stones_stand_where_they_were_played():
    position = played(hex.position(4), "a1", "b2", "d4")
    stones = position.stones
    assert stones.dtype == np.int32
    assert [stones[position.parse(cell)] for cell in ("a1", "b2", "d4", "c3")] == [
        *(BLACK, WHITE, BLACK, NOBODY),
    ]
    assert position.last_vertex == position.parse("d4")
    assert hex.position(4).last_vertex is None


def test_borders_are_stones_from_the_start():
    for kind in "hct":
        position = hex.position(hex_board(4, kind))
        assert position.stones.tolist() == position.borders.tolist()
        for color, name in ((BLACK, "black"), (WHITE, "white")):
            marked = np.sort(position.board.marks[name]).tolist()
            assert np.flatnonzero(position.borders == color).tolist() == marked


def test_colors_before_and_after_a_swap():
    position = hex.position(3)
    assert (position.color_to_move, position.may_swap, position.pie) == (BLACK, False, True)
    position.play("b2")
    assert (position.color_to_move, position.may_swap, position.swapped) == (WHITE, True, False)
    assert position.is_legal(position.swap)
    position.play(position.swap)
    assert (position.turn, position.color_to_move, position.swapped) == (0, WHITE, True)
    assert (position.color(0), position.color(1)) == (WHITE, BLACK)
    assert (position.seat(WHITE), position.seat(BLACK)) == (0, 1)
    assert position.stones[position.parse("b2")] == BLACK


def test_without_the_pie_rule_nobody_swaps():
    position = played(hex.position(3), "b2")
    plain = position.without_pie()
    assert not plain.pie
    assert not plain.may_swap
    assert plain.stones.tolist() == position.stones.tolist()
    plain.play("a1")
    assert position.may_swap, "the original stays as it is"


@pytest.mark.parametrize("kind", ["h", "c"])
def test_places_and_vertices_are_inverse(kind):
    position = hex.position(hex_board(6, kind))
    assert position.size == 5
    for row in range(5):
        for column in range(5):
            vertex = position.vertex(row, column)
            assert position.place(vertex) == (row, column)
            assert position.text(vertex) == f"{'abcde'[column]}{row + 1}"


def test_which_boards_are_usual():
    assert hex.position(hex_board(5)).is_standard
    assert not hex.position(hex_board(5, "c")).is_standard
    triangles = hex.position(hex_board(4, "t"))
    assert not triangles.is_standard
    assert triangles.size == 0
