import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.views import animation, plain, svg, terminal
from ludograph.views.ansi import Colors
from ludograph.views.colors import contrast, parse
from ludograph.views.scene import Numeral, Scene, Stroke
from tests.amounts import amount
from tests.views.build import SQUARE, hexagons, scene, squares
from tests.views.screen import read

SVG = "{http://www.w3.org/2000/svg}"


def parsed(whole, **more):
    return ElementTree.fromstring(svg.render(whole, **more))


def cells_by_color(root):
    return {
        path.get("fill"): path.get("d").count("M")
        for path in root.iter(f"{SVG}path")
        if path.get("class") == "cells"
    }


def texts(root, kind):
    return [text.text for text in root.iter(f"{SVG}text") if text.get("class") == kind]


def test_each_color_is_one_path_with_its_cells():
    board = squares(4, 4, [0, 1, 2, -1] * 4)
    count = Counter(board.palette[fill].rgb for fill in board.fills.tolist() if fill >= 0)
    assert cells_by_color(parsed(board)) == count


def test_squares_are_written_compactly():
    assert re.search(r'd="M0 0h(\d+)v\1h-\1zM', svg.render(squares(3, 3, np.zeros(9))))
    assert len(svg.render(squares(100, 100))) < 250_000


def test_the_board_keeps_its_proportions():
    root = parsed(squares(10, 20), size=400)
    assert root.get("width") == "400"
    assert 200 <= float(root.get("height")) <= 230


def test_a_zone_has_one_border_of_the_right_length_and_color():
    groups = np.full(100, -1)
    groups[[0, 1, 2, 10]] = 0
    root = parsed(squares(10, 10, groups=groups, group_colors=("#ABCDEF",)))
    (zone,) = [g for g in root.iter(f"{SVG}g") if g.get("class") == "zone"]
    colors = [path.get("stroke") for path in zone]
    assert "#abcdef" in colors
    path = zone[0].get("d")
    assert path.count("M") == 1
    steps = [abs(int(step)) for step in re.findall(r"[hv](-?\d+)", path)]
    side = 570  # tenths of a pixel: 95 % of 600 pixels for ten cells
    # Closing the path draws the last of the ten sides.
    assert side * 10 - 3 * side <= sum(steps) < side * 10


def test_zones_are_cut_at_their_own_border():
    groups = [0, 0, 1, 1]
    root = parsed(squares(2, 2, groups=groups))
    names = {clip.get("id") for clip in root.iter(f"{SVG}clipPath")}
    used = {g.get("clip-path") for g in root.iter(f"{SVG}g") if g.get("clip-path")}
    assert used == {f"url(#{name})" for name in names}
    assert len(names) == 2


def test_texts_are_escaped():
    evil = "<script>alert(\"1\")</script> & 'co' \x00\x1b\ud800\ufffe"
    picture = svg.render(squares(2, 2, title=evil, captions=(evil,), labels={0: "<"}))
    root = ElementTree.fromstring(picture)
    clean = "<script>alert(\"1\")</script> & 'co'"
    assert texts(root, "title") == texts(root, "caption") == [clean]
    assert root.find(f"{SVG}title").text == clean
    assert texts(root, "label") == ["<"]
    assert "<script" not in picture
    picture.encode()


def test_long_texts_are_broken_into_lines():
    root = parsed(squares(3, 3, title="word " * 30))
    assert len(texts(root, "title")) > 2
    assert " ".join(texts(root, "title")) == ("word " * 30).strip()


def test_labels():
    root = parsed(squares(1, 3, [0, -1, 2], labels={0: "A"}))
    assert texts(root, "label") == ["A"]
    assert texts(parsed(squares(1, 3)), "label") == []


def test_links_and_strokes():
    strokes = (Stroke((0, 1, 2), "#ff0000"), Stroke((1,), "#00ff00"), Stroke((), "#0000ff"))
    picture = svg.render(squares(1, 3, links=[(0, 1), (1, 2)], groups=[0, 0, -1], strokes=strokes))
    root = ElementTree.fromstring(picture)
    colors = [path.get("stroke") for path in root.iter(f"{SVG}path")]
    assert "#ff0000" in colors
    assert [dot.get("fill") for dot in root.iter(f"{SVG}circle")][-1] == "#00ff00"


def test_equal_scenes_have_equal_pictures():
    assert svg.render(hexagons(4, 4)) == svg.render(hexagons(4, 4))


@pytest.mark.parametrize("board", [scene([], SQUARE, []), squares(2, 2, [-1] * 4)])
def test_nothing_to_draw_is_a_picture_too(board):
    assert cells_by_color(parsed(board)) == {}


