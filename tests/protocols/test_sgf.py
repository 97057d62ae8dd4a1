"""Games of Hex as SGF: what is written is read as the same game, and the field's files are read."""

import random

import pytest

from ludograph import InvalidInput, hex, play_match, read_record
from ludograph.games.hex import hex_board
from ludograph.protocols.formats import format_of
from ludograph.protocols.sgf import SgfGame, read_sgf, write_sgf
from ludograph.protocols.sgf.game import LARGEST, cell_name, cell_of

SWAPS = ["swap-pieces", "swap-sides"]


def random_game(seed, size=5, swap=None):
    generator = random.Random(seed)
    position = hex.position(size)
    moves = []
    while not position.is_over:
        choices = position.legal_moves()
        if position.ply == 1 and swap is not None:
            choices = [m for m in choices if (m == position.board.n) == swap]
        moves.append(generator.choice(choices))
        position.play(moves[-1])
    return SgfGame(hex.position(size), moves, ("one", "two")), position


@pytest.mark.parametrize("notation", SWAPS)
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("size", [2, 5, 11, 28])
def test_round_trip(size, swap, notation):
    for seed in range(3):
        game, end = random_game(seed, size, swap)
        text = write_sgf(game, swap=notation)
        assert (notation in text) == swap
        again = read_sgf(text)
        assert (again.start, again.moves, again.names) == (game.start, game.moves, game.names)
        sides = swap and notation == "swap-sides"
        assert again.result == "BW"[end.outcome().winner ^ sides] + "+"
        assert write_sgf(again, swap=notation) == text


def test_each_cell_of_the_largest_board_has_a_name_in_sgf() -> None:
    for number in range(LARGEST):
        for name, column, row in (
            (cell_name(number, 0), number, 0),
            (cell_name(0, number), 0, number),
        ):
            assert cell_of(name) == (column, row)


@pytest.mark.parametrize("notation", SWAPS)
@pytest.mark.parametrize("how", ["resign", "forfeit"])
@pytest.mark.parametrize("left", [0, 1])
def test_who_gives_up_loses(left, how, notation):
    game, _ = random_game(1, swap=True)
    short = SgfGame(game.start, game.moves[:4], game.names, left, how)
    again = read_sgf(write_sgf(short, swap=notation))
    assert (again.left, again.how, again.moves) == (left, how, short.moves)
    sides = notation == "swap-sides"
    assert again.result == f"{'WB'[left ^ sides]}+{how.capitalize()}"


def test_as_the_field_writes_it():
    head = "(;FF[4]GM[11]SZ[11]PB[mohex]PW[wolve]RE[B+]C[\\] ;B(\\\\]"
    text = f"{head}\n;B[a2]C[hm];W[d8] ;B [ K11 ])"
    game = read_sgf(text)
    assert [game.start.text(move) for move in game.moves] == ["a2", "d8", "k11"]
    assert game.names == ("mohex", "wolve")
    assert game.result == "B+"


def test_swap_pieces_reflects_the_stone_swap_sides_leaves_it():
    head = "(;GM[11]SZ[5:5];B[a2]"
    one = read_sgf(f"{head};W[swap-pieces];B[c4];W[e1])")
    assert [one.start.text(move) for move in one.moves] == ["a2", "swap", "d3", "a5"]
    other = read_sgf(f"{head};W[swap-sides];W[c4];B[e1])")
    assert [other.start.text(move) for move in other.moves] == ["a2", "swap", "c4", "e1"]


def test_names_are_escaped():
    game = SgfGame(hex.position(3), [], ("a]b\\", "(;W[x])"))
    assert read_sgf(write_sgf(game)).names == game.names


def test_only_the_main_line_is_read():
    game = read_sgf("(;GM[11]SZ[3];B[a1](;W[b2];B[c1])(;W[c3]))")
    assert len(game.moves) == 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no game"),
        ("hello", "begins with '\\('"),
        ("\x00\x01", "no SGF"),
        ("(;GM[1]SZ[19])", r"GM\[1\] is not Hex"),
        ("(;GM[11])", r"SZ\[\] is not a size"),
        ("(;GM[11]SZ[0])", "is not a size"),
        ("(;GM[11]SZ[9999])", "is not a size"),
        ("(;GM[11]SZ[1000])", "is not a size"),
        ("(;GM[11]SZ[3];B[aab1])", "no cell"),
        ("(;GM[11]SZ[5:6])", "as many columns as rows"),
        ("(;GM[11]SZ[3];B[a1]", "does not end"),
        ("(;GM[11]SZ[3];B[a1", "no SGF at"),
        ("(;GM[11]SZ[3];[a1])", "belongs to no property"),
        ("(;GM[11]SZ[3]AB[a1];B[a2])", "not played"),
        ("(;GM[11]SZ[3];B[d1])", r"node 1, B\[d1\]: no cell"),
        ("(;GM[11]SZ[3];B[])", "no cell"),
        ("(;GM[11]SZ[3];W[a1])", "it is B's turn"),
        ("(;GM[11]SZ[3];B[a1];W[a1])", "is not legal"),
        ("(;GM[11]SZ[3];B[swap-pieces])", "is not legal|no move"),
        ("(;GM[11]SZ[3];B[a1];W[resign];B[a2])", "a move after resign"),
        ("(;GM[11]SZ[1];B[a1];W[a1])", "over"),
    ],
)
def test_what_is_wrong_is_said(text, problem):
    with pytest.raises(InvalidInput, match=problem) as caught:
        read_sgf(text, "game.sgf")
    assert str(caught.value).startswith("game.sgf: ")


def test_other_boards_are_refused():
    for board in (hex_board(4, "c"), hex_board(3, "t")):
        with pytest.raises(InvalidInput, match="hexagonal cells"):
            write_sgf(SgfGame(hex.position(board)))


class Swapper:
    def choose(self, position):
        return max(position.legal_moves()) if position.ply < 5 else "purple"


@pytest.mark.parametrize("players", [["random", "random"], ["random", Swapper]])
def test_a_record_and_back(players, tmp_path):
    path, sgf = tmp_path / "game.jsonl", tmp_path / "game.sgf"
    result = play_match(hex.position(5), players, record=path)
    record = read_record(path)
    form = format_of(sgf)
    sgf.write_text(form.write(record))
    again = form.read(sgf)
    assert again.start == record.start
    assert [e.move for e in again.events] == [e.move for e in record.events]
    assert [e.drop for e in again.events] == [e.drop for e in record.events]
    assert again.names == record.names
    if result.reason == "finished":
        assert again.end["sentence"] == result.sentence
    else:
        assert "forfeit" in again.end["sentence"]
    assert form.write(again) == sgf.read_text()
