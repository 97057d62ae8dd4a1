"""Tiles: turning, names of components, what fits beside what."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.decks import CLASSIC, GREEN, INIT, TINI, XROAD
from ludograph.games.carcassonne.tiles import (
    CENTER,
    EE,
    EN,
    ES,
    NE,
    NN,
    NW,
    POINTS,
    SE,
    SS,
    STEPS,
    SW,
    TERRAIN_NAMES,
    VERTEX_NAMES,
    WN,
    WS,
    WW,
    Terrain,
    Tile,
    facing,
)
from tests.games.carcassonne.tiles import any_tiles

F, R, C = Terrain.FIELD, Terrain.ROAD, Terrain.CASTLE


def test_terrains_have_the_numbers_of_the_c_header() -> None:
    names = ["GREEN", "GRAY", "BLUE", "BROWN", "PURPLE", "GOLD", "AZURE", "MAHOGANY"]
    assert [terrain.name for terrain in Terrain] == names
    assert [int(terrain) for terrain in Terrain] == list(range(8))
    assert (F, R, C) == (Terrain.GREEN, Terrain.GRAY, Terrain.BROWN)
    assert [TERRAIN_NAMES[terrain] for terrain in (F, R, C)] == ["field", "road", "castle"]
    assert [POINTS[terrain] for terrain in (F, R, C)] == [1, 4, 8]
    assert sum(POINTS) == 13


def test_vertices_run_clockwise_from_the_top_left() -> None:
    assert tuple(range(13)) == (NW, NN, NE, EN, EE, ES, SE, SS, SW, WS, WW, WN, CENTER)
    assert VERTEX_NAMES[SE] == "SE"
    assert VERTEX_NAMES[CENTER] == "CENTER"


def test_facing_vertices() -> None:
    pairs = {(NW, SW), (NN, SS), (NE, SE), (EN, WN), (EE, WW), (ES, WS)}
    assert {(v, facing(v)) for v in (NW, NN, NE, EN, EE, ES)} == pairs
    assert all(facing(facing(v)) == v for v in range(12))


def test_the_four_tiles_of_the_course() -> None:
    assert INIT.components == (0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 2, 1, 2)
    assert INIT.terrains == (C, C, C, F, R, F, F, F, F, F, R, F, R)
    assert Tile((0,) * 13, (F,) * 13) == GREEN
    assert XROAD.components == (0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 0, 8)
    assert XROAD.terrains == (F, R, F, F, R, F, F, R, F, F, R, F, R)
    assert TINI.components == (0, 0, 0, 0, 1, 2, 3, 3, 3, 2, 1, 0, 1)
    assert TINI.terrains == (F, F, F, F, R, F, C, C, C, F, R, F, R)


def test_a_quarter_turns_clockwise() -> None:
    turned = INIT.rotated(1)  # the castle goes east, the road runs north and south
    assert turned.terrains == (F, R, F, C, C, C, F, R, F, F, F, F, R)
    assert turned.components == (3, 2, 1, 0, 0, 0, 1, 2, 3, 3, 3, 3, 2)


def test_tini_is_init_upside_down() -> None:
    assert INIT != TINI
    assert INIT.rotated(2) == TINI
    assert INIT.rotated(2).components != TINI.components


def test_different_rotations() -> None:
    assert [quarters for quarters, _ in GREEN.rotations()] == [0]
    assert [quarters for quarters, _ in INIT.rotations()] == [0, 1, 2, 3]
    assert [quarters for quarters, _ in XROAD.rotations()] == [0]
    straight = next(kind.tile for kind in CLASSIC if kind.name == "road-straight")
    assert [quarters for quarters, _ in straight.rotations()] == [0, 1]


def test_what_fits() -> None:
    north, east, south, west = range(4)
    assert INIT.fits(north, TINI)  # castle on castle
    assert INIT.fits(east, INIT)
    assert INIT.fits(south, GREEN)
    assert not INIT.fits(north, GREEN)
    assert not INIT.fits(north, INIT)
    assert INIT.fits(west, XROAD)


def test_components_decide_equality() -> None:
    """The road that ends in a village is not the road that passes it."""
    through = Tile((0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0), INIT.terrains)
    ending = Tile((0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0), INIT.terrains)
    assert through != ending
    assert ending == Tile((5, 5, 5, 5, 9, 5, 5, 5, 5, 5, 1, 5, 5), INIT.terrains)
    assert through != Tile(through.components, TINI.terrains)
    assert through != (through.components, through.terrains)


@given(tile=any_tiles(), quarters=st.integers(-9, 9), more=st.integers(-9, 9))
def test_turning(tile: Tile, quarters: int, more: int) -> None:
    tile.check()
    turned = tile.rotated(quarters)
    turned.check()
    assert turned.rotated(more) == tile.rotated(quarters + more)
    full = tile.rotated(4)
    assert (full.components, full.terrains) == (tile.components, tile.terrains)
    assert turned.components[CENTER] == tile.components[CENTER]
    for vertex in range(12):
        assert turned.terrains[(vertex + 3 * quarters) % 12] == tile.terrains[vertex]
        assert turned.components[(vertex + 3 * quarters) % 12] == tile.components[vertex]


@given(tile=any_tiles(), names=st.permutations(range(13)))
def test_component_numbers_are_only_names(tile: Tile, names: list[int]) -> None:
    renamed = Tile(tuple(names[number] for number in tile.components), tile.terrains)
    assert renamed == tile
    assert hash(renamed) == hash(tile)
    assert renamed.relabeled().components == tile.relabeled().components
    numbers = tile.relabeled().components
    for vertex, number in enumerate(numbers):
        assert number <= max(numbers[:vertex], default=-1) + 1


@given(one=any_tiles(), other=any_tiles())
def test_equal_means_the_same_graph(one: Tile, other: Tile) -> None:
    def graph(tile: Tile) -> list:
        joined = [[a == b for b in tile.components] for a in tile.components]
        return [joined, list(tile.terrains)]

    for tile in (other, Tile(other.components, one.terrains), Tile(one.components, one.terrains)):
        assert (one == tile) == (graph(one) == graph(tile))


@given(tile=any_tiles())
def test_each_different_rotation_once(tile: Tile) -> None:
    found = list(tile.rotations())
    assert len({turned for _, turned in found}) == len(found)
    assert len(found) in (1, 2, 4)
    for quarters in range(4):
        same = [least for least, turned in found if turned == tile.rotated(quarters)]
        assert len(same) == 1
        assert same[0] <= quarters


@given(one=any_tiles(), other=any_tiles(), side=st.integers(0, 3))
def test_fitting_is_mutual_and_looks_at_facing_vertices(one: Tile, other: Tile, side: int) -> None:
    beyond = (side + 2) % 4
    assert one.fits(side, other) == other.fits(beyond, one)
    own = range(3 * side, 3 * side + 3)
    assert one.fits(side, other) == all(one.terrains[v] == other.terrains[facing(v)] for v in own)
    assert STEPS[side] == tuple(-step for step in STEPS[beyond])


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"components": (0,) * 12}, "components: .* 13 .* 12"),
        ({"terrains": (0,) * 14}, "terrains: .* 13 .* 14"),
        ({"components": (0,) * 12 + (13,)}, r"components\[12\]: .* 0 to 12, .* 13"),
        ({"components": (-1,) + (0,) * 12}, r"components\[0\]: .* 0 to 12, .* -1"),
        ({"terrains": (0,) * 5 + (8,) * 8}, r"terrains\[5\]: .* 0 to 7, .* 8"),
        (
            {"terrains": (0, 0, 3) + (0,) * 10},
            r"terrains\[2\]: .*\bcastle at NE and field at NW",
        ),
    ],
)
def test_what_is_no_tile(changes: dict, named: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{named}$"):
        dataclasses.replace(GREEN, **changes).check()
