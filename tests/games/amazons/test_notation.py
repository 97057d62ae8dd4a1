"""Moves of Amazons as text."""

import pytest

from ludograph import amazons, boards
from ludograph.errors import IllegalMove


@pytest.mark.slow
def test_the_literature_s_moves():
    position = amazons.position()
    assert position.text(position.parse(" D1-D7/G7 ")) == "d1-d7/g7"
    position.play("d1-d7/g7")
    assert position.text(position.legal_moves()[0]).startswith("d10-")


def test_an_arrow_may_go_where_the_queen_came_from():
    position = amazons.position()
    position.play("d1-d7/d1")
    assert str(position).split()[93] == "*"


@pytest.mark.slow
@pytest.mark.parametrize("board", [boards.full_hexa(5), boards.penrose(6), boards.hatched(6)])
def test_numbers_elsewhere(board):
    position = amazons.position(board, queens=2)
    move = position.legal_moves()[0]
    numbers = move // board.n**2, move // board.n % board.n, move % board.n
    assert position.text(move) == "{}-{}/{}".format(*numbers)


def test_many_columns_have_numbers():
    position = amazons.position(boards.square(27, 4))
    assert position.text(position.legal_moves()[0])[0].isdigit()


def test_a_refusal_names_the_move():
    position = amazons.position()
    with pytest.raises(IllegalMove, match=r"'d10-d7/g7'.*seat 0"):
        position.play("d10-d7/g7")
