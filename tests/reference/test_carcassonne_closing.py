"""The reference of Carcassonne on closed components whose points are worked out by hand."""

import random

import pytest

from tests.amounts import amount, slow_but
from tests.reference.carcassonne import (
    BROWN,
    FINITE_MEEPLE,
    GRAY,
    GREEN,
    INFINITE_MEEPLE,
    NO_MEEPLE,
    POINTS,
)
from tests.reference.carcassonne_tables import KINDS, TILES, game, put
from tests.reference.carcassonne_world import BEYOND, World, turned

BLUE = 2


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


# --- what holds in every game -------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "mode", slow_but([NO_MEEPLE, FINITE_MEEPLE], [NO_MEEPLE, INFINITE_MEEPLE, FINITE_MEEPLE])
)
@pytest.mark.parametrize("seats", slow_but([3], [2, 3]))
def test_random_games(mode, seats):
    for seed in range(amount(6)):
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
