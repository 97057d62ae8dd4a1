"""Bounds and nogoods are true: what they say no zone can do, the breadth-first search cannot."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.games.flood.solo.moves import enter, make_scratch
from ludograph.games.flood.solo.nogoods import (
    bound_after,
    enlarge,
    explain,
    find_nogood,
    keep_nogood,
    make_nogoods,
)
from ludograph.games.flood.solo.optimal import Deepening
from ludograph.games.flood.solo.puzzle import add, disjoint, join, make_puzzle
from ludograph.rules import interpreted
from tests.games.flood.solo.boards import BOARDS, fewest_moves, members, position_on

pytestmark = pytest.mark.slow

MEMORY = 1 << 20


def puzzle_on(family, seed):
    position = position_on(family, seed)
    return make_puzzle(position.setup, position.state)


def a_set(width, regions):
    words = np.zeros(width, np.uint64)
    for region in regions:
        add(words, region)
    return words


def everything_but(puzzle, nogood):
    return set(range(puzzle.regions)) - members(nogood)


@pytest.mark.usefixtures("plain_in_make_test")
@settings(deadline=None)
@given(
    family=st.sampled_from(sorted(BOARDS)),
    seed=st.integers(0, 1000),
    regions=st.sets(st.integers(0, 30)),
    limit=st.integers(0, 12),
)
def test_no_zone_needs_fewer_moves_than_its_bound(family, seed, regions, limit):
    """And what the bound is owed to holds for all zones that miss it."""
    puzzle = puzzle_on(family, seed)
    held = {region for region in regions if region < puzzle.regions}
    scratch = make_scratch(puzzle)
    zone = a_set(puzzle.width, held)
    left = enter(puzzle.graph, puzzle.start, scratch.after, zone)
    join(zone, scratch.after.near)  # where the zone is not connected
    bound = bound_after(puzzle.graph, scratch, left, limit)
    assert bound <= fewest_moves(puzzle, held)
    if bound >= limit:
        nogood = np.zeros(puzzle.width, np.uint64)
        explain(puzzle.graph, scratch, bound, limit, nogood)
        assert disjoint(nogood, zone)
        assert fewest_moves(puzzle, everything_but(puzzle, nogood)) >= limit


@pytest.mark.parametrize("family", BOARDS)
def test_all_that_a_search_learns_is_true(family):
    """The largest zone that misses a nogood for ``b`` moves needs more, and so do its parts."""
    learned = 0
    for seed in range(60):
        puzzle = puzzle_on(family, seed)
        search = Deepening(puzzle, MEMORY)
        while search.choices is None:
            search.go_on()
        for budget, shelf in enumerate(search.nogoods.shelves):
            for place in range(shelf.count):
                nogood = search.nogoods.sets[budget, place]
                assert fewest_moves(puzzle, everything_but(puzzle, nogood)) > budget
                learned += 1
    assert learned > 0


@pytest.mark.parametrize("seed", [17, 53])
def test_plain_python_learns_the_same(seed):
    def learned():
        search = Deepening(puzzle_on("hatched", seed), MEMORY)
        while search.choices is None:
            search.go_on()
        nogoods, counts = search.nogoods.sets, search.nogoods.shelves["count"]
        return [nogoods[budget, :count].tolist() for budget, count in enumerate(counts)]

    with interpreted():
        plain = learned()
    assert plain == learned()


def test_a_full_shelf_keeps_what_was_of_use():
    nogoods = make_nogoods(1, 4, 4)
    everything = a_set(4, range(200))
    for region in range(4):
        keep_nogood(nogoods, 0, a_set(4, [region]))
    for used in (3, 3):  # halfway to the front, and again
        zone = a_set(4, set(range(200)) - {used})
        assert find_nogood(nogoods, 0, zone) >= 0
    for region in range(100, 120):
        keep_nogood(nogoods, 0, a_set(4, [region]))
    kept = [members(nogood) for nogood in nogoods.sets[0]]
    assert {3} in kept[:2]
    assert {119} in kept[2:]
    assert find_nogood(nogoods, 0, everything) == -1


def test_more_room_keeps_what_is_known():
    nogoods = make_nogoods(2, 3, 4)
    keep_nogood(nogoods, 1, a_set(4, [5]))
    larger = enlarge(nogoods, 7, 2)
    assert larger.sets.shape == (7, 2, 4)
    assert [shelf.count for shelf in larger.shelves] == [0, 1, 0, 0, 0, 0, 0]
    assert members(larger.sets[1, 0]) == {5}
