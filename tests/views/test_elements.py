"""Sketches: pictures finer than cells, on boards that may grow."""

import dataclasses
from xml.etree import ElementTree

import numpy as np
import pytest

from ludograph.errors import InvalidInput
from ludograph.views import Shape, Sketch, Stroke, animation, plain, svg
from tests.views.build import squares

SVG = "{http://www.w3.org/2000/svg}"
CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
TILE = (Shape(CORNERS, "#008000", "#004000", 0.1),)
LINE = (Shape(CORNERS[:2], line="#ff0000", width=0.2, closed=False, blunt=True),)


def board(columns, *sketches):
    tiles = [Sketch(TILE, (column, 0)) for column in range(columns)]
    return dataclasses.replace(squares(1, columns), sketches=(*sketches, *tiles))


def drawn(text):
    return [
        group for group in ElementTree.fromstring(text).iter() if group.get("class") == "sketch"
    ]


def test_sketches_take_the_place_of_cells():
    scene = board(3, Sketch(LINE, (1, 0), level=1))
    text = svg.render(scene)
    assert 'class="cells"' not in text
    assert text == svg.render(scene)
    fills = [group[0].get("fill") for group in drawn(text)]
    assert fills == ["#008000"] * 3 + ["none"]  # higher levels come last
    line = drawn(text)[-1][0]
    assert line.get("stroke-linecap") == "butt"
    assert not line.get("d").endswith("z")
    assert drawn(text)[0][0].get("d").endswith("z")
    assert plain.text(scene) == "0 1 2"


def test_the_places_of_sketches():
    places = [
        [int(number) for number in group.get("transform")[10:-1].split()]
        for group in drawn(svg.render(board(3)))
    ]
    steps = np.diff(places, axis=0).tolist()
    assert steps[0] == steps[1]
    assert steps[0][0] > 0 == steps[0][1]


def test_the_board_of_an_animation_may_grow():
    scenes = [board(columns) for columns in (1, 2, 4)]
    root = ElementTree.fromstring(animation.render(scenes))
    groups = [group for group in root.iter(f"{SVG}g") if group.get("class") == "sketch"]
    assert len(groups) == 4  # each tile once
    assert len(list(root.iter(f"{SVG}animate"))) == 3 + 1  # the last three appear; the bar
    whole = drawn(svg.render(scenes[-1]))
    assert [g.get("transform") for g in groups] == [g.get("transform") for g in whole]


def test_levels_hold_in_an_animation_too():
    scenes = [board(1, Sketch(LINE, (0, 0), level=1)), board(2)]
    text = animation.render(scenes)
    assert [group[0].get("fill") for group in drawn(text)] == ["#008000", "#008000", "none"]


def test_cells_that_differ_need_sketches():
    with pytest.raises(InvalidInput, match="same cells"):
        animation.render([squares(1, 1), squares(1, 2)])
    with pytest.raises(InvalidInput, match="same cells"):
        animation.render([board(1), squares(1, 2)])


def test_colors_are_colors():
    with pytest.raises(InvalidInput):
        svg.render(board(1, Sketch((Shape(CORNERS, 'red"/><script>'),))))


def test_pieces_stand_on_lines_that_are_below_them():
    ways = (Stroke((0, 1), "#cc0000"), Stroke((1, 2), "#0000cc", below=True))
    piece = Sketch((Shape(CORNERS, fill="#00cc00"),))
    text = svg.render(squares(1, 3, strokes=ways, pieces=(piece,)))
    assert text.index("#0000cc") < text.index("#00cc00") < text.index("#cc0000")
