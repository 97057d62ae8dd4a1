"""The reference of Carcassonne: what may be played, and how a game goes on and ends."""

import pytest

from tests.reference.carcassonne import (
    BROWN,
    FINITE_MEEPLE,
    INFINITE_MEEPLE,
    NO_MEEPLE,
)
from tests.reference.carcassonne_tables import KINDS, TILES, game, moves_at, put, tile
from tests.reference.carcassonne_world import turned

# --- places -------------------------------------------------------------------------------


def test_a_quarter_goes_clockwise():
    assert turned(TILES["init"], 1) == tile("321 000 123 333 2", "CFRF")
    assert turned(TILES["init"], 4) == TILES["init"]


def test_places_of_init_beside_init():
    north, south = [(0, 1, 2)], [(0, -1, 2)]  # castle to castle, field to field
    west, east = [(-1, 0, 0), (-1, 0, 2)], [(1, 0, 0), (1, 0, 2)]
    assert game("init").places(KINDS.index("init")) == west + south + north + east


def test_places_of_tini_are_those_of_init_upside_down():
    places = game("init").places(KINDS.index("init"))
    upside_down = sorted((x, y, (quarters + 2) % 4) for x, y, quarters in places)
    assert game("init").places(KINDS.index("tini")) == upside_down


@pytest.mark.parametrize(
    ("first", "kind", "west", "south"),
    [
        ("field", "field", [0], [0]),
        ("cross", "cross", [0], [0]),
        ("straight", "straight", [0], [0]),
        ("field", "straight", [0], [1]),
        ("field", "cap", [0, 2, 3], [1, 2, 3]),
        ("field", "full", [], []),
    ],
)
def test_turns_that_give_the_same_tile_are_listed_once(first, kind, west, south):
    places = game(first).places(KINDS.index(kind))
    assert [quarters for x, y, quarters in places if (x, y) == (-1, 0)] == west
    assert [quarters for x, y, quarters in places if (x, y) == (0, -1)] == south


def test_all_neighbors_must_match():
    playing = game("cross")
    put(playing, "straight", 1, 0, 1)
    put(playing, "curve", 0, 1, 3)  # east and south
    for kind in ("curve", "end"):  # at (1, 1) a road comes from the west, in the south is a field
        places = playing.places(KINDS.index(kind))
        assert [quarters for x, y, quarters in places if (x, y) == (1, 1)] == [1]


# --- meeples ------------------------------------------------------------------------------


def test_a_meeple_goes_where_there_is_none():
    playing = game("full", mode=INFINITE_MEEPLE)
    playing.deal(KINDS.index("cap"))
    assert playing.legal_moves() == [
        (-1, 0, 1, None),
        (-1, 0, 1, 0),  # field
        (-1, 0, 1, 3),  # castle
        (0, -1, 0, None),
        (0, -1, 0, 0),  # castle
        (0, -1, 0, 3),  # field
        (0, 1, 2, None),
        (0, 1, 2, 0),  # field
        (0, 1, 2, 6),  # castle
        (1, 0, 3, None),
        (1, 0, 3, 0),  # field
        (1, 0, 3, 9),  # castle
    ]
    playing.play(0, 1, 2, 6)
    assert playing.meeples == {(0, 1, 6): 0}
    assert moves_at(playing, "cap", 0, -1, 0) == [None, 3]  # the castle is taken


def test_no_meeples_in_the_mode_without():
    playing = game("full", mode=NO_MEEPLE)
    playing.deal(KINDS.index("cap"))
    places = [(-1, 0, 1), (0, -1, 0), (0, 1, 2), (1, 0, 3)]
    assert playing.legal_moves() == [(*place, None) for place in places]


def test_components_of_a_tile_that_meet_outside_are_both_listed():
    # The fields to both sides of the straight road meet around the end of the road above.
    playing = game("end", mode=INFINITE_MEEPLE)
    assert moves_at(playing, "straight", 0, -1, 0) == [None, 0, 1, 2]
    put(playing, "straight", 0, -1, 0, 2)
    assert playing.component(0, -1, 0) == playing.component(0, -1, 2)
    assert playing.component(0, -1, 0)[3] == (1, 0)


def test_a_meeple_on_one_side_is_met_on_the_other():
    playing = game("field", mode=INFINITE_MEEPLE)
    put(playing, "end", 0, -1, 0, 0)
    assert moves_at(playing, "straight", 0, -2, 0) == [None, 1]


def test_a_meeple_comes_back_at_once():
    playing = game("cap", mode=FINITE_MEEPLE, meeples=1)
    put(playing, "cap", 0, 1, 2, 6)
    assert (playing.meeples, playing.supply) == ({}, [1, 1])
    assert playing.scores() == [24, 0]


def test_without_a_meeple_nobody_gets_a_castle():
    playing = game("cap", mode=INFINITE_MEEPLE)
    put(playing, "cap", 0, 1, 2)
    assert playing.component(0, 0, 0) == (BROWN, 3, True, (0, 0))
    assert playing.scores() == [0, 0]


