"""Playouts that answer the last move by patterns, against an exact reckoning of a slow one."""

from collections import defaultdict

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.games.hex import hex_board
from ludograph.games.hex.patterns.features import PLACES, RING, STEPS, turned_codes
from ludograph.games.hex.patterns.replies import (
    gaps_of_rings,
    make_replies,
    shares,
    slots_of,
    with_bridges,
)
from ludograph.games.hex.playouts import SLOTS
from ludograph.games.hex.rules import CELLS, STONE
from ludograph.games.hex.setup import NOBODY, WHITE
from ludograph.games.hex.strategies import HexMcts
from ludograph.search.mcts.hints import amaf_playout
from tests.games.hex.solving.boards import random_position

TURNED = [3, 4, 5, 0, 1, 2, 9, 10, 11, 6, 7, 8]


def chances():
    """Return how likely each reply is, ``PLACES`` for any vertex: ``float64[RING, PLACES + 1]``."""
    slots = slots_of(with_bridges(shares()))
    return np.array([np.bincount(row, minlength=PLACES + 1) for row in slots]) / SLOTS


def answers(stones, columns, last, color, likely):
    """Return the likelihood of each free vertex to be played next."""
    free = np.flatnonzero(stones == NOBODY).tolist()
    found = dict.fromkeys(free, 0.0)
    row, column = divmod(last, columns)
    ring, there = 0, []
    for place, step in enumerate(STEPS):
        down, right = step[::-1] if color == WHITE else step
        near = row + down, column + right
        on_board = min(near) >= 0 and max(near) < columns
        there.append(near[0] * columns + near[1] if on_board else -1)
        if place < 6 and stones[there[place]] != NOBODY:
            ring += 3**place * (1 if stones[there[place]] == color else 2)
    anywhere = 1.0
    for place, vertex in enumerate(there):
        if vertex in found:
            found[vertex] += likely[ring, place]
            anywhere -= likely[ring, place]
    return {vertex: worth + anywhere / len(free) for vertex, worth in found.items()}


def ends(stones, columns, last, color, likely):
    """Yield (chance, full board) of all playouts."""
    if (stones != NOBODY).all():
        yield 1.0, tuple(stones.tolist())
        return
    for vertex, chance in answers(stones, columns, last, color, likely).items():
        after = stones.copy()
        after[vertex] = color
        for more, board in ends(after, columns, vertex, 1 - color, likely):
            yield chance * more, board


@pytest.mark.parametrize(("size", "left"), [(3, 5), (4, 5), (5, 4)])
def test_boards_are_filled_as_often_as_the_shares_of_replies_say(size, left):
    likely, rng, out = chances(), rules.random_state(size), np.zeros(2)
    games = 3000
    for seed in range(6):
        position = random_position(np.random.default_rng(seed), size, False, size * size - left)
        setup = position.setup._replace(replies=make_replies(position.setup))
        expected = defaultdict(float)
        begin = position.stones, setup.columns, position.last_vertex, position.color_to_move
        for chance, board in ends(*begin, likely):
            expected[board] += chance
        counts = defaultdict(int)
        for _ in range(games):
            state = position.state.copy()
            amaf_playout(setup, state, rng, out)
            cells = state[CELLS : CELLS + setup.owners.size]
            counts[tuple((STONE - cells).tolist())] += 1
        assert set(counts) <= {board for board, chance in expected.items() if chance > 0}
        for board, chance in expected.items():
            spread = (chance * (1 - chance) / games) ** 0.5
            assert abs(counts[board] / games - chance) <= 5 * spread + 1e-9


def test_plain_python_fills_the_same_boards():
    position = hex.position(4, pie=False)
    position.play("b2")
    setup = position.setup._replace(replies=make_replies(position.setup))
    for seed in range(5):
        compiled, plain, out = position.state.copy(), position.state.copy(), np.zeros(2)
        amaf_playout(setup, compiled, rules.random_state(seed), out)
        with rules.interpreted():
            amaf_playout(setup, plain, rules.random_state(seed), out)
        assert np.array_equal(compiled, plain)


def test_bridges_are_always_completed():
    likely = chances()
    for code, gaps in enumerate(gaps_of_rings()):
        assert not gaps or likely[code, gaps].sum() == 1.0


def test_replies_are_where_a_vertex_may_be_free():
    """A point off the board has no free vertex beside it."""
    kept = shares()
    for code in range(RING):
        digits = [code // 3**place % 3 for place in range(6)]
        for place in range(6):
            assert digits[place] == 0 or kept[code, place] == 0
            assert 0 in (digits[place], digits[(place + 1) % 6]) or kept[code, 6 + place] == 0
    assert kept.sum(axis=1).max() <= 1.0


def test_a_board_turned_by_half_is_answered_alike():
    kept = shares()
    assert np.array_equal(kept[turned_codes(6)][:, TURNED], kept)


def test_only_searches_and_boards_of_hexagonal_cells_have_replies():
    assert hex.position(4).setup.replies.size == 0
    for kind in ("c", "t"):
        assert make_replies(hex.position(hex_board(4, kind)).setup).size == 0


@pytest.mark.parametrize("playouts", ["patterns", "bridges"])
def test_a_search_plays_out_as_it_is_told(playouts):
    position = hex.position(4, pie=False)
    player = HexMcts(1, sims=50, playouts=playouts)
    search = player.prepare(position)
    assert (search.setup.replies.size > 0) == (playouts == "patterns")
    assert player.choose(position) in position.legal_moves()
