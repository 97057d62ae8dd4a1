"""The reference of Carcassonne on positions whose scores are worked out by hand."""

import random

import pytest

from tests.reference.carcassonne import (
    BROWN,
    FINITE_MEEPLE,
    GRAY,
    GREEN,
    INFINITE_MEEPLE,
    NO_MEEPLE,
    POINTS,
    ReferenceCarcassonne,
)
from tests.reference.carcassonne_world import BEYOND, World, turned

BLUE = 2


def tile(components, terrains):
    numbers = [int(digit) for digit in components.replace(" ", "")]
    return numbers, ["FRBC".index(terrains[number]) for number in numbers]


TILES = {  # sides from the north
    "init": tile("000 123 333 321 2", "CFRF"),  # castle, road, field, road
    "tini": tile("000 012 333 210 1", "FRFC"),  # field, road, castle, road
    "field": tile("000 000 000 000 0", "F"),
    "cross": tile("012 234 456 670 8", "FRFRFRFRR"),  # four roads that end
    "cap": tile("000 111 111 111 1", "CF"),  # castle, three fields
    "way": tile("000 111 000 222 0", "CFF"),  # castle from north to south
    "three": tile("000 000 111 000 0", "CF"),  # castle, but for a field in the south
    "full": tile("000 000 000 000 0", "C"),
    "curve": tile("000 000 012 210 1", "FRF"),  # road from south to west
    "straight": tile("012 222 210 000 1", "FRF"),  # road from north to south
    "end": tile("000 000 010 000 0", "FR"),  # road that ends, in the south
    "pond": tile("000 111 111 111 1", "BF"),  # water, three fields
}
KINDS = list(TILES)


def game(first, *, turns=0, counts=None, **options):
    """A game with nine tiles of every kind, or so many of some."""
    left = [9 if counts is None else counts.get(kind, 0) for kind in KINDS]
    return ReferenceCarcassonne(turned(TILES[first], turns), list(TILES.values()), left, **options)


def put(playing, kind, x, y, quarters=0, meeple=None):
    """Deal a tile and place it."""
    playing.deal(KINDS.index(kind))
    playing.play(x, y, quarters, meeple)


def moves_at(playing, kind, x, y, quarters):
    """The meeples of the moves there, were this tile dealt."""
    other = playing.copy()
    other.deal(KINDS.index(kind))
    return [move[3] for move in other.legal_moves() if move[:3] == (x, y, quarters)]


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


# --- what counts --------------------------------------------------------------------------


def test_two_castles_face_to_face():
    # 6 vertices, merged to 3, 8 points each.
    playing = game("cap")
    assert playing.component(0, 0, 0) == (BROWN, 3, False, (0, 0))
    put(playing, "cap", 0, 1, 2)
    assert playing.component(0, 0, 0) == playing.component(0, 1, 7) == (BROWN, 3, True, (0, 0))
    assert playing.scores() == [24, 0]
    assert playing.turn == 1


def test_a_road_between_two_crosses():
    # Both ends of the middle tile, each merged with that of a cross, and its center: 3 * 4.
    playing = game("cross")
    put(playing, "straight", 1, 0, 1)
    assert playing.component(1, 0, 12) == (GRAY, 3, False, (0, 0))
    put(playing, "cross", 2, 0)
    assert playing.component(1, 0, 12) == (GRAY, 3, True, (0, 0))
    assert playing.scores() == [0, 12]


def test_two_roads_at_once():
    # A cross at (2, 0) ends the roads from (0, 0) and from (2, -2), 3 vertices each.
    playing = game("end", turns=3)
    put(playing, "straight", 1, 0, 1)
    put(playing, "field", 1, -1)
    put(playing, "field", 1, -2)
    put(playing, "end", 2, -2, 2)
    put(playing, "straight", 2, -1)
    assert playing.scores() == [0, 0]
    put(playing, "cross", 2, 0)
    assert playing.scores() == [0, 24]


