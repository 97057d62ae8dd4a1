"""Boards in a terminal, for people who do not tell all colors apart."""

import dataclasses
import itertools
import random
import re

import numpy as np
import pytest

from ludograph import make
from ludograph.games.registry import OURS
from ludograph.views import terminal
from ludograph.views.ansi import Colors


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("name", OURS)
def test_no_two_kinds_of_cells_differ_by_color_alone(name, size):
    """If cells of one kind are drawn as another one, more than colors changes.

    What has a label is told by it: so are fish, and where seats of Flood begin.
    """
    position = make(name, seed=1)
    luck = random.Random(2)

    def text(scene):
        rows = size[1] - position.seats - 4
        drawn = terminal.render(scene, width=size[0], height=rows, color=Colors.TRUE)
        return drawn, re.sub("\x1b\\[[0-9;]*m|[▀▄ ]+", " ", drawn)

    for plies in (30, 1000):
        while position.ply < plies and not position.is_over:
            position.play(luck.choice(list(position.legal_moves())))
        scene = position.scene().in_cells
        before = text(scene)
        bare = ~np.isin(np.arange(scene.size), list(scene.labels))
        for one, other in itertools.combinations(set(scene.fills[scene.fills >= 0].tolist()), 2):
            if scene.palette[one].name != scene.palette[other].name:
                fills = np.where((scene.fills == one) & bare, other, scene.fills)
                after = text(dataclasses.replace(scene, fills=fills))
                differ = [old != new for old, new in zip(before, after, strict=True)]
                assert differ in ([True, True], [False, False]), (one, other)
