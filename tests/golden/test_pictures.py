"""Pictures look as they did when people last looked at them."""

from dataclasses import replace

import pytest

from ludograph.views import bitmaps, svg
from tests.golden.pictures import (
    FOLDER,
    PICTURES,
    WIDTH,
    drawn,
    kept,
    pixels,
    share_of_difference,
)

pytest.importorskip("resvg_py")
pytest.importorskip("PIL")

MOST = 0.001
"""Share of pixels that may differ, as between versions of what draws them."""


def test_there_is_a_file_for_each_picture_and_they_are_small() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(PICTURES)
    assert max(path.stat().st_size for path in FOLDER.glob("*.png")) < 50_000


@pytest.mark.every_case
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_looks_as_it_did(name: str) -> None:
    told = f"look at it, and if it is meant: python -m tests.golden.pictures {name}"
    assert share_of_difference(drawn(PICTURES[name]()), kept(name)) < MOST, told


def test_a_piece_that_is_missing_or_has_another_color_is_noticed() -> None:
    scene = replace(PICTURES["hex"]().scene(), labels={})
    first, *others = scene.pieces
    unlike = next(piece for piece in others if piece.shapes is not first.shapes)
    for changed in (
        replace(scene, pieces=tuple(others)),
        replace(scene, pieces=(replace(unlike, place=first.place), *others)),
    ):
        picture = pixels(bitmaps.png_from_svg(svg.render(changed, size=WIDTH)))
        assert share_of_difference(picture, kept("hex")) > 2 * MOST
