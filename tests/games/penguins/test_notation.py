"""The door of Penguins: options, boards by name, moves as text, pictures."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from ludograph import InvalidInput, boards, penguins, rules
from ludograph.games.penguins.artwork import ORANGE
from ludograph.games.penguins.presentation import WATER, penguins_scene, player_colors
from ludograph.views import terminal
from tests.games.penguins.boards import TILINGS

BOARD = boards.square(4)
HALF = [1] * 8 + [2] * 8


def test_boards_by_the_names_of_the_page() -> None:
    for tiling in TILINGS:
        assert penguins.board(tiling, 8, 7).n == 56
    assert penguins.position().board.name == "full-hexa 8x8"
    with pytest.raises(InvalidInput, match=r"no family is called 'hexa'; choose .*full-hexa, oct"):
        penguins.board("hexa", 8)


@pytest.mark.slow
def test_two_ways_to_one_tile() -> None:
    position = penguins.position(boards.torus(4), penguins=1, fish=[1] * 16)
    for text in ("0", "1"):
        position.play(text)
    texts = [position.text(move) for move in position.legal_moves()]
    assert {"0-3", "0-2"} <= {text.split("/")[0] for text in texts}
    assert "0-2" not in texts  # eastward the other penguin stands in the way
    position.play("0-2/2")
    assert position.scores() == (2.0, 1.0)


def test_the_picture_shows_fish_penguins_and_water() -> None:
    position = penguins.position(boards.square(3), penguins=1, fish=[1, 1, 1, 1, 1, 1, 2, 3, 2])
    for text in ("0", "1", "0-3"):
        position.play(text)
    scene = penguins_scene(position).in_cells
    assert scene.fills[0] == WATER
    assert 0 not in scene.labels
    assert [scene.labels[tile] for tile in (1, 6, 7)] == ["·", ":", "∴"]
    assert str(position) == "~ B 1\nA 1 1\n2 3 2"
    assert [stroke.cells for stroke in scene.strokes] == [(0, 3)]
    assert penguins.presentation.seat_facts(position, 1).color == "red"


@pytest.mark.slow
@pytest.mark.parametrize("tiling", TILINGS)
def test_all_tilings_are_drawn(tiling: str) -> None:
    position = penguins.position(penguins.board(tiling, 6), seats=3, penguins=2, seed=2)
    rng = rules.random_state(1)
    for _ in range(12):
        position.play_random(rng)
    picture = ET.fromstring(position.svg())
    inks = {element.get("fill") for element in picture.iter() if element.get("class") == "cells"}
    scene = position.scene()
    drawn = scene
    assert inks == {drawn.palette[fill].rgb for fill in np.unique(drawn.fills)}
    assert len(drawn.pieces) == np.count_nonzero(position.all_fish)
    bodies = [piece for piece in drawn.pieces if any(s.fill == ORANGE for s in piece.shapes)]
    colors = {shape.fill for body in bodies for shape in body.shapes}
    assert len(bodies) == 6
    assert colors >= {swatch.rgb for swatch in player_colors(3)}
    heights = {np.ptp(np.concatenate([s.points for s in body.shapes])[:, 1]) for body in bodies}
    assert len(heights) == 1  # whatever their tiles
    assert terminal.render(scene, width=80, height=40, color=False) == str(position)
    letters = [letter for letter in str(position) if letter in "ABC"]
    assert sorted(letters) == ["A", "A", "B", "B", "C", "C"]


def test_sixty_four_seats_have_a_picture() -> None:
    position = penguins.position(boards.square(12), seats=64, penguins=1)
    rng = rules.random_state(1)
    for _ in range(64):
        position.play_random(rng)
    assert position.svg()
    assert len(set(str(position)) - set(" \n123")) == 64
