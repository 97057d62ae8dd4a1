"""What people read from a position of Flood."""

import random

from ludograph import boards, flood
from ludograph.games.flood.notation import COLOR_NAMES
from ludograph.web.positions.move_input import choices
from ludograph.web.positions.serializers import SceneEncoder

PATH = boards.from_edges(6, [(vertex, vertex + 1) for vertex in range(5)])
"""Vertices 0 to 5 in a line, one seat on either end."""


def path(colors, **options):
    return flood.position(PATH, coloring=colors, colors=6, starts=[0, 5], **options)


def test_gains_are_what_a_move_gains():
    rng = random.Random(2)
    for seed in range(10):
        position = flood.position(boards.square(6), colors=5, forbidden=1, seed=seed)
        while not position.is_over:
            seat = position.turn
            gains = position.gains(seat)
            for move in position.legal_moves():
                after = position.copy()
                after.play(move)
                gained = len(after.zone(seat)) - len(position.zone(seat))
                assert gained == (gains[move] if move < position.color_count else 0)
            position.play(rng.choice(position.legal_moves()))


def test_zones_that_meet_touch_each_other():
    position = path([0, 0, 0, 4, 4, 4])
    assert position.touches(0, 1)
    assert position.touches(1, 0)
    assert not path([0, 1, 2, 2, 3, 4]).touches(0, 1)


def test_what_is_fixed():
    position = path([0, 1, 2, 2, 3, 4], forbidden=[{1, 3}, {0, 5}], variant="capture")
    assert [position.forbidden(seat) for seat in (0, 1)] == [{1, 3}, {0, 5}]
    assert position.starts == [0, 5]
    assert position.captures
    assert position.color_count == 6
    assert not path([0, 1, 2, 2, 3, 4]).captures


def test_a_color_says_what_it_wins_and_which_of_its_vertices_touch_the_zone():
    position = path([0, 1, 1, 2, 1, 3])
    interaction = position.game.interaction
    assert interaction.action(position, 1) == f"{COLOR_NAMES[1].capitalize()}: take 2 cells"
    assert interaction.pointed(position, 1) == ((1, 2, 4),)
    assert interaction.marked(position, 1) == (1,)
    assert choices(position, SceneEncoder(position.scene()))["parts"] == [
        {"cells": [1, 2, 4], "marked": [1]}
    ]
    assert interaction.action(position, position.parse("pass")) == "Pass"
