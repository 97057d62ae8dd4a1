from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from ludograph.errors import InvalidInput
from ludograph.views import Numeral, Shape, Sketch, animation
from tests.views.build import hexagons, squares

SVG = "{http://www.w3.org/2000/svg}"


def game(frames=6, build=squares):
    """Let a zone grow by one cell per move and take a new color each time."""
    rng = np.random.default_rng(6)
    fills = rng.integers(0, 6, 25)
    scenes = []
    for frame in range(frames):
        fills[: frame + 1] = frame % 6
        groups = np.full(25, -1)
        groups[: frame + 1] = 0
        scenes.append(
            build(5, 5, fills.copy(), groups=groups, title="Ann", captions=(f"move {frame}",))
        )
    return scenes


def colors_at(root, frame, frames):
    """Count the cells of each color while a frame shows, as a browser would."""
    counts = {}
    total = float(dict(_bar(root))["dur"].rstrip("s"))
    moment = (frame + 0.5) * (total - 3) / frames / total
    for path in root.iter(f"{SVG}path"):
        if path.get("class") != "cells":
            continue
        fill = path.get("fill")
        change = path.find(f"{SVG}animate")
        if change is not None:
            times = [float(time) for time in change.get("keyTimes").split(";")]
            assert times[0] == 0
            assert times == sorted(set(times))
            values = change.get("values").split(";")
            fill = values[sum(time <= moment for time in times) - 1]
        counts[fill] = counts.get(fill, 0) + path.get("d").count("M")
    for nothing in ("none", "transparent"):
        counts.pop(nothing, None)
    return counts


def _bar(root):
    return root.findall(f"{SVG}rect")[-1].find(f"{SVG}animate").attrib


def expected(scene):
    names = [scene.palette[fill].rgb for fill in scene.fills.tolist() if fill >= 0]
    return {name: names.count(name) for name in names}


@pytest.mark.parametrize("build", [squares, hexagons])
def test_every_frame_shows_the_colors_of_its_scene(build):
    scenes = game(build=build)
    root = ElementTree.fromstring(animation.render(scenes))
    for frame, scene in enumerate(scenes):
        assert colors_at(root, frame, len(scenes)) == expected(scene)


def test_at_rest_it_shows_the_last_scene():
    scenes = game()
    root = ElementTree.fromstring(animation.render(scenes))
    counts = {}
    for path in root.iter(f"{SVG}path"):
        if path.get("class") == "cells":
            counts[path.get("fill")] = counts.get(path.get("fill"), 0) + path.get("d").count("M")
    assert counts == expected(scenes[-1])
    captions = {
        text.text: group.get("display")
        for group in root.iter(f"{SVG}g")
        for text in group.findall(f"{SVG}text")
        if text.get("class") == "caption"
    }
    assert captions.pop("move 5") == "inline"
    assert set(captions.values()) == {"none"}


def test_each_cell_is_drawn_once():
    root = ElementTree.fromstring(animation.render(game()))
    drawn = sum(p.get("d").count("M") for p in root.iter(f"{SVG}path") if p.get("class") == "cells")
    assert drawn == 25


def test_what_never_changes_is_not_animated():
    root = ElementTree.fromstring(animation.render([squares(2, 2, title="Ann")] * 3))
    assert [change.get("attributeName") for change in root.iter(f"{SVG}animate")] == ["width"]


def test_cells_may_melt():
    first = squares(1, 2, [0, 1])
    last = replace(first, fills=np.array([0, -1], dtype=np.int32))
    root = ElementTree.fromstring(animation.render([first, last]))
    assert colors_at(root, 0, 2) == expected(first)
    assert colors_at(root, 1, 2) == expected(last)


def test_one_scene_stands_still():
    root = ElementTree.fromstring(animation.render(game(1)))
    assert root.find(f".//{SVG}animate") is None


def test_frames_last_as_long_as_asked():
    root = ElementTree.fromstring(animation.render(game(6), seconds_per_frame=0.5))
    assert {change.get("dur") for change in root.iter(f"{SVG}animate")} == {"6s"}


def test_errors_say_what_is_wrong():
    with pytest.raises(InvalidInput, match="scene"):
        animation.render([])
    with pytest.raises(InvalidInput, match="must be positive"):
        animation.render(game(), seconds_per_frame=0)
    with pytest.raises(InvalidInput, match="same cells"):
        animation.render([squares(2, 2), squares(2, 3)])


def test_a_click_stops_and_goes_on():
    root = ElementTree.fromstring(animation.render(game()))
    assert root.get("onclick") == (
        "this.animationsPaused() ? this.unpauseAnimations() : this.pauseAnimations()"
    )


def test_every_frame_has_the_scale_of_the_first():
    """A board that grows has room for its largest frame from the start."""
    small, large = squares(2, 2), squares(6, 6)
    sketch = Sketch((Shape(np.array([[0.0, 0], [1, 0], [1, 1]]), fill="#000000"),))
    scenes = [replace(board, sketches=(sketch,)) for board in (small, large)]
    both = ElementTree.fromstring(animation.render(scenes))
    alone = ElementTree.fromstring(animation.render(scenes[1:]))
    for root in (both, alone):
        (group,) = [g for g in root.iter(f"{SVG}g") if "scale" in (g.get("transform") or "")]
        assert group.get("transform") == alone.find(f"{SVG}g").get("transform")
    drawn = [path.get("d") for path in both.iter(f"{SVG}path")]
    assert set(drawn) == {path.get("d") for path in alone.iter(f"{SVG}path")}


def test_numbers_names_and_axes_show_in_the_frames_that_have_them():
    first = squares(1, 2, numerals={0: Numeral(1, "#ffffff")})
    first = replace(first, rows={0: "a"}, columns={0: "x"})
    last = replace(first, columns={0: "x", 1: "y"}, notes={1: "n"})
    root = ElementTree.fromstring(animation.render([first, last]))
    always = [text.text for text in root.iter(f"{SVG}text") if text.get("class") != "caption"]
    assert sorted(always) == ["1", "a", "n", "x", "y"]
    hidden = [
        text.text
        for group in root.iter(f"{SVG}g")
        if group.get("display") is not None
        for text in group.iter(f"{SVG}text")
    ]
    assert sorted(hidden) == ["n", "y"]
