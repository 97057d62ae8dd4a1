"""Two-distance: that of a slow reading of its definition, on every kind of board."""

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.games.hex import hex_board
from ludograph.games.hex.evaluation.distances import BLOCKED, distance
from ludograph.games.hex.evaluation.two_distance import (
    FAR,
    FIRST,
    SECOND,
    leads_after,
    measure,
)
from ludograph.games.hex.rules import CELLS
from ludograph.games.hex.setup import BLACK, WHITE

pytestmark = pytest.mark.slow

BOARDS = {"h": hex_board(6, "h"), "c": hex_board(5, "c"), "t": hex_board(3, "t")}


def linked(position, color, begin, wall=()):
    """The free vertices beside some, own stones but those of a wall walked through; the stones."""
    owners, found, seen, waiting = position.stones, set(), set(), list(begin)
    while waiting:
        for near in position.board.neighbors_of(waiting.pop()).tolist():
            if owners[near] == color and near not in seen and near not in wall:
                seen.add(near)
                waiting.append(near)
            elif owners[near] < 0:
                found.add(near)
    return found, seen


def slow(position, color, rank):
    """The least sum of both two-distances, found by repeating the definition until it holds."""
    board, owners = position.board, position.stones
    free = np.flatnonzero(owners < 0).tolist()
    rest = set(np.flatnonzero(position.borders == color).tolist())
    sides = []
    while rest:
        chain, waiting = set(), [min(rest)]
        while waiting:
            vertex = waiting.pop()
            chain.add(vertex)
            waiting += [w for w in board.neighbors_of(vertex).tolist() if w in rest - chain]
        sides.append(chain)
        rest -= chain
    total = dict.fromkeys(free, 0.0)
    for side in sides:
        beside, group = linked(position, color, side)
        # What hangs on the border is the border: no way leads on through it.
        near = {v: linked(position, color, [v], side | group)[0] - {v} for v in free}
        lengths = {vertex: 1.0 if vertex in beside else np.inf for vertex in free}
        changed = True
        while changed:
            changed = False
            for vertex in free:
                if vertex in beside:
                    continue
                ranked = sorted(lengths[each] for each in near[vertex])
                value = ranked[rank - 1] + 1 if len(ranked) >= rank else np.inf
                if value < lengths[vertex]:
                    lengths[vertex], changed = value, True
        for vertex in free:
            total[vertex] += lengths[vertex]
    least = min(total.values(), default=np.inf)
    return FAR if least == np.inf else least


@pytest.mark.parametrize("kind", BOARDS)
@pytest.mark.parametrize("rank", [FIRST, SECOND])
def test_it_is_what_its_definition_says(kind, rank):
    position = hex.position(BOARDS[kind], pie=False)
    rng = rules.random_state(3)
    sums = np.zeros(position.setup.touches.size, np.int32)
    while not position.is_over:
        if position.ply % 3 == 0:
            for color in (BLACK, WHITE):
                found = measure(position.setup, position.state, color, rank, sums)
                assert found == slow(position, color, rank)
        position.play_random(rng)


@pytest.mark.parametrize("kind", BOARDS)
def test_with_the_first_neighbor_it_is_the_distance(kind):
    position = hex.position(BOARDS[kind], pie=False)
    rng = rules.random_state(4)
    sums = np.zeros(position.setup.touches.size, np.int32)
    while not position.is_over:
        for color in (BLACK, WHITE):
            usual = distance(position.setup, position.state, color)
            found = measure(position.setup, position.state, color, FIRST, sums)
            assert found == (FAR if usual == BLOCKED else usual + 1)
        position.play_random(rng)


def test_leads_are_measured_on_the_state_as_it_was():
    position = hex.position(4, pie=False)
    position.play("b2")
    before = position.state.copy()
    moves = np.array(position.legal_moves(), np.int32)
    state = position.state.copy()
    leads = leads_after(position.setup, state, WHITE, SECOND, moves)
    assert np.array_equal(state, before)
    sums = np.zeros(position.setup.touches.size, np.int32)
    for move, lead in zip(moves.tolist(), leads.tolist(), strict=True):
        after = position.copy()
        after.state[CELLS + move] = -2
        own, other = (measure(after.setup, after.state, c, SECOND, sums) for c in (WHITE, BLACK))
        assert lead == other - own
