"""Games of Hex as SGF: what is written is read as the same game, and the field's files are read."""

import random

import pytest

from ludograph import InvalidInput, hex, play_match, read_record
from ludograph.games.hex import hex_board
from ludograph.games.hex.sgf import LARGEST, HexGame, cell_name, cell_of, read_sgf, write_sgf
from ludograph.protocols.formats import format_of


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
    return HexGame(hex.position(size), moves, ("one", "two")), position


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("size", [2, 5, 11, 28])
def test_round_trip(size, swap):
    for seed in range(3):
        game, end = random_game(seed, size, swap)
        text = write_sgf(game)
        assert ("swap-pieces" in text) == swap
        again = read_sgf(text)
        assert (again.start, again.moves, again.names) == (game.start, game.moves, game.names)
        assert again.result == "BW"[end.outcome().winner] + "+"
        assert write_sgf(again) == text
        assert read_sgf(with_sides(game)).moves == game.moves


def with_sides(game):
    """The game with ``swap-sides``: stones stay, and the same color moves again."""
    nodes, swapped = [], False
    for ply, move in enumerate(game.moves):
        color = "BW"[ply % 2 ^ swapped]
        swap = move == game.start.swap
        cell = "swap-sides" if swap else cell_name(*game.start.place(move)[::-1])
        nodes.append(f";{color}[{cell}]")
        swapped = swapped or swap
    if game.left is not None:
        nodes.append(f";{'BW'[game.left ^ swapped]}[{game.how}]")
    return f"(;GM[11]SZ[{game.start.size}]{''.join(nodes)})"


def test_each_cell_of_the_largest_board_has_a_name_in_sgf() -> None:
    for number in range(LARGEST):
        for name, column, row in (
            (cell_name(number, 0), number, 0),
            (cell_name(0, number), 0, number),
        ):
            assert cell_of(name) == (column, row)


@pytest.mark.parametrize("written", [write_sgf, with_sides])
@pytest.mark.parametrize("how", ["resign", "forfeit"])
@pytest.mark.parametrize("left", [0, 1])
def test_who_gives_up_loses(left, how, written):
    game, _ = random_game(1, swap=True)
    short = HexGame(game.start, game.moves[:4], game.names, left, how)
    again = read_sgf(written(short))
    assert (again.left, again.how, again.moves) == (left, how, short.moves)
    if written is write_sgf:
        assert again.result == f"{'WB'[left]}+{how.capitalize()}"


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


def test_after_an_old_swap_the_same_color_moves_and_the_stone_stays():
    """The files of the Olympiads call all swaps alike; who moves next tells which one it was."""
    for swap in ("swap-pieces", "SWAP", "swap", "swap-sides", "Swap-Sides"):
        game = read_sgf(f"(;GM[11]SZ[5]PB[one]PW[two];B[a2];W[{swap}];W[c4]BL[0];B[b1];W[d4])")
        assert texts(game) == ["a2", "swap", "c4", "b1", "d4"]
        assert game.names == ("one", "two")
        new = read_sgf(write_sgf(game))
        assert (new.moves, new.names) == (game.moves, game.names)
    game = read_sgf("(;GM[11]SZ[5];B[a2];W[swap];B[c4];W[e1])")
    assert texts(game) == ["a2", "swap", "d3", "a5"]


@pytest.mark.parametrize("left", ["B", "W"])
def test_a_resignation_directly_after_a_swap_is_that_of_its_color(left):
    for swap in ("swap-pieces", "swap"):
        for end in ("resign", "Resign", " FORFEIT "):
            for turn in ("", ";PL[B]", ";PL[b]"):
                game = read_sgf(f"(;GM[11]SZ[5];B[a2];W[{swap}]{turn};{left}[{end}])")
                assert game.left == "BW".index(left)


@pytest.mark.parametrize("turn", [";PL[W]", ";PL[W];C[then]", "PL[W];PL[w]"])
def test_whose_turn_it_is_does_not_hide_that_the_same_color_moves(turn):
    """A property of the swap's own node counts before the swap."""
    game = read_sgf(f"(;GM[11]SZ[5];B[a2];W[swap-pieces]{turn};W[c4];PL[B];B[b1])")
    assert texts(game) == ["a2", "swap", "c4", "b1"]


GOLEM = (
    "(;FF[4]EV[hex.in.DEFAULT.1]PB[first]PW[second]SZ[5]RE[{}]GC[ game #7]"
    "SO[https://www.littlegolem.net];{})"
)


