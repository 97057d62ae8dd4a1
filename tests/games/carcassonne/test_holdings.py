"""What pages tell of roads, castles and fields: who holds them, and what they are worth."""

import re
from collections import Counter

import numpy as np
import pytest

from ludograph import carcassonne, rules
from ludograph.games.carcassonne.artwork import rim_point
from ludograph.games.carcassonne.decks import course
from ludograph.games.carcassonne.holdings import regions, thirds
from ludograph.games.carcassonne.tiles import CENTER, TERRAIN_NAMES
from tests.reference.carcassonne_world import World

COLORS = ("blue", "red")
EACH = {"field": 1, "road": 4, "castle": 8}


def played(size, seed, mode):
    position = carcassonne.position(deck=course(size), mode=mode)
    rng = rules.random_state(seed, 1)
    while not position.is_over:
        position.play_random(rng)
    return position


def said(world, part, stood):
    """The sentence about a component, by the graph of the table."""
    name, size = TERRAIN_NAMES[world.terrain(part)], world.size(part)
    points = "nothing" if size == 1 else f"{size * EACH[name]} points"
    counts = [sum(stood.get(vertex) == color for vertex in part) for color in COLORS]
    best = [color for color, count in zip(COLORS, counts, strict=True) if count == max(counts) > 0]
    if world.is_closed(part):
        whom = best[0] if len(best) == 1 else "nobody"
        given = f": it has given {whom} {points}" if size > 1 else ", but too short to count"
        return f"This {name} is closed{given}"
    if len(best) == 2:
        share = f"Blue and red share this {name}, {max(counts)} each"
        return f"{share}: with a tie, nobody gets its {points}"
    if not best:
        return f"Nobody holds this {name} yet: {points} if it is closed at its present size"
    meeples = f"{max(counts)} meeple{'s' * (max(counts) > 1)}"
    who = best[0].capitalize()
    return f"{who} holds this {name} ({meeples}): {points} if it is closed at its present size"


@pytest.mark.parametrize("seed", range(4))
def test_it_is_what_the_table_says(seed) -> None:
    position = played(40, seed, "infinite")
    world = World(
        {(each.x, each.y): (each.tile.components, each.tile.terrains) for each in position.tiles}
    )
    kinds = position.setup.kinds
    placements = [position.placement(move) for move in position.history if move >= kinds]
    stood = {
        (each.x, each.y, each.vertex): COLORS[number % position.seats]
        for number, each in enumerate(placements)
        if each.vertex is not None
    }
    ends = [part for part in world.parts if {v for _, _, v in part} == {CENTER}]
    wanted = Counter(said(world, part, stood) for part in world.parts if part not in ends)
    assert Counter(region.text for region in regions(position)) == wanted


def test_points_that_are_told_to_be_given_are_those_that_were_given() -> None:
    position = played(60, 5, "finite")
    given = [re.search(r"given (\w+) (\d+)", region.text) for region in regions(position)]
    totals = [sum(int(each[2]) for each in given if each and each[1] == c) for c in COLORS]
    assert totals == list(position.scores())
    assert max(totals) > 0


def test_without_meeples_whoever_closes_gets_the_points(wording) -> None:
    (castle,) = [each for each in regions(carcassonne.position()) if "castle" in each.text]
    assert [castle.text] == wording
    assert castle.color == ""


def test_the_parts_of_its_vertices_make_up_a_tile() -> None:
    areas = []
    for vertex in range(CENTER + 1):
        x, y = thirds(vertex).T
        areas.append(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)
        point = 0.9 * rim_point(vertex + 0.5) if vertex != CENTER else np.zeros(2)
        assert (point >= thirds(vertex).min(axis=0)).all()
        assert (point <= thirds(vertex).max(axis=0)).all()
    assert sum(areas) == pytest.approx(1)
