"""What a notebook shows of positions, boards, results and records, asked for as IPython does."""

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from ludograph import boards, make, play_match, play_series, read_record
from ludograph.games.pictures import called
from tests.views.test_svg import texts

SVG = "{http://www.w3.org/2000/svg}"
GAMES = ["flood", "hex", "penguins", "amazons", "carcassonne"]


def shown(thing):
    return ElementTree.fromstring(thing._repr_svg_())


@pytest.mark.parametrize("name", GAMES)
def test_a_position_shows_what_is_played_and_who_is_to_move(name):
    position = make(name, seed=3)
    root = shown(position)
    assert name in " ".join(texts(root, "title")).lower()
    told = " ".join(texts(root, "caption"))
    if position.turn is None:
        assert "Chance moves." in told
    else:
        assert f"{called(position, position.turn)} to move." in told


@pytest.mark.parametrize("name", GAMES)
def test_texts_can_be_left_out(name):
    root = ElementTree.fromstring(make(name, seed=3).svg(title=False))
    assert texts(root, "title") == texts(root, "caption") == []


def test_scores_are_below_the_board():
    position = make("penguins", seats=3, seed=1)
    told = texts(ElementTree.fromstring(position.svg()), "caption")
    assert [line for line in told if "fish" in line] == [
        f"{called(position, seat)}: 0 fish" for seat in range(3)
    ]


def test_a_result_shows_names_and_sentence():
    result = play_match(make("flood", "square:5", seed=2), ["greedy", "random"])
    told = " ".join(texts(shown(result), "caption"))
    assert result.sentence in told
    assert result.names[0] in told


def test_a_record_plays_the_game_and_draws_any_ply(tmp_path):
    path = tmp_path / "game.jsonl"
    result = play_match(make("flood", "square:5", seed=2), ["greedy", "random"], record=path)
    record = read_record(path)
    assert shown(record).find(f".//{SVG}animate") is not None
    assert texts(ElementTree.fromstring(record.svg()), "caption") == texts(shown(result), "caption")
    middle = ElementTree.fromstring(record.svg(ply=3))
    assert "after 3 moves" in " ".join(texts(middle, "title"))


def test_a_series_is_a_table_in_which_names_are_only_text():
    series = play_series(
        lambda seed: make("flood", "square:4", seed=seed), ["greedy", "random"], games=2
    )
    series.players[1].name = "<script>bad()</script>"
    page = series._repr_html_()

    class Reader(HTMLParser):
        tags, cells = [], []

        def handle_starttag(self, tag, attrs):
            self.tags.append(tag)

        def handle_data(self, data):
            self.cells.append(data)

    reader = Reader()
    reader.feed(page)
    assert set(reader.tags) == {"table", "caption", "tr", "th", "td"}
    assert reader.tags.count("tr") == 3
    assert "<script>bad()</script>" in reader.cells


@pytest.mark.parametrize("board", [boards.square(4), boards.penrose(3), make("hex").board])
def test_a_board_shows_its_vertices_numbered(board):
    root = shown(board)
    assert texts(root, "label") == [str(v) for v in range(board.n)]
    assert board.name in texts(root, "title")[0]
    bare = ElementTree.fromstring(board.svg(title=False, numbers=False))
    assert texts(bare, "label") == texts(bare, "title") == []


@pytest.mark.parametrize("name", ["flood", "hex", "penguins", "amazons"])
def test_numbers_are_those_that_moves_are_written_with(name):
    position = make(name, seed=3)
    assert texts(ElementTree.fromstring(position.svg()), "note") == []
    notes = texts(ElementTree.fromstring(position.svg(numbers=True)), "note")
    assert len(notes) == len(set(notes)) == len(position.game.cell_names(position))
    if name in ("hex", "penguins"):
        assert {position.text(move) for move in position.legal_moves()} - {"swap"} <= set(notes)
    if name == "amazons":
        targets = {position.text(move).split("-")[0] for move in position.legal_moves()}
        assert targets <= set(notes)


def test_stones_of_hex_are_round_and_the_wood_stays_below():
    position = make("hex", size=5)
    for move in ("b2", "c3", "d4"):
        position.play(move)
    scene = position.scene().shown
    fills = [piece.shapes[0].fill for piece in scene.pieces]
    assert sorted(fills) == ["#1c1c20", "#1c1c20", "#ffffff"]
    wood = {int(scene.fills[position.parse(move)]) for move in ("b2", "c3", "d4", "e5")}
    assert wood == {0}
    assert scene.title == ""
