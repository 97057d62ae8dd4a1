"""Territories, by a queue and by sets of tiles, are those of the slow definition."""

import numpy as np
import pytest

from ludograph import penguins, rules
from ludograph.games.penguins.evaluation import (
    add_territory,
    add_territory_of_sets,
    is_contested,
    make_tile_sets,
)
from ludograph.games.penguins.isolated import isolated_regions
from tests.games.penguins.boards import BOARDS
from tests.games.penguins.territories import territories

pytestmark = pytest.mark.slow


def games(name: str):
    """Positions of random games, one of their seats eliminated halfway in some."""
    rng = rules.random_state(7)
    for seed in range(6):
        seats = 2 + seed % 3
        position = penguins.position(BOARDS[name], seats=seats, penguins=1 + seed % 2, seed=seed)
        while not position.is_over:
            yield position
            position.play_random(rng)
            if position.ply == 12 and seats > 2:
                position.drop(position.turn or 0)


@pytest.mark.parametrize("name", sorted(BOARDS))
def test_territories_are_those_of_the_definition(name: str) -> None:
    for position in games(name):
        setup, state = position.setup, position.state
        sets, before = make_tile_sets(setup), state.copy()
        found, same = np.zeros(setup.seats), np.zeros(setup.seats)
        add_territory(setup, state, 1.0, found)
        assert found.tolist() == territories(position)
        assert np.array_equal(state, before)
        if sets.near.size:
            add_territory_of_sets(setup, sets, state, 1.0, same)
            assert found.tolist() == same.tolist()


@pytest.mark.parametrize("name", sorted(BOARDS))
def test_ice_is_contested_until_all_regions_are_isolated(name: str) -> None:
    seen = set()
    for position in games(name):
        setup, state = position.setup, position.state
        sets = make_tile_sets(setup)
        if not position.is_placing and sets.near.size:
            playing = (seat for seat in range(setup.seats) if not position.is_eliminated(seat))
            contested = any(isolated_regions(setup, state, seat)[1] for seat in playing)
            assert is_contested(setup, sets, state) == contested
            seen.add(contested)
    assert seen == {True, False}
