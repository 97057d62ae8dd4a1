"""What the host of a C player knows of the table is what the rules know, in random games."""

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import carcassonne
from ludograph.games.carcassonne.country import NO_CONNECTION, Cells, Country, Kinds
from ludograph.games.carcassonne.deck_files import to_data
from ludograph.games.carcassonne.decks import Deck, Kind, classic, course
from ludograph.games.carcassonne.native import LIBRARY
from ludograph.games.carcassonne.setup import CHOICES, MODES, NO_VERTEX, SEAT_SLOTS
from ludograph.games.carcassonne.table import HAND, SEATS
from ludograph.games.carcassonne.tiles import VERTICES
from ludograph.rules import random_state
from tests.games.carcassonne_tiles import decks, sided_tiles


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("deck", [course(25), classic()], ids=["course", "classic"])
def test_the_country_is_that_of_the_rules(deck, mode):
    for seed in range(3):
        follow_a_game(deck, mode, seed, discard=seed > 0)


@settings(deadline=None, max_examples=20)
@given(decks(sided_tiles()), st.sampled_from(MODES), st.integers(0, 2**20), st.booleans())
def test_with_any_deck_the_country_is_that_of_the_rules(deck, mode, seed, discard):
    follow_a_game(deck, mode, seed, discard=discard)


def follow_a_game(deck, mode, seed, *, discard):
    """Compare places, codes, claims and hands throughout a random game with two meeples each."""
    position = carcassonne.position(deck=deck, mode=mode, meeples=2, discard=discard)
    own, rng = position.setup.counts.size, random_state(seed)
    kinds = Kinds(position.game.describe(position)["deck"])
    country = Country(kinds, Cells(LIBRARY.board_data(position)), 2)
    assert Deck(kinds.first, tuple(map(Kind, kinds.names, kinds.tiles, kinds.counts))) == deck
    while not position.is_over:
        seat = position.turn
        legal = position.legal_moves()
        code = position.play_random(rng)
        if seat is not None:
            none = [other for other in legal if (other - own) % CHOICES == NO_VERTEX]
            assert sorted(places(country)) == sorted(none)
            if len(none) < len(legal) and position.ply % 3 == 0:
                same = {c for c in legal if (c - own) // CHOICES == (code - own) // CHOICES}
                assert claims(deepcopy(country), code) == same
        country.follow([code])
        if seat is not None:
            _, x, y, shape, meeple = country.last
            assert country.last.player == seat
            assert country.code(x, y, turns_of(country)[shape], meeple) == code
        if mode == "FINITE_MEEPLE":
            hands = position.state[SEATS : SEATS + 2 * SEAT_SLOTS].reshape(2, -1)[:, HAND]
            assert country.hands == hands.tolist()


def claims(country, code):
    """Return the codes of all meeples, or none, on the tile that a code places."""
    cell, quarters = divmod((code - len(country.kinds.tiles)) // CHOICES, 4)
    x, y = country.cells.coordinates(cell)
    country.lay(x, y, country.kinds.tiles[country.dealt].rotated(quarters))
    free = [vertex for vertex in range(VERTICES) if not country.holders(x, y, vertex)]
    return {country.code(x, y, quarters, vertex) for vertex in (*free, NO_CONNECTION)}


def places(country):
    """Return the codes of all placements without a meeple."""
    beside = {(x + a, y + b) for x, y in country.tiles for a in (-1, 0, 1) for b in (-1, 0, 1)}
    return [
        len(country.kinds.tiles) + CHOICES * (4 * country.cells.number(x, y) + quarters) + NO_VERTEX
        for x, y in beside
        for quarters, turned in country.kinds.tiles[country.dealt].rotations()
        if not country.why_not(x, y, turned)
    ]


def turns_of(country):
    return {turned: quarters for quarters, turned in country.kinds.tiles[country.dealt].rotations()}


def test_the_edge_of_the_table():
    kinds = Kinds(to_data(course(9)))
    country = Country(kinds, Cells({"reach": 2, "stride": 7}), 0)
    country.lay(1, 0, kinds.first)
    assert country.why_not(2, 0, kinds.first) == "the table ends at -1 and 1"
    assert country.why_not(1, 1, kinds.first.rotated(2)) == ""
