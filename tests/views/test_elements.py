"""Sketches: pictures finer than cells, on boards that may grow."""

import dataclasses
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from ludograph.errors import InvalidInput
from ludograph.views import Shape, Sketch, Stroke, Swatch, animation, plain, svg
from ludograph.views.curves import ellipse
from tests.views.build import squares

SVG = "{http://www.w3.org/2000/svg}"
CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
TILE = (Shape(CORNERS, "#008000", "#004000", 0.1),)
LINE = (Shape(CORNERS[:2], line="#ff0000", width=0.2, closed=False, blunt=True),)


def board(columns, *sketches):
    tiles = [Sketch(TILE, (column, 0)) for column in range(columns)]
    return dataclasses.replace(squares(1, columns), sketches=(*sketches, *tiles))


def drawn(text):
    """The uses of sketches in a picture, and what each of them shows."""
    root = ElementTree.fromstring(text)
    looks = {group.get("id"): group for group in root.iter(f"{SVG}g") if group.get("id")}
    uses = [use for use in root.iter(f"{SVG}use") if use.get("class") == "sketch"]
    return [(use, looks[use.get("href").removeprefix("#")]) for use in uses]


def fills(text):
    return [look[0].get("fill") for _, look in drawn(text)]


def places(text):
    return [(int(use.get("x")), int(use.get("y"))) for use, _ in drawn(text)]


def test_sketches_take_the_place_of_cells():
    scene = board(3, Sketch(LINE, (1, 0), level=1))
    text = svg.render(scene)
    assert 'class="cells"' not in text
    assert text == svg.render(scene)
    assert fills(text) == ["#008000"] * 3 + ["none"]  # higher levels come last
    line = drawn(text)[-1][1][0]
    assert line.get("stroke-linecap") == "butt"
    assert not line.get("d").endswith("z")
    assert drawn(text)[0][1][0].get("d").endswith("z")
    assert text.count('id="s') == 2  # equal sketches are defined once
    assert plain.text(scene) == "0 1 2"


def test_the_places_of_sketches():
    steps = np.diff(places(svg.render(board(3))), axis=0).tolist()
    assert steps[0] == steps[1]
    assert steps[0][0] > 0 == steps[0][1]


def test_the_board_of_an_animation_may_grow():
    scenes = [board(columns) for columns in (1, 2, 4)]
    text = animation.render(scenes)
    assert len(drawn(text)) == 4  # each tile once
    assert text.count("<animate ") == 3 + 1  # the last three appear; the bar
    assert places(text) == places(svg.render(scenes[-1]))


def test_levels_hold_in_an_animation_too():
    scenes = [board(1, Sketch(LINE, (0, 0), level=1)), board(2)]
    assert fills(animation.render(scenes)) == ["#008000", "#008000", "none"]


def test_curves_shades_and_opacity_are_written():
    circle = Shape(ellipse(0.4, 0.4), "#ffffff", fade="#101010", opacity=0.5, curved=True)
    for text in (
        svg.render(board(1, Sketch((circle,)))),
        animation.render([board(1, Sketch((circle,)))]),
    ):
        ((_, look), _) = drawn(text)
        assert look[0].get("d").count("c") == 4
        assert look[0].get("fill-opacity") == "0.5"
        (gradient,) = ElementTree.fromstring(text).iter(f"{SVG}radialGradient")
        assert look[0].get("fill") == f"url(#{gradient.get('id')})"
        assert [stop.get("stop-color") for stop in gradient] == ["#ffffff", "#101010"]


def test_the_ground_lies_below_the_cells_and_over_them():
    ground = (Sketch(TILE, (0, 0)), Sketch(LINE, (0, 0), level=1))
    text = svg.render(dataclasses.replace(squares(1, 3), ground=ground))
    first, cells, second = (m.start() for m in re.finditer('class="(sketch|seams)"', text))
    assert text[cells:].startswith('class="seams"')
    assert fills(text) == ["#008000", "none"]
    assert first < cells < second


def test_raised_cells_have_a_side_over_flat_cells():
    palette = (Swatch("low", "#000011", "."), Swatch("high", "#eeeeee", "o", "#00ff00", "#0000aa"))
    scenes = [squares(1, 2, fills, palette=palette) for fills in ([1, 1], [0, 1])]
    text = svg.render(scenes[-1])
    assert text.index("#000011") < text.index("#0000aa") < text.index("#eeeeee")
    assert 'fill="#eeeeee" stroke="#00ff00"' in text
    root = ElementTree.fromstring(animation.render(scenes))
    rims = [path for path in root.iter(f"{SVG}path") if path.get("class") == "rim"]
    assert sorted(path.get("fill") for path in rims) == ["#0000aa", "none"]  # one has gone
    assert svg.render(scenes[0]).count('class="cells"') == 1


def test_nodes_of_drawn_graphs_are_circles():
    text = svg.render(
        squares(1, 2, [0, 0], links=[(0, 1)], groups=[0, -1], group_colors=("#ff0000",))
    )
    paths = [p.get("d") for p in ElementTree.fromstring(text).iter(f"{SVG}path")]
    assert sum(path.count("a") for path in paths) == 2 * 2 + 3 * 2  # cells; clip, hairline, border
    assert 'd="M0 0h' not in text


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
    piece_at = text.index('class="sketch"')
    assert text.index("#0000cc") < piece_at < text.index("#cc0000")
