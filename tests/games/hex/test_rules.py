"""Known numbers of Hex, and what is true of every game of it."""

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import hex, rules
from ludograph.games.hex import hex_board
from ludograph.games.hex.playouts import crosses
from ludograph.games.hex.rules import CELLS, FREE, STONE, WINNER
from ludograph.games.hex.setup import BLACK, NOBODY, ROW, SIDES, WHITE
from ludograph.rules import OVER, TURN, compiled
from ludograph.search import alphabeta, proof
from tests.amounts import amount, few

MAPS = {2: "LW/WL", 3: "LLW/WWW/WLL", 4: "LLLW/LLWL/LWLL/WLLL"}


def after(setup, state, move):
    state = state.copy()
    rules.play(setup, state, int(move))
    return state


def arranged(setup, start, colors):
    """The state with these colors on the free vertices, whoever's turn it would have been."""
    state = start.copy()
    for vertex, color in zip(setup.free.tolist(), colors, strict=True):
        if color != NOBODY:
            state[TURN] = color
            rules.play(setup, state, vertex)
    return state


def joined_by(setup, colors):
    """The colors that have joined their borders on a full board, by the search of playouts."""
    state = np.zeros(rules.info(setup).state_size, np.int32)
    rules.start(setup, state)
    state[CELLS + setup.free] = STONE - np.asarray(colors)
    state[FREE] = 0
    return [color for color in (BLACK, WHITE) if crosses(setup, state, color)]


@compiled
def count_positions(setup, line, tried, counts):
    """Count positions with as many black stones as white or one more: by winner, then open ones.

    ``line[0]`` is the empty board; vertex by vertex it is left free, made black, made white.
    """
    cells = setup.free.size
    depth = lead = 0
    tried[0] = -1
    while depth >= 0:
        if depth == cells:
            if 0 <= lead <= 1:
                winner = line[depth, WINNER]
                counts[winner if winner >= 0 else 2] += 1
        elif tried[depth] < 2:
            tried[depth] += 1
            rules.copy(line[depth], line[depth + 1])
            if tried[depth] > 0:
                color = tried[depth] - 1
                lead += 1 - 2 * color
                line[depth + 1, TURN] = color
                rules.play(setup, line[depth + 1], setup.free[depth])
            depth += 1
            tried[depth] = -1
            continue
        depth -= 1
        if depth >= 0 and tried[depth] > 0:
            lead -= 3 - 2 * tried[depth]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "all_of_them", "black", "white"),
    [
        (2, 35, None, None),
        (3, 6046, 994, 532),
        pytest.param(4, 10_165_779, None, None, marks=pytest.mark.slow),
    ],
)
def test_numbers_of_positions(size, all_of_them, black, white) -> None:
    start = hex.position(size, pie=False)
    line = np.zeros((size * size + 1, start.state.size), np.int32)
    line[0] = start.state
    counts = np.zeros(3, np.int64)
    count_positions(start.setup, line, np.zeros(size * size + 1, np.int64), counts)
    assert counts.sum() == all_of_them
    if black is not None:
        assert (counts[BLACK], counts[WHITE]) == (black, white)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_every_full_board_has_exactly_one_winner(size: int) -> None:
    setup = hex.position(size).setup
    winners = [joined_by(setup, c) for c in itertools.product((BLACK, WHITE), repeat=size**2)]
    assert all(len(each) == 1 for each in winners)
    assert winners.count([BLACK]) == 2 ** (size * size - 1)


@settings(max_examples=amount(150), deadline=None)
@given(data=st.data(), size=st.integers(4, 12))
def test_every_full_board_of_hexagons_has_exactly_one_winner(data, size: int) -> None:
    start = hex.position(hex.board(size), pie=False)
    colors = data.draw(
        st.lists(st.sampled_from([BLACK, WHITE]), min_size=size**2, max_size=size**2)
    )
    found = joined_by(start.setup, colors)
    assert found == [int(arranged(start.setup, start.state, colors)[WINNER])]


@settings(max_examples=amount(150), deadline=None)
@given(data=st.data(), kind=st.sampled_from("ct"), m=st.integers(2, 6))
def test_full_boards_of_squares_and_triangles_have_one_winner_at_most(data, kind, m) -> None:
    start = hex.position(hex_board(m, kind), pie=False)
    count = start.setup.free.size
    bias = data.draw(st.floats(0, 1))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    colors = (rng.random(count) < bias).astype(int).tolist()
    found = joined_by(start.setup, colors)
    winner = int(arranged(start.setup, start.state, colors)[WINNER])
    assert found == ([] if winner == NOBODY else [winner])


@pytest.mark.slow
@pytest.mark.parametrize("size", MAPS)
def test_opening_maps(size: int) -> None:
    start = hex.position(size, pie=False)
    found = ""
    for vertex in start.setup.free.tolist():
        state = after(start.setup, start.state, vertex)
        solution = proof.solve(start.setup, state, table_bits=18)
        found += {"win": "L", "loss": "W"}[solution.verdict]
        if size < 4:
            assert np.sign(alphabeta.search(start.setup, state).value) == solution.value
    assert found == MAPS[size].replace("/", "")


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 3])
def test_with_the_pie_rule_the_second_seat_wins(size: int) -> None:
    start = hex.position(size)
    result = alphabeta.search(start.setup, start.state)
    assert result.exact
    assert result.value < 0
    for vertex, letter in zip(start.setup.free.tolist(), MAPS[size].replace("/", ""), strict=True):
        answer = alphabeta.search(start.setup, after(start.setup, start.state, vertex))
        assert answer.value > 0
        if letter == "W":
            assert answer.move == start.board.n  # to take the stone is the only way to win


@pytest.mark.parametrize(("kind", "m"), [("h", 6), ("c", 6), ("t", 3)])
def test_filling_the_board_is_as_good_as_playing_on(kind: str, m: int) -> None:
    position = hex.position(hex_board(m, kind), pie=False)
    setup = position.setup
    rng = rules.random_state(4)
    games = few(1500, 4000)
    tallies = []
    for full in (True, False):
        total = np.zeros(2)
        for _ in range(games):
            state, out = position.state.copy(), np.zeros(2)
            if full:
                rules.playout(setup, state, rng, out)
            else:
                while state[TURN] != OVER:
                    rules.play(setup, state, rules.sample_move(setup, state, rng))
                rules.scores(setup, state, out)
            total += out
        assert total.sum() == games
        tallies.append(total[0] / games)
    assert abs(tallies[0] - tallies[1]) < 5 * (0.5 / games) ** 0.5


@pytest.mark.parametrize("kind", "hct")
def test_clusters_of_neighbors_are_the_parts_of_the_graph_of_these(kind: str):
    setup = hex.position(hex_board(5, kind)).setup
    graph = nx.Graph()
    for vertex, (first, last) in enumerate(itertools.pairwise(setup.offsets.tolist())):
        graph.add_edges_from((vertex, near) for near in setup.neighbors[first:last].tolist())
    for first in setup.row_offsets[setup.free].tolist():
        *near, vertex, begin = setup.rows[first : first + ROW].tolist()
        for stones in range(1 << SIDES):
            chosen = {near[side] for side in range(SIDES) if stones >> side & 1} - {vertex}
            if chosen and len(chosen) == stones.bit_count():
                said = int(setup.rows[begin + stones])
                sides = [said & 7, *(side for side in range(SIDES) if said >> (3 + side) & 1)]
                parts = list(nx.connected_components(graph.subgraph(chosen)))
                assert len(sides) == len(parts)
                assert all(any(near[side] in part for side in sides) for part in parts)