def test_an_empty_hand_is_filled_by_a_closing():
    # Seat 0 has its only meeple in the castle of (0, 1), and closes that at (0, 2).
    playing = game("field", mode=FINITE_MEEPLE, meeples=1)
    put(playing, "cap", 0, 1, 0, 0)
    assert playing.supply == [0, 1]
    put(playing, "field", 0, -1, 0, 0)
    assert playing.supply == [0, 0]
    assert moves_at(playing, "cap", 0, 2, 2) == [None]  # it is not back yet
    put(playing, "cap", 0, 2, 2)
    assert (playing.supply, playing.scores()) == ([1, 0], [24, 0])
    assert playing.meeples == {(0, -1, 0): 1}


def test_two_castles_with_a_meeple_each_are_joined():
    # Caps below and above (-1, 0), led there by fields; a way joins them: 3 + 1 + 3 vertices.
    playing = game("field", mode=FINITE_MEEPLE, meeples=7)
    put(playing, "field", 0, -1)
    put(playing, "field", 0, 1)
    put(playing, "cap", -1, -1, 0, 0)
    put(playing, "cap", -1, 1, 2, 6)
    assert playing.supply == [6, 6]
    assert moves_at(playing, "way", -1, 0, 0) == [None, 3, 9]  # the fields to its sides
    put(playing, "way", -1, 0)
    assert playing.component(-1, 0, 12) == (BROWN, 7, True, (0, 0))
    assert playing.scores() == [0, 0]  # on equality nobody
    assert (playing.supply, playing.meeples) == ([7, 7], {})


def test_the_owner_gets_what_another_closes():
    playing = game("field", mode=INFINITE_MEEPLE)
    put(playing, "cap", 0, 1, 0, 0)
    put(playing, "cap", 0, 2, 2)
    assert playing.scores() == [24, 0]


def test_more_meeples_win():
    # Two caps of seat 0 and one of seat 1 around (-1, 0): three sides of 3 vertices, a center.
    playing = game("field", mode=INFINITE_MEEPLE)
    put(playing, "field", 0, -1)
    put(playing, "field", 0, 1)
    put(playing, "cap", -1, -1, 0, 0)
    put(playing, "cap", -1, 1, 2, 6)
    put(playing, "field", -2, -1)
    put(playing, "field", 1, 0)
    put(playing, "cap", -2, 0, 1, 3)
    put(playing, "three", -1, 0, 3)  # by seat 1
    assert playing.component(-1, 0, 12) == (BROWN, 10, True, (0, 0))
    assert playing.scores() == [80, 0]
    assert playing.meeples == {}


# --- turns and ends -----------------------------------------------------------------------


def test_who_cannot_place_loses():
    playing = game("field")
    put(playing, "field", 0, 1)
    playing.deal(KINDS.index("full"))
    assert (playing.over, playing.loser, playing.scores()) == (True, 1, [0, -1])


def test_a_tile_without_a_place_is_discarded():
    playing = game("field", discard=True, counts={"full": 2, "cap": 1})
    playing.deal(KINDS.index("full"))
    assert (playing.over, playing.turn, playing.dealt) == (False, 0, None)
    put(playing, "cap", 0, 1)
    assert playing.turn == 1
    put(playing, "full", 0, 2)
    assert (playing.over, playing.loser, playing.scores()) == (True, None, [0, 0])


def test_the_last_tile_may_be_discarded():
    playing = game("field", discard=True, counts={"full": 1})
    playing.deal(KINDS.index("full"))
    assert (playing.over, playing.loser, playing.scores()) == (True, None, [0, 0])


def test_three_players_go_on_without_one():
    playing = game("field", seats=3)
    playing.deal(KINDS.index("full"))
    assert (playing.over, playing.turn, playing.eliminated) == (False, 1, [0])
    put(playing, "field", 0, 1)
    assert playing.turn == 2
    put(playing, "field", 0, 2)
    assert playing.turn == 1
    playing.deal(KINDS.index("full"))
    assert (playing.over, playing.loser, playing.scores()) == (True, 0, [-1, -1, 0])


def test_meeples_of_an_eliminated_player_stay():
    playing = game("field", seats=3, mode=INFINITE_MEEPLE)
    put(playing, "cap", 0, 1, 0, 0)
    playing.drop(0)
    assert playing.turn == 1
    assert moves_at(playing, "cap", 0, 2, 2) == [None, 0]
    put(playing, "cap", 0, 2, 2)  # nobody else gets anything
    assert (playing.scores(), playing.meeples) == ([-1, 0, 0], {})


def test_the_dealt_tile_of_an_eliminated_player_is_lost():
    playing = game("field", seats=3, counts={"field": 2})
    playing.deal(KINDS.index("field"))
    playing.drop(0)
    assert (playing.turn, playing.dealt, sum(playing.left)) == (1, None, 1)
    put(playing, "field", 0, 1)
    assert (playing.over, playing.scores()) == (True, [-1, 0, 0])