@pytest.mark.parametrize("mode", [NO_MEEPLE, INFINITE_MEEPLE])
def test_a_castle_and_a_road_at_once(mode):
    # A castle in the north, ends of roads in the west and the east, then init between them:
    # 3 vertices of castle are 24, and of road 12.
    playing = game("cap", turns=2, mode=mode)
    on_road, on_castle = (10, 0) if mode == INFINITE_MEEPLE else (None, None)
    put(playing, "field", -1, 0)
    put(playing, "field", 1, 0)
    put(playing, "end", -1, -1, 3)
    put(playing, "end", 1, -1, 1, on_road)
    put(playing, "init", 0, -1, 0, on_castle)
    assert playing.component(0, -1, 0) == (BROWN, 3, True, (0, 0))
    assert playing.component(0, -1, 12) == (GRAY, 3, True, (0, 0))
    assert playing.scores() == ([24, 12] if mode == INFINITE_MEEPLE else [36, 0])


def test_a_small_ring():
    # Four curves around a point. Road: 4 centers and 4 merged vertices, 32 points. Inside, two
    # vertices of field on each tile are merged to 4: 4 points.
    playing = game("curve", turns=2)
    put(playing, "curve", 1, 0, 1)
    put(playing, "curve", 1, 1, 0)
    assert playing.scores() == [0, 0]
    put(playing, "curve", 0, 1, 3)
    assert playing.component(0, 0, 12) == (GRAY, 8, True, (0, 0))
    assert playing.component(0, 0, 2) == (GREEN, 4, True, (0, 0))
    assert playing.component(0, 0, 0)[2] is False
    assert playing.scores() == [36, 0]


def test_a_ring_around_a_field_that_comes_last():
    # 8 tiles of road: 8 centers and 8 merged vertices, 64 points, when (0, 1) is placed.
    # The field inside has the 13 vertices of its tile and, on each of its four neighbors, one to
    # its left and one to its right, merged with those of the corners: 21 points.
    playing = game("curve", turns=2, counts={"curve": 3, "straight": 4, "field": 1})
    put(playing, "straight", 1, 0, 1)
    put(playing, "curve", 2, 0, 1)
    put(playing, "straight", 2, 1)
    put(playing, "curve", 2, 2)
    put(playing, "straight", 1, 2, 1)
    put(playing, "curve", 0, 2, 3)
    put(playing, "straight", 0, 1)
    assert playing.component(0, 0, 12) == (GRAY, 16, True, (0, 0))
    assert playing.scores() == [64, 0]
    put(playing, "field", 1, 1)
    assert playing.component(1, 1, 12) == (GREEN, 21, True, (0, 0))
    assert playing.scores() == [64, 21]
    assert playing.over
    assert playing.legal_moves() == []


def test_one_vertex_does_not_count():
    # Two crosses share one vertex of road; the meeple comes back without points. So it is in the
    # middle of a cross.
    playing = game("cross", mode=FINITE_MEEPLE, meeples=2)
    put(playing, "cross", 1, 0, 0, 10)
    assert playing.component(1, 0, 10) == (GRAY, 1, True, (0, 0))
    put(playing, "cross", 2, 0, 0, 12)
    assert playing.component(2, 0, 12) == (GRAY, 1, True, (0, 0))
    assert (playing.meeples, playing.supply, playing.scores()) == ({}, [2, 2], [0, 0])


def test_water_is_worth_nothing():
    playing = game("pond")
    put(playing, "pond", 0, 1, 2)
    assert playing.component(0, 0, 0) == (BLUE, 3, True, (0, 0))
    assert playing.scores() == [0, 0]


def test_components_of_a_cross():
    # Each field has a corner's two vertices; the roads have one, also the one in the middle.
    assert game("cross").components() == sorted(
        [(GREEN, 2, False, (0, 0))] * 4 + [(GRAY, 1, False, (0, 0))] * 4 + [(GRAY, 1, True, (0, 0))]
    )


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


