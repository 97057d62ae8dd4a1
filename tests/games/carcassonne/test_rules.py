"""What is true of every game of Carcassonne."""

import numpy as np
import pytest

from ludograph import carcassonne, rules
from ludograph.games.carcassonne import setup as setups
from ludograph.games.carcassonne.decks import (
    GREEN,
    Deck,
    Kind,
    classic,
    course,
)
from ludograph.games.carcassonne.setup import find_stride, make_setup
from ludograph.games.carcassonne.table import LAID, OPEN, REMAINING


def test_no_tile_lies_beyond_the_edge_of_the_table(monkeypatch) -> None:
    monkeypatch.setattr(setups, "FARTHEST", 2)
    tiles = Deck(GREEN, (Kind("GREEN", GREEN, 24),))
    position = carcassonne.position(deck=tiles, discard=False)
    rng = rules.random_state(3)
    while not position.is_over:
        for move in position.legal_moves() if position.turn is not None else []:
            assert position.parse(position.text(move)) == move
        position.play_random(rng)
    assert sorted((placed.x, placed.y) for placed in position.tiles) == [
        (x, y) for x in range(-2, 3) for y in range(-2, 3)
    ]
    assert position.state[OPEN] == 0
    assert min(position.scores()) >= 0


@pytest.mark.parametrize("tiles", [classic(), course(2), course(13)])
def test_the_bag_holds_the_tiles_that_are_left(tiles: Deck) -> None:
    position = carcassonne.position(deck=tiles, discard=True)
    setup, layout, rng = position.setup, position.setup.layout, rules.random_state(4)
    while not position.is_over:
        position.play_random(rng)
        left = position.state[layout.left : layout.left + setup.kinds]
        bag = position.state[layout.bag : layout.bag + position.state[REMAINING]]
        assert np.bincount(setup.kind_of[bag], minlength=setup.kinds).tolist() == left.tolist()
        assert position.state[layout.bag_index + bag].tolist() == list(range(bag.size))


@pytest.mark.slow
def test_the_largest_deck_is_played_to_its_end() -> None:
    counts = course(10_000)
    position = carcassonne.position(deck=counts, mode="infinite", discard=True)
    rng = rules.random_state(1)
    out = np.zeros(2)
    rules.playout(position.setup, position.state, rng, out)
    assert position.is_over
    assert position.state[LAID] > 9000
    assert (out >= 0).all()


def test_states_are_small() -> None:
    sizes = [4 * make_setup(classic(), mode).layout.size for mode in range(3)]
    assert max(sizes) < 11_000


def test_near_cells_have_entries_of_their_own() -> None:
    for tiles, entries in ((2, 16), (72, 512), (720, 8192), (10_000, 65_536)):
        stride = find_stride(2 * tiles + 1, entries)
        across = int(0.6 * entries**0.5)
        numbers = {(y * stride + x) % entries for x in range(across) for y in range(across)}
        assert len(numbers) == across**2
