"""What a notebook shows of positions, boards, results and records, asked for as IPython does."""

import dataclasses
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from ludograph import boards, make, play_match, play_series, read_record, rules
from ludograph.cli.play.frames import Frame
from ludograph.errors import InvalidInput
from ludograph.games.hex.presentation import STONES
from ludograph.games.pictures import called
from ludograph.games.registry import OURS
from ludograph.rules import random_state
from ludograph.web.positions import serializers
from ludograph.web.positions.serializers import SceneEncoder
from tests.toys.nim_game import NimGame, NimPresentation
from tests.views.test_svg import texts

SVG = "{http://www.w3.org/2000/svg}"


def shown(thing):
    return ElementTree.fromstring(thing._repr_svg_())


@pytest.mark.parametrize("name", OURS)
def test_a_position_shows_what_is_played_and_who_is_to_move(name):
    position = make(name, seed=3)
    root = shown(position)
    assert name in " ".join(texts(root, "title")).lower()
    told = " ".join(texts(root, "caption"))
    if position.turn is None:
        assert "Chance moves." in told
    else:
        assert f"{called(position, position.turn)} to move." in told


@pytest.mark.parametrize("name", OURS)
def test_texts_can_be_left_out(name):
    root = ElementTree.fromstring(make(name, seed=3).svg(title=False))
    assert texts(root, "title") == texts(root, "caption") == []


def test_scores_are_below_the_board():
    position = make("penguins", seats=3, seed=1)
    told = texts(ElementTree.fromstring(position.svg()), "caption")
    assert [line for line in told if "fish" in line] == [
        f"{called(position, seat)}: 0 fish" for seat in range(3)
    ]


class Captioned(NimPresentation):
    def scene(self, position):
        return dataclasses.replace(super().scene(position), captions=("The die shows 4",))


def test_captions_of_a_game_are_in_all_pictures():
    position = type("Captioned", (NimGame,), {"presentation": Captioned()})().position()
    told = texts(ElementTree.fromstring(position.svg()), "caption")
    assert told == ["The die shows 4", "seat 0 to move."]
    frame = Frame(position, ["Ann", "Bob"], "", "start")
    assert frame.titled_scene().captions[0] == "The die shows 4"
    pages = serializers.frame(position, SceneEncoder(position.scene()), ["Ann", "Bob"], [])
    assert pages["remains"] == "The die shows 4"


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


def test_a_series_is_two_tables_in_which_names_are_only_text():
    series = play_series(
        lambda seed: make("flood", "square:4", seed=seed), ["greedy", "random"], games=2
    )
    series.players[1].label = "<script>bad()</script>"
    page = series._repr_html_()

    class Reader(HTMLParser):
        tags, cells = [], []

        def handle_starttag(self, tag, attrs):
            self.tags.append(tag)

        def handle_data(self, data):
            self.cells.append(data)

    reader = Reader()
    reader.feed(page)
    assert set(reader.tags) == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert reader.tags.count("table") == 2
    assert reader.tags.count("tr") == 6
    assert reader.cells.count("<script>bad()</script>") == 2
    assert "pairs won" in reader.cells


@pytest.mark.parametrize("board", [boards.square(4), boards.penrose(3), make("hex").board])
def test_a_board_shows_its_vertices_numbered(board):
    root = shown(board)
    assert texts(root, "label") == [str(v) for v in range(board.n)]
    assert board.name in texts(root, "title")[0]
    bare = ElementTree.fromstring(board.svg(title=False, numbers=False))
    assert texts(bare, "label") == texts(bare, "title") == []


@pytest.mark.parametrize("name", OURS)
def test_names_are_those_that_moves_are_written_with(name):
    position = make(name, seed=3)
    assert texts(ElementTree.fromstring(position.svg()), "note") == []
    notes = texts(ElementTree.fromstring(position.svg(names=True)), "note")
    assert len(notes) == len(set(notes)) == len(position.game.presentation.cell_names(position))
    if name in ("hex", "penguins"):
        assert {position.text(move) for move in position.legal_moves()} - {"swap"} <= set(notes)
    if name == "amazons":
        targets = {position.text(move).split("-")[0] for move in position.legal_moves()}
        assert targets <= set(notes)
    if name == "carcassonne":
        assert notes == ["0,0"]


def played(name, *moves, **options):
    position = make(name, **options)
    for move in moves:
        position.play(move)
    return position


def numbered(position):
    """Return the number that stands on each cell, by the name of the cell."""
    scene = position.scene(numbers=True)
    names = position.game.presentation.cell_names(position)
    return {names[cell]: numeral.ply for cell, numeral in scene.numerals.items()}


def test_stones_of_hex_are_numbered_and_a_swap_counts():
    position = played("hex", "b2", "swap", "c3", "a1", size=5)
    assert numbered(position) == {"b2": 1, "c3": 3, "a1": 4}
    assert texts(ElementTree.fromstring(position.svg(numbers=True)), "numeral") == ["4", "1", "3"]
    assert texts(ElementTree.fromstring(position.svg()), "numeral") == []


def test_penguins_take_their_numbers_along():
    fish = [1, 2, 1, 1, 3, 1]
    position = played("penguins", "0", "5", "0-1", board="full-tetra:3x2", penguins=1, fish=fish)
    assert numbered(position) == {"5": 2, "1": 3}


