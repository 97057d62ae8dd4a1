"""Pictures of Carcassonne: what hangs together looks so, what does not looks apart."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ludograph import carcassonne, rules
from ludograph.games.carcassonne import artwork
from ludograph.games.carcassonne.artwork import (
    SPOTS,
    area,
    fills_of,
    meeple_point,
    meeple_spot,
    ornament_shapes,
    rim_point,
    road,
    shield_place,
    tile_shapes,
)
from ludograph.games.carcassonne.decks import CLASSIC, INIT, TINI, XROAD, Deck, Kind, course
from ludograph.games.carcassonne.holdings import regions
from ludograph.games.carcassonne.position import PlacedTile
from ludograph.games.carcassonne.presentation import holders
from ludograph.games.carcassonne.tiles import CENTER, Terrain, Tile
from ludograph.views import EMPTY, animation, plain, svg, terminal
from ludograph.views.curves import flattened
from tests.games.carcassonne.tiles import any_tiles, decks
from tests.reference.carcassonne_world import World

TILES = [*(kind.tile for kind in CLASSIC), INIT, TINI, XROAD]
OPEN = (False,) * 13


def members(tile):
    """The vertices of each component."""
    found = {}
    for vertex, component in enumerate(tile.components):
        found.setdefault(component, set()).add(vertex)
    return found.values()


def contains(polygon, point):
    """Whether a point is within a polygon, by the even-odd rule."""
    x, y = (polygon - point).T
    after_x, after_y = np.roll(x, -1), np.roll(y, -1)
    crosses = (y > 0) != (after_y > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        right = x - y * (after_x - x) / (after_y - y) > 0
    return int((crosses & right).sum()) % 2 == 1


def outline(shape):
    """The points of a polygon, or on a curve."""
    return flattened(shape.points) if shape.curved else shape.points


def played(deck, seed, plies, **options):
    position = carcassonne.position(deck=deck, **options)
    rng = rules.random_state(seed, 1)
    while not position.is_over and position.ply < plies:
        position.play_random(rng)
    return position


@pytest.mark.parametrize("tile", TILES)
def test_a_castle_is_one_area_with_its_vertices_and_no_others(tile):
    for vertices in members(tile):
        if tile.terrains[min(vertices)] != Terrain.CASTLE:
            continue
        filled = [outline(shape) for shape in area(vertices, "#b57f4f") if shape.fill]
        assert len(filled) == 1
        for vertex in range(12):
            point = rim_point(vertex + 0.5) * 0.9
            assert contains(filled[0], point) == (vertex in vertices)
        assert contains(filled[0], (1e-4, 2e-4)) == (CENTER in vertices)


@pytest.mark.parametrize("tile", TILES)
def test_castles_that_do_not_hang_together_do_not_overlap(tile):
    castles = [v for v in members(tile) if tile.terrains[min(v)] == Terrain.CASTLE]
    outlines = [outline(area(vertices, "#b57f4f")[0]) for vertices in castles]
    for one in outlines:
        for other in outlines:
            inner = other.mean(axis=0) + 0.99 * (other - other.mean(axis=0))
            assert one is other or not any(contains(one, point) for point in inner)


@pytest.mark.parametrize("tile", TILES)
def test_a_road_leads_from_each_of_its_vertices_to_all_others(tile):
    for vertices in members(tile):
        if tile.terrains[min(vertices)] != Terrain.ROAD or vertices == {CENTER}:
            continue
        lines = [outline(shape) for shape in road(vertices, "#ffffff") if shape.line]
        ends = {tuple(np.round(line[at], 6)) for line in lines for at in (0, -1)}
        rim = {tuple(np.round(rim_point(v + 0.5), 6)) for v in vertices - {CENTER}}
        assert rim <= ends
        if len(rim) == 1:  # such roads meet in the middle, or at a monastery, and stop before it
            assert all(np.hypot(*line[-1]) > artwork.PLACE_RADIUS for line in lines)


@pytest.mark.parametrize("tile", TILES)
def test_a_meeple_on_a_road_stands_on_it(tile):
    for quarters in range(4):
        turned = tile.rotated(quarters)
        for vertices in members(turned):
            if turned.terrains[min(vertices)] != Terrain.ROAD or vertices == {CENTER}:
                continue
            standing = PlacedTile(0, 0, None, 0, turned, OPEN, (0, min(vertices)))
            lines = [outline(shape) for shape in road(vertices, "#ffffff") if shape.line]
            steps = np.linspace(0, 1, 20)[:, None]
            along = [a + steps * (b - a) for line in lines for a, b in pairwise(line)]
            away = np.hypot(*(np.concatenate(along) - meeple_point(standing)).T).min()
            assert away < artwork.ROAD_WIDTH / 2


@settings(deadline=None)
@given(any_tiles())
def test_any_tile_can_be_drawn_and_stays_within_its_square(tile):
    for closed in (OPEN, (True,) * 13):
        shapes = tile_shapes(tile.components, tile.terrains, closed)
        for shape in shapes:
            assert np.isfinite(shape.points).all()
            assert np.abs(shape.points).max() <= 0.75
    assert len(fills_of(PlacedTile(0, 0, None, 0, tile))) == 9


@pytest.mark.parametrize("tile", TILES)
def test_houses_stand_within_the_walls(tile):
    for vertices in members(tile):
        if tile.terrains[min(vertices)] != Terrain.CASTLE:
            continue
        walls = outline(area(vertices, "#b57f4f")[0])
        for point in artwork.places_of_houses(walls):
            assert all(contains(walls, corner + point) for corner in artwork.SQUARE * 0.1)


@pytest.mark.parametrize("rules_of", ["course", "official"])
def test_what_is_held_has_the_color_of_its_holder(rules_of):
    position = played("classic", 2, 80, mode="finite", rules=rules_of, discard=True)
    owners = holders(position)
    told = {region.color for region in regions(position)}
    assert {color for colors in owners for color in colors} == told
    for placed, own in zip(position.tiles, owners, strict=True):
        if placed.meeple is None or (rules_of == "official" and placed.meeple[1] == CENTER):
            continue
        drawn = tile_shapes(placed.tile.components, placed.tile.terrains, placed.closed, own)
        color = own[placed.meeple[1]]
        assert not color or any(color in (shape.line, shape.fill) for shape in drawn)
    assert len(told) > 2


def test_a_turned_tile_is_the_picture_turned():
    for tile in TILES:
        turned = tile.rotated(1)
        for vertices in members(tile):
            after = {vertex if vertex == CENTER else (vertex + 3) % 12 for vertex in vertices}
            assert after in list(members(turned))
            points = {(round(-y, 6), round(x, 6)) for x, y in corners(vertices)}
            assert points == {(round(x, 6), round(y, 6)) for x, y in corners(after)}


def corners(vertices):
    return outline(area(vertices, "#b57f4f")[0])


def letters(tile):
    symbols = plain_symbols()
    cells = [symbols[fill] for fill in fills_of(PlacedTile(0, 0, None, 0, tile))]
    return ["".join(cells[row : row + 3]) for row in (0, 3, 6)]


def plain_symbols():
    return [swatch.symbol for swatch in carcassonne.position().scene().palette]


def test_tiles_as_letters():
    tile = {kind.name: kind.tile for kind in CLASSIC}
    assert letters(INIT) == [".c.", "rrr", "..."]
    assert letters(XROAD) == [".r.", "r+r", ".r."]
    assert letters(tile["castle-corner"]) == ["cc.", "cc.", "..."]
    assert letters(tile["castle-full-shield"]) == ["ccc"] * 3
    assert letters(tile["castles-opposite"]) == ["...", "c.c", "..."]
    assert "".join(letters(tile["castles-adjacent"])).count("c") == 2
    assert letters(tile["monastery-road"])[1][1] == "."


@pytest.mark.parametrize("mode", range(3))
def test_what_is_closed_is_marked(mode):
    position = played(course(40), 3, 79, mode=mode, discard=True)
    world = World(
        {(each.x, each.y): (each.tile.components, each.tile.terrains) for each in position.tiles}
    )
    closed = 0
    for placed in position.tiles:
        for vertex in range(13):
            part = world.part_of((placed.x, placed.y, vertex))
            whole = world.is_closed(part) and len(part) > 1
            assert placed.closed[vertex] == whole
            closed += whole
    assert closed


@pytest.mark.parametrize("seed", range(4))
def test_the_meeples_that_are_not_in_hand_are_shown(seed):
    position = played("classic", seed, 91, mode="finite", seats=3, meeples=5, discard=True)
    scene = position.scene()
    for seat in range(3):
        hand = position.meeples(seat)
        swatch = len(scene.palette) - 3 + seat
        assert (scene.fills == swatch).sum() == 5 - hand
        assert list(scene.labels.values()).count("ABC"[seat]) == 5 - hand
    for placed in position.tiles:
        if placed.meeple is not None:
            assert 0 <= meeple_spot(placed) < 9
            assert not placed.closed[placed.meeple[1]]


FOREIGN = Tile((7, 7, 2, 0, 0, 0, 1, 11, 1, 0, 0, 1, 3), (1, 1, 0, 0, 0, 0, 3, 1, 3, 0, 0, 3, 0))
"""A corner without fields, which shows the field elsewhere that the meeple claims."""


@given(any_tiles(), st.integers(0, 12))
@example(FOREIGN, 2)
def test_a_meeple_stands_on_what_it_claims(tile, vertex):
    placed = PlacedTile(0, 0, None, 0, tile, OPEN, (0, vertex))
    stands_on = {tile.components[each] for each in SPOTS[meeple_spot(placed)]}
    assert tile.components[vertex] in stands_on
    assert all(abs(along) <= 0.5 for along in meeple_point(placed))


def test_the_dealt_tile_lies_beside_the_board():
    position = carcassonne.position(deck=Deck(INIT, (Kind("TINI", TINI, 2),)))
    assert plain.text(position.scene()) == ". c .\nr r r\n. . ."
    position.play("deal TINI")
    shown = plain.text(position.scene()).splitlines()
    assert shown == [". c .       . . .", "r r r       r r r", ". . .       . c ."]
    position.play("0,1 r0")
    scene = position.scene()
    assert plain.text(scene) == ". . .\nr r r\n. c .\n. c .\nr r r\n. . ."
    assert (scene.fills == EMPTY).sum() == 9  # so that the picture does not move
    assert scene.strokes[0].cells == (13,)
    position.play("deal TINI")
    position.play("1,0 r0")
    assert (position.scene().fills == EMPTY).sum() == 0


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(decks())
def test_any_deck_can_be_drawn(deck):
    position = carcassonne.position(deck=deck, mode=1, discard=True)
    rng = rules.random_state(1, 1)
    scenes = [position.scene()]
    while not position.is_over and position.ply < 12:
        position.play_random(rng)
        scenes.append(position.scene())
    assert "<svg" in svg.render(scenes[-1])
    assert "<animate" in animation.render(scenes) or len(scenes) == 1
    assert terminal.render(scenes[-1], width=80, height=24)
    assert plain.text(scenes[-1])


@pytest.mark.slow
def test_a_picture_has_one_frame_and_its_size_is_bounded():
    position = played("classic", 1, 200, discard=True)
    text = svg.render(position.scene())
    assert text == svg.render(position.scene())
    empty = sum(
        not tile_shapes(t.tile.components, t.tile.terrains, t.closed) for t in position.tiles
    )
    ornaments = [each for each in position.tiles if ornament_shapes(each.tile)]
    assert text.count('class="sketch"') == 2 * len(position.tiles) - empty + len(ornaments) + 1
    assert len(text) < 100_000


def test_ornaments_lie_within_the_tile_and_shields_within_its_castle():
    for kind in CLASSIC:
        for _, tile in kind.tile.rotations():
            drawn = ornament_shapes(tile)
            assert bool(drawn) == ("monastery" in kind.name or "shield" in kind.name)
            if "shield" not in kind.name:
                continue
            x, y = shield_place(tile, tile.shields[0])
            castles = [
                outline(area(v, "#b57f4f")[0]) for v in members(tile) if tile.terrains[min(v)]
            ]
            assert any(contains(castle, np.array((x + 1e-4, y + 2e-4))) for castle in castles)
            assert all(np.abs(shape.points).max() < 0.5 for shape in drawn)


def test_what_is_dealt_is_held_and_all_else_lies_on_the_table():
    position = played(course(12), 3, 9)
    while position.dealt is None:
        position.play_random(rules.random_state(1))
    held = [sketch for sketch in position.scene().sketches if sketch.held]
    lying = [sketch for sketch in position.scene().sketches if not sketch.held]
    right = max(placed.x for placed in position.tiles)
    assert held
    assert all(sketch.place[0] == right + 2 for sketch in held)
    assert all(sketch.place[0] < right + 1 for sketch in lying)
