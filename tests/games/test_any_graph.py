"""The boards of the gallery, from a town to a molecule, are boards of all games on graphs."""

import subprocess
import sys

import numpy as np
import pytest

from ludograph import boards, make, rules
from tests.cli.installed import EXAMPLES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the boards, as the example writes them."""
    folder = tmp_path_factory.mktemp("boards")
    subprocess.run([sys.executable, EXAMPLES / "any_graph.py", folder], check=True, timeout=100)
    return folder


@pytest.mark.parametrize(
    ("board", "game"),
    [
        ("town", "penguins"),
        ("town", "amazons"),
        ("town", "flood"),
        ("regions", "hex"),
        ("regions", "flood"),
        ("fullerene", "flood"),
    ],
)
def test_games_are_played_to_their_ends(folder, board, game):
    with rules.interpreted():
        position = make(game, str(folder / f"{board}.json"), seed=1)
        while not position.is_over:
            position.play(position.legal_moves()[position.ply % len(position.legal_moves())])
        assert position.outcome().ranks


def test_streets_go_straight_on_at_crossroads(folder):
    town = boards.load(folder / "town.json")
    sides = ((v, side) for v in range(town.n) for side in range(town.sides.count(v)))
    assert max(len(town.line(*side)) for side in sides) >= 8  # an avenue, from end to end


def test_sixty_atoms_have_three_bonds_each(folder):
    assert np.diff(boards.load(folder / "fullerene.json").offsets).tolist() == [3] * 60