def test_arrows_of_amazons_are_numbered():
    position = make("amazons", "square:6")
    for _ in range(3):
        position.play(position.legal_moves()[7])
    assert sorted(numbered(position).values()) == [1, 2, 3]
    assert set(position.scene(numbers=True).numerals) == set(position.arrows)


def test_tiles_of_carcassonne_are_numbered_where_they_lie():
    position = make("carcassonne", mode="infinite")
    rng = random_state(4)
    while position.ply < 30:
        position.play_random(rng)
    scene = position.scene(numbers=True)
    laid = [ply for ply, move in enumerate(position.history, 1) if move >= position.setup.kinds]
    found = {1 + cell // 9: each.ply for cell, each in scene.numerals.items()}
    assert found == dict(enumerate(laid, 2))
    assert not scene.numerals.keys() & scene.labels.keys()


def test_rows_and_columns_of_carcassonne_are_those_of_its_moves():
    position = make("carcassonne")
    rng = random_state(4)
    while position.ply < 20:
        position.play_random(rng)
    scene, tiles = position.scene(), position.tiles
    assert {int(text) for text in scene.columns.values()} == {tile.x for tile in tiles}
    assert {int(text) for text in scene.rows.values()} == {tile.y for tile in tiles}
    for cell, text in scene.columns.items():
        assert scene.positions[cell, 0] == int(text) == tiles[cell // 9].x
    for cell, text in scene.rows.items():
        assert scene.positions[cell, 1] == -int(text)


def test_rows_of_numbered_cells_show_the_first_number():
    assert make("penguins", "full-tetra:4x3").scene().rows == {0: "0", 4: "4", 8: "8"}
    assert make("penguins", "penrose:4").scene().rows == {}
    rows = make("hex", "triangular:3").scene().rows
    assert list(rows.values())[:4] == ["v0", "v2", "v6", "v12"]
    scene = make("amazons", "square:5x4", queens=1).scene()
    assert list(scene.rows.values()) == ["4", "3", "2", "1"]
    assert "".join(scene.columns.values()) == "abcde"


def test_moves_that_are_not_known_are_not_numbered():
    position = played("hex", "b2", size=4)
    twin = position.copy()
    twin.play("c3")
    assert (len(position.history), len(twin.history)) == (1, 2)
    rules.play(twin.setup, twin.state, twin.parse("d4"))
    with pytest.raises(InvalidInput, match="at ply 3 and knows 2 of its moves"):
        twin.svg(numbers=True)
    assert "<svg" in twin.svg()


@pytest.fixture
def drawable(tmp_path):
    """Return all that has a picture: a position, its board, a result, a record."""
    path = tmp_path / "drawn.jsonl"
    result = play_match(make("hex", size=3, pie=False), ["random", "random"], record=path)
    return result.position, result.position.board, result, read_record(path)


def test_what_has_a_picture_has_a_png_too(drawable):
    pytest.importorskip("resvg_py")
    for one in drawable:
        png = one.png(size=200)
        assert png.startswith(b"\x89PNG")
        assert int.from_bytes(png[16:20], "big") == 400


@pytest.mark.slow
def test_a_png_shows_what_the_svg_shows(drawable):
    pytest.importorskip("resvg_py")
    position, board, result, record = drawable
    assert position.png(title=False) != position.png()
    assert board.png(numbers=False, title=False) != board.png()
    assert result.png(numbers=True) not in {result.png(), result.png(names=True)}
    assert record.png() == result.png()
    assert record.png(ply=1, numbers=True) != record.png(ply=2, numbers=True)
    with pytest.raises(InvalidInput):
        record.png(ply=99)


def test_without_the_package_a_png_is_refused_in_a_sentence(drawable, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    for one in drawable:
        with pytest.raises(InvalidInput, match=r"pip install 'ludograph\[png\]'"):
            one.png()


def test_results_and_records_show_numbers(tmp_path):
    path = tmp_path / "game.jsonl"
    result = play_match(make("hex", size=3, pie=False), ["random", "random"], record=path)
    found = texts(ElementTree.fromstring(result.svg(numbers=True)), "numeral")
    assert sorted(map(int, found)) == list(range(1, result.position.ply + 1))
    record = read_record(path)
    assert texts(ElementTree.fromstring(record.svg(numbers=True)), "numeral") == found
    film = texts(ElementTree.fromstring(record.animation(numbers=True)), "numeral")
    assert set(film) == set(found)
    names = texts(ElementTree.fromstring(record.svg(ply=1, names=True)), "note")
    assert sorted(names) == sorted(f"{column}{row}" for column in "abc" for row in (1, 2, 3))


def test_stones_of_hex_are_round_and_the_wood_stays_below():
    position = make("hex", size=5)
    for move in ("b2", "c3", "d4"):
        position.play(move)
    scene = position.scene()
    lights = [piece.shapes[-1].fill for piece in scene.pieces]
    assert sorted(lights) == sorted((STONES[0][0], STONES[0][0], STONES[1][0]))
    wood = {int(scene.fills[position.parse(move)]) for move in ("b2", "c3", "d4", "e5")}
    assert wood == {0}
    assert scene.title == ""
