"""Boards, marks, moves as text, results and pictures of Hex."""

import numpy as np
import pytest

from ludograph import InvalidInput, boards, hex
from ludograph.games.hex import hex_board
from ludograph.games.hex.notation import letters, number_of
from ludograph.games.hex.presentation import LIT_FILL
from ludograph.games.hex.setup import ANY, AT_MOST_ONE, EXACTLY_ONE, chains_of
from tests.reference import hex as reference

SLOW = {"h": reference.hexagonal, "c": reference.square, "t": reference.triangular}


@pytest.mark.parametrize("kind", SLOW)
@pytest.mark.parametrize("m", range(2, 13))
def test_boards_are_those_of_the_page(kind: str, m: int) -> None:
    board = hex_board(m, kind)
    adjacency, black, white = SLOW[kind](m)
    assert [board.neighbors_of(v).tolist() for v in range(board.n)] == adjacency
    assert set(board.marks["black"].tolist()) == black
    assert set(board.marks["white"].tolist()) == white
    for name in ("black", "white"):
        inside = np.zeros(board.n, dtype=bool)
        inside[board.marks[name]] = True
        assert len(chains_of(board, inside)) == 2
    assert hex.position(board).setup.joined == (EXACTLY_ONE if kind == "h" else AT_MOST_ONE)


def test_the_numbers_of_the_page() -> None:
    board = hex_board(4, "t")
    free = hex.position(board).setup.free.size
    assert (len(board.marks["black"]), len(board.marks["white"]), free) == (20, 20, 56)
    assert hex.position(hex_board(12)).setup.free.size == 11 * 11
    assert hex.board(11).n == hex_board(12, "h").n


def test_every_move_of_the_usual_board() -> None:
    position = hex.position(11)
    texts = [position.text(move) for move in sorted(position.legal_moves())]
    assert texts == [f"{letter}{row}" for row in range(1, 12) for letter in "abcdefghijk"]
    assert position.parse("a1") == 14
    assert position.parse(" F6 ") == 6 * 13 + 6
    assert position.parse("SWAP") == 169


def test_other_boards_have_numbers() -> None:
    position = hex.position(hex_board(4, "t"))
    assert position.text(position.legal_moves()[0]) == f"v{position.legal_moves()[0]}"


def test_columns_go_on_after_z() -> None:
    names = {0: "a", 25: "z", 26: "aa", 51: "az", 52: "ba", 701: "zz", 702: "aaa"}
    assert {column: letters(column) for column in names} == names
    assert all(number_of(letters(column)) == column for column in range(2000))


@pytest.mark.parametrize(
    ("m", "kind", "named"), [(1, "h", " 2, got 1$"), (3, "x", "'x'"), (2.5, "h", r" 2\.5$")]
)
def test_boards_that_there_are_not(m, kind, named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        hex_board(m, kind)


def test_a_description_carries_the_borders() -> None:
    """A record's setup is enough: the board of its file may have lost its marks."""
    start = hex.position(4)
    bare = boards.hexagonal(6)
    assert hex.restore(bare, hex.describe(start)) == start


def test_a_marked_rhombus_is_recognized_by_its_edges() -> None:
    marks = hex_board(5).marks
    own = hex.position(boards.hexagonal(6).with_marks(marks, name="mine")).setup
    assert (own.joined, own.columns) == (EXACTLY_ONE, 6)
    other = hex.position(boards.hexagonal(6).with_marks({"black": [0, 35], "white": [5, 30]})).setup
    assert (other.joined, other.columns) == (ANY, 0)


def test_result_and_winning_chain() -> None:
    position = hex.position(3)
    for text in ("b2", "swap", "a1", "b1", "c3", "b3"):
        assert len(position.scene().strokes) == (position.ply > 0)
        position.play(text)
    assert position.is_over
    sentence = hex.presentation.result(position, position.outcome(), ["one", "two"])
    assert sentence == "two (seat 1, black) wins after 6 moves."
    scene = position.scene()
    assert scene.strokes == ()
    (chain,) = scene.in_cells.strokes
    lit = [position.text(v) for v in np.flatnonzero(scene.fills == LIT_FILL).tolist()]
    assert sorted(lit) == ["b1", "b2", "b3"]
    texts = [position.text(v) for v in chain.cells if v in position.setup.free]
    assert sorted(texts) == ["b1", "b2", "b3"]
    assert "c3" not in texts
    assert str(position).splitlines()[1].split() == ["O", "o", "x", ".", "O"]


def test_a_draw_says_so() -> None:
    position = hex.position(hex_board(3, "c"), pie=False)
    for text in ("a1", "b1", "b2", "a2"):
        position.play(text)
    assert position.is_over
    assert position.scores() == (0.5, 0.5)
    assert hex.presentation.result(position, position.outcome(), ["one", "two"]).startswith(
        "A draw"
    )