@st.composite
def scenes(draw):
    """Any polygons, crossing, doubled or empty, with any texts."""
    count = draw(st.integers(1, 12))
    scale = 10.0 ** draw(st.integers(-6, 6))
    numbers = st.integers(-8, 8).map(lambda n: n * scale)
    points = st.tuples(numbers, numbers)
    outlines = draw(st.lists(st.lists(points, max_size=6), min_size=count, max_size=count))
    cells = st.integers(0, count - 1)
    text = st.text(st.characters(), max_size=8)
    whole = squares(1, 1)
    return Scene(
        np.array(draw(st.lists(points, min_size=count, max_size=count))).reshape(-1, 2),
        np.cumsum([0, *(len(outline) for outline in outlines)]).astype(np.int32),
        np.array([point for outline in outlines for point in outline], dtype=float).reshape(-1, 2),
        draw(st.lists(st.integers(-1, 5), min_size=count, max_size=count).map(_ints)),
        whole.palette,
        draw(st.dictionaries(cells, text, max_size=4)),
        draw(st.none() | st.lists(st.integers(-1, 3), min_size=count, max_size=count).map(_ints)),
        ("#112233", "#ffffff"),
        draw(
            st.none()
            | st.lists(st.tuples(cells, cells), max_size=5).map(lambda e: _ints(e).reshape(-1, 2))
        ),
        tuple(
            Stroke(tuple(chain), "#ff00aa")
            for chain in draw(st.lists(st.lists(cells, max_size=4), max_size=2))
        ),
        draw(text),
        tuple(draw(st.lists(text, max_size=2))),
    )


def _ints(values):
    return np.array(values, dtype=np.int32)


@pytest.mark.slow
@settings(deadline=None, max_examples=amount(120))
@given(scenes(), st.integers(1, 90), st.integers(1, 40))
def test_any_scene_can_be_drawn(whole, width, height):
    ElementTree.fromstring(svg.render(whole).encode())
    ElementTree.fromstring(animation.render([whole, whole]).encode())
    assert "\x1b" not in plain.text(whole)
    for colors in (Colors.TRUE, Colors.INDEXED):
        read(terminal.render(whole, width=width, height=height, color=colors))


@pytest.mark.parametrize("kind", ["label", "note", "numeral"])
@pytest.mark.parametrize("label", ["7", "42", "317"])
def test_digits_stay_inside_of_small_cells(label, kind):
    small = tuple((0.3 * x, 0.3 * y) for x, y in SQUARE)
    big, tiny = squares(3, 3, np.zeros(9)), scene([[5, 5]], small, [0])
    points = np.concatenate((big.outline_points, tiny.outline_points))
    both = Scene(
        positions=np.concatenate((big.positions, tiny.positions)),
        outline_offsets=(np.arange(11) * 4).astype(np.int32),
        outline_points=points,
        fills=np.zeros(10, dtype=np.int32),
        palette=big.palette,
    )
    texts = {0: label, 9: label}
    if kind == "label":
        both = replace(both, labels=texts)
    elif kind == "note":
        both = replace(both, notes=texts)
    else:
        both = replace(both, numerals=dict.fromkeys(texts, Numeral(int(label), "#ffffff")))
    root = parsed(both, size=600)
    scale = 600 * 0.95 / 5.65
    sizes = [
        float(text.get("font-size")) / 10
        for text in root.iter(f"{SVG}text")
        if text.get("class") == kind
    ]
    for size, side in zip(sizes, (1.0, 0.3), strict=True):
        assert 0.6 * len(label) * size < side * scale
        assert 0.72 * size < side * scale


def test_numbers_are_in_readable_inks_and_take_the_place_of_a_ring():
    numerals = {0: Numeral(1, "#000000"), 1: Numeral(2, "#ffffff"), 2: Numeral(3, "#ffffff")}
    board = squares(1, 3, numerals=numerals, strokes=(Stroke((2,), "#cc0000"),))
    root = parsed(board)
    found = [each for each in root.iter(f"{SVG}text") if each.get("class") == "numeral"]
    assert [each.text for each in found] == ["1", "2", "3"]
    black, white, last = (parse(each.get("fill")) for each in found)
    assert contrast(black, (0, 0, 0)) > 7
    assert contrast(white, (255, 255, 255)) > 7
    assert last == (204, 0, 0)
    assert list(root.iter(f"{SVG}circle")) == []


def test_a_line_does_not_cross_a_number():
    board = squares(1, 2, numerals={0: Numeral(1, "#00ff00")}, strokes=(Stroke((0, 1), "#cc0000"),))
    (disc,) = parsed(board).iter(f"{SVG}circle")
    assert disc.get("fill") == "#00ff00"


def ticks(root):
    return [
        (each.text, float(each.get("x")), float(each.get("y")))
        for each in root.iter(f"{SVG}text")
        if each.get("class") == "tick"
    ]


def test_rows_and_columns_are_named_outside_of_the_board():
    board = replace(squares(3, 3), rows={0: "10", 3: "9"}, columns={6: "a", 8: "c"})
    root = parsed(board, size=400)
    (shift,) = [
        g.get("transform") for g in root.iter(f"{SVG}g") if "scale" in g.get("transform", "")
    ]
    left, top = map(float, re.findall(r"translate\(([\d.]+) ([\d.]+)\)", shift)[0])
    bottom = top + 3 * (400 * 0.95 / 5)
    places = {text: (x, y) for text, x, y in ticks(root)}
    assert set(places) == {"10", "9", "a", "c"}
    assert places["10"][0] == places["9"][0] < left
    assert top < places["10"][1] < places["9"][1] < bottom
    assert places["a"][1] == places["c"][1] > bottom
    assert left < places["a"][0] < places["c"][0]
    assert bottom < float(root.get("height"))


def test_of_very_many_rows_some_are_named():
    board = replace(squares(300, 1), rows={row: str(row) for row in range(300)})
    heights = [y for _, _, y in ticks(parsed(board))]
    assert 20 < len(heights) < 60
    gaps = np.diff(heights)
    assert gaps.min() > 10
    assert np.allclose(gaps, gaps[0], atol=0.2)
