"""Games by hand, and what is true of every game of Carcassonne."""

import numpy as np
import pytest

from ludograph import carcassonne, rules
from ludograph.games.carcassonne import setup as setups
from ludograph.games.carcassonne.decks import (
    CLASSIC,
    GREEN,
    INIT,
    Deck,
    Kind,
    classic,
    course,
)
from ludograph.games.carcassonne.setup import HEADER_SLOTS, find_stride, make_setup
from ludograph.games.carcassonne.table import LAID, OPEN, REMAINING
from ludograph.rules import CHANCE, TURN

TILES = {kind.name: kind.tile for kind in CLASSIC}


def deck(first, **counts: int) -> Deck:
    """A deck of classic tiles by their names, with underscores."""
    kinds = {name.replace("_", "-"): count for name, count in counts.items()}
    return Deck(first, tuple(Kind(name, TILES[name], count) for name, count in kinds.items()))


def play(position, *texts: str) -> None:
    for text in texts:
        position.play(text)


def test_two_castles_face_to_face() -> None:
    position = carcassonne.position(deck=deck(INIT, castle_side=2), discard=False)
    assert position.is_chance
    play(position, "deal castle-side", "0,1 r2")
    assert position.scores() == (24.0, 0.0)
    assert position.is_chance
    play(position, "deal castle-side")
    assert position.turn == 1
    play(position, "1,1 r0")
    assert position.is_over
    assert position.outcome().winner == 0
    sentence = carcassonne.presentation.result(position, position.outcome(), ["x", "y"])
    assert sentence == "x (seat 0) wins, 24 points to 0."
    breakdown = carcassonne.presentation.breakdown(position)
    assert breakdown.columns == ["roads", "castles", "fields"]
    assert breakdown.rows() == [["0", "24", "0", "24"], ["0", "0", "0", "0"]]


def shown(position) -> list[str]:
    return [position.text(move) for move in position.legal_moves()]


def test_who_has_a_meeple_in_it_gets_the_points() -> None:
    through = TILES["castle-through"]  # from north to south
    position = carcassonne.position(deck=deck(through, castle_side=3), mode="finite", discard=False)
    play(position, "deal castle-side")
    assert {"0,1 r2", "0,1 r2 m0", "0,1 r2 m6"} <= set(shown(position))
    play(position, "0,1 r2 m6", "deal castle-side")
    assert carcassonne.presentation.seat_facts(position, 0).holding == "0 points, 6 meeples left"
    assert "0,-1 r0 m3" in shown(position)
    assert "0,-1 r0 m0" not in shown(position)  # the castle has a meeple in it
    play(position, "0,-1 r0 m3")
    assert position.scores() == (56.0, 0.0)
    assert carcassonne.presentation.seat_facts(position, 0).holding == "56 points, 7 meeples left"
    assert carcassonne.presentation.seat_facts(position, 1).holding == "0 points, 6 meeples left"


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


def test_the_start() -> None:
    position = carcassonne.position()
    assert int(position.state[TURN]) == CHANCE
    assert len(position.legal_moves()) == 24
    assert position.scores() == (0.0, 0.0)
    assert HEADER_SLOTS == 2 + 10