def test_what_is_refused():
    playing = game("init", counts={"init": 1, "cap": 1})
    with pytest.raises(ValueError, match="illegal"):
        playing.play(1, 0, 0)
    with pytest.raises(ValueError, match="cannot be dealt"):
        playing.deal(KINDS.index("field"))
    playing.deal(KINDS.index("init"))
    with pytest.raises(ValueError, match="cannot be dealt"):
        playing.deal(KINDS.index("cap"))
    for move in [(0, 0, 0), (1, 0, 1), (2, 0, 0), (1, 1, 0), (1, 0, 0, 4)]:
        with pytest.raises(ValueError, match="illegal"):
            playing.play(*move)
    playing.drop(0)
    with pytest.raises(ValueError, match="cannot be eliminated"):
        playing.drop(1)


def test_copies_are_independent():
    playing = game("cap", mode=FINITE_MEEPLE)
    playing.deal(KINDS.index("cap"))
    other = playing.copy()
    other.play(0, -1, 1, 3)
    assert (playing.turn, playing.supply, playing.meeples) == (0, [7, 7], {})
    assert len(playing.legal_moves()) > 0
    playing.play(0, 1, 2, 6)
    assert (other.scores(), other.supply) == ([0, 0], [6, 7])


# --- what holds in every game -------------------------------------------------------------


@pytest.mark.parametrize("mode", [NO_MEEPLE, INFINITE_MEEPLE, FINITE_MEEPLE])
@pytest.mark.parametrize("seats", [2, 3])
def test_random_games(mode, seats):
    for seed in range(6):
        rng = random.Random(seed)
        playing = game("init", seats=seats, mode=mode, meeples=2, discard=True, counts=counts(rng))
        while not playing.over:
            playing.deal(rng.choices(range(len(KINDS)), playing.left)[0])
            if playing.dealt is not None:
                look_ahead(playing, rng)
                before = list(playing.points)
                playing.play(*rng.choice(playing.legal_moves()))
                assert all(now >= then for now, then in zip(playing.points, before, strict=True))
                look_around(playing)


def counts(rng):
    return {kind: rng.randrange(5) for kind in KINDS}


def look_ahead(playing, rng):
    """Meeples may be put on what has none once the tile lies there."""
    x, y, quarters, _ = rng.choice(playing.legal_moves())
    placed = turned(TILES[KINDS[playing.dealt]], quarters)
    world = World({**playing.world.tiles, (x, y): placed})
    free = [
        v
        for v in range(13)
        if not any(vertex in world.part_of((x, y, v)) for vertex in playing.meeples)
    ]
    least = [v for v in free if placed[0].index(placed[0][v]) == v]
    expected = [None, *least] if playing.supply[playing.turn] else [None]
    assert moves_of(playing, (x, y, quarters)) == expected


def moves_of(playing, place):
    return [move[3] for move in playing.legal_moves() if move[:3] == place]


def look_around(playing):
    tiles = playing.world.tiles
    beside = [(x + dx, y + dy) in tiles for x, y in tiles for dx, dy in BEYOND.values()]
    found = playing.components()
    assert sum(size for _, size, _, _ in found) == 13 * len(tiles) - 3 * sum(beside) // 2
    assert not any(is_closed and any(meeples) for _, _, is_closed, meeples in found)
    on_board = [sum(column) for column in zip(*(meeples for *_, meeples in found), strict=True)]
    assert sum(on_board) == len(playing.meeples)
    closed = [(terrain, size) for terrain, size, is_closed, _ in found if is_closed and size > 1]
    worth = sum(POINTS.get(terrain, 0) * size for terrain, size in closed)
    if playing.mode == NO_MEEPLE:
        assert sum(playing.points) == worth
        assert not any(on_board)
    else:
        assert sum(playing.points) <= worth
    if playing.mode == FINITE_MEEPLE:
        assert [a + b for a, b in zip(on_board, playing.supply, strict=True)] == [2] * playing.seats