def test_littlegolem_has_letters_and_calls_its_first_player_w():
    game = read_sgf(GOLEM.format("W", "W[cb];B[ee];W[ad];B[da];W[resign]"))
    assert texts(game) == ["c2", "e5", "a4", "d1"]
    assert game.names == ("first", "second")
    assert (game.left, game.how, game.result) == (0, "resign", "W")
    assert "RE[W+Resign]" in write_sgf(game)
    swapped = read_sgf(GOLEM.format("B", "W[ab];B[swap];W[cd];B[resign]"))
    assert texts(swapped) == ["a2", "swap", "d3"]
    assert swapped.left == 1
    column = "W[ca];B[aa];W[cb];B[ab];W[cc];B[ac];W[cd];B[ad];W[ce]"
    end = read_sgf(GOLEM.format("B", column))
    position = end.start.copy()
    for move in end.moves:
        position.play(move)
    assert position.outcome().winner == 0
    assert "RE[B+]" in write_sgf(end)


def test_letters_are_read_in_files_of_hex_too():
    assert texts(read_sgf("(;GM[11]SZ[5]PL[B];B[cb];W[EE])")) == ["c2", "e5"]
    assert texts(read_sgf("(;EV[hex.ch.1]SZ[5];W[cb];B[ee])")) == ["c2", "e5"]
    golem = "(;EV[null]SO[http://www.littlegolem.com]SZ[5];W[cb];B[ee])"
    assert texts(read_sgf(golem)) == ["c2", "e5"]


def test_without_a_size_a_board_has_eleven_columns():
    assert read_sgf("(;GM[11];B[k11])").start.size == 11


CONNECTED = "B[a1];W[b1];B[a2];W[b2];B[a3]"


@pytest.mark.parametrize("how", ["resign", "forfeit"])
@pytest.mark.parametrize("color", ["B", "W"])
@pytest.mark.parametrize("result", ["", "RE[W+]", "RE[B+]", "RE[W+Resign]"])
def test_whoever_resigns_after_a_connection_changes_nothing(color, how, result, tmp_path):
    text = f"(;GM[11]SZ[3]{result};{CONNECTED};{color}[{how}])"
    game = read_sgf(text)
    assert game.left is None
    assert len(game.remarks) == 1
    again = write_sgf(game)
    assert "RE[B+]" in again
    assert how not in again
    path = tmp_path / "game.sgf"
    path.write_text(text)
    record = format_of(path).read(path)
    assert record.end["end"] == "finished"
    assert "seat 0" in record.end["sentence"]
    assert "left out" in record.warning
    assert "RE[B+]" in format_of(path).write(record)
    game.left, game.how = "BW".index(color), how
    assert "RE[B+]" in write_sgf(game)


@pytest.mark.parametrize(
    ("behind", "games"),
    [
        ("", 1),
        ("(;GM[11]SZ[3];B[b2])", 2),
        ("\n\ngame 2: (;GM[1];B[dd](;W[dp])(;W[pd]C[(;)]))\n(;GM[11])", 3),
        (" (made by a program)", 1),
    ],
)
def test_other_games_of_a_file_are_named(behind, games, tmp_path):
    for line in ("(;GM[11]SZ[3];B[a1])", "(;GM[11]SZ[3];B[a1](;W[b2]C[)(;])(;W[c3]))"):
        game = read_sgf(line + behind)
        assert any(f"{games} games" in remark for remark in game.remarks) == (games > 1)
    path = tmp_path / "game.sgf"
    path.write_text(f"(;GM[11]SZ[3];B[a1]){behind}")
    assert ("the file has" in format_of(path).read(path).warning) == (games > 1)


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [
        ("", "utf-8"),
        ("", "latin-1"),
        ("CA[UTF-8]", "utf-8"),
        ("CA[ISO-8859-1]", "latin-1"),
        ("CA[windows-1252]", "cp1252"),
        ("CA [ ISO-8859-2 ]", "iso-8859-2"),
    ],
)
def test_names_are_read_in_the_encoding_of_the_file(charset, encoding, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes(f"(;GM[11]SZ[3]{charset}PB[Ren\xe9]PW[\xd6];B[a1])".encode(encoding))
    record = format_of(path).read(path)
    assert record.names == ["Ren\xe9", "\xd6"]
    assert "CA[UTF-8]" in format_of(path).write(record)


def test_gb18030_is_read(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes("(;GM[11]CA[gb18030]SZ[3]PB[\u68cb\u624b];B[a1])".encode("gb18030"))
    assert format_of(path).read(path).names == ["\u68cb\u624b", "?"]


@pytest.mark.parametrize(
    "name",
    ["UTF-16", "rot13", "utf-7", "zlib", "unicode_escape", "punycode", "idna", "cp037"],
)
def test_an_encoding_in_which_ascii_means_something_else_is_named(name, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(f"(;GM[11]CA[{name}]SZ[3];B[a1])")
    with pytest.raises(InvalidInput, match=r"game\.sgf: CA\["):
        format_of(path).read(path)


@pytest.mark.parametrize("name", ["", " ", "none", "Unicode", "nonsense", "\xe9", "a\0b", "a\\]"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_file_of_an_unknown_encoding_is_read_as_one_without(name, encoding, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes(f"(;GM[11]CA[{name}]SZ[3]PB[Ren\xe9];B[a1])".encode(encoding))
    record = format_of(path).read(path)
    assert record.names == ["Ren\xe9", "?"]
    assert ("CA[" in record.warning) == bool(name.strip())


@pytest.mark.parametrize(
    ("root", "later"),
    [
        ("C[CA [UTF-16\\]]", ""),
        ("C[in CA [rot13 ; or CA[utf-7\\] ]", ""),
        ("", "CA[UTF-16]"),
        ("C[;]CA[UTF-8]", "C[CA[cp037\\]]"),
    ],
)
def test_the_encoding_is_that_of_the_first_node(root, later, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(f"(;GM[11]SZ[3]PB[Ren\xe9]{root};B[a1]{later})", "utf-8")
    record = format_of(path).read(path)
    assert record.names == ["Ren\xe9", "?"]
    assert "CA" not in record.warning


def texts(game):
    return [game.start.text(move) for move in game.moves]


def test_names_are_escaped():
    game = HexGame(hex.position(3), [], ("a]b\\", "(;W[x])"))
    assert read_sgf(write_sgf(game)).names == game.names


def test_only_the_main_line_is_read():
    game = read_sgf("(;GM[11]SZ[3];B[a1](;W[b2];B[c1])(;W[c3]))")
    assert len(game.moves) == 3


WRONG = {
    "": "there is no game",
    "hello": "begins with '\\('",
    "\x00\x01": "no SGF",
    "(;GM[1]SZ[19])": r"GM\[1\] is not Hex",
    "(;GM[11]SZ[])": r"SZ\[\] is not a size",
    "(;GM[11];B[l12])": "no cell of a board of 11 x 11",
    "(;SZ[5];B[aa];W[bb])": "is not Hex",
    "(;EV[twixt.ch.1]SO[http://www.littlegolem.com]SZ[24];W[aa])": "is not Hex",
    "(;SZ[5]SO[http://www.littlegolem.com];W[af])": "no cell",
    "(;SZ[5]SO[http://www.littlegolem.com];W[aa];W[bb])": "it is B's turn",
    "(;GM[11]SZ[5]PL[W];W[a1])": r"PL\[W\]: it is B's turn",
    "(;GM[11]SZ[5]PL[white];B[a1])": r"PL\[white\]: it is B's turn",
    "(;GM[11]SZ[5];B[a1];PL[B];B[b2])": r"node 2, PL\[B\]: it is W's turn",
    "(;GM[11]SZ[5]PL[x])": r"PL\[x\]",
    "(;GM[11]SZ[5];B[a2];W[swap];W[c4];W[e1])": "it is B's turn",
    "(;GM[11]SZ[5];B[a2];W[swap];B[c4];B[e1])": "it is W's turn",
    "(;GM[11]SZ[5];B[a2];W[b3];B[swap])": "is not legal",
    "(;GM[11]SZ[0])": "is not a size",
    "(;GM[11]SZ[9999])": "is not a size",
    "(;GM[11]SZ[1000])": "is not a size",
    "(;GM[11]SZ[3];B[aab1])": "no cell",
    "(;GM[11]SZ[5:6])": "as many columns as rows",
    "(;GM[11]SZ[3];B[a1]": "does not end",
    "(;GM[11]SZ[3];B[a1": "no SGF at",
    "(;GM[11]SZ[3];[a1])": "belongs to no property",
    "(;GM[11]SZ[3]AB[a1];B[a2])": "not played",
    "(;GM[11]SZ[3];B[d1])": r"node 1, B\[d1\]: no cell",
    "(;GM[11]SZ[3];B[])": "no cell",
    "(;GM[11]SZ[3];W[a1])": "it is B's turn",
    "(;GM[11]SZ[3];B[a1];W[a1])": "is not legal",
    "(;GM[11]SZ[3];B[swap-pieces])": "is not legal|no move",
    "(;GM[11]SZ[3];B[a1];W[resign];B[a2])": "a move after resign",
    "(;GM[11]SZ[1];B[a1];W[a1])": "over",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_said(text):
    with pytest.raises(InvalidInput, match=WRONG[text]) as caught:
        read_sgf(text, "game.sgf")
    assert str(caught.value).startswith("game.sgf: ")


def test_other_boards_are_refused():
    for board in (hex_board(4, "c"), hex_board(3, "t")):
        with pytest.raises(InvalidInput, match="hexagonal cells"):
            write_sgf(HexGame(hex.position(board)))


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
