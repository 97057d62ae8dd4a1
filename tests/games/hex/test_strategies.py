"""Hex's strategies: what they look at, and that they see what is in front of them."""

import heapq
import math
from contextlib import nullcontext

import numpy as np
import pytest

from ludograph import boards, hex, rules
from ludograph.games.hex import hex_board
from ludograph.games.hex.evaluation.circuit import balance, circuits, solve
from ludograph.games.hex.evaluation.distances import BLOCKED, distance, shortest_paths
from ludograph.games.hex.evaluation.openings import openings, propose
from ludograph.games.hex.rules import CELLS, STONE
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.strategies import STRATEGIES
from ludograph.games.timing import TimeLeft
from tests.amounts import plain_in_make_test

BOARDS = {
    "h": hex_board(6, "h"),
    "c": hex_board(5, "c"),
    "t": hex_board(3, "t"),
}
PLAYERS = {
    "random": {},
    "connex": {},
    "resistance": {"width": "6"},
    "minimax": {"depth": "2"},
    "mcts": {"sims": "60"},
}
WINS_4X4 = {"d1", "c2", "b3", "a4"}


def created(name, seed=0, **options):
    return STRATEGIES[name].create(options, seed)


def compiled_for(name, position):
    """In ``make test`` minimax is not compiled: no other test there needs its search."""
    openings(position)  # remembered: the random games behind it are always machine code
    return plain_in_make_test() if name == "minimax" else nullcontext()


def chosen(name, position, **options):
    with compiled_for(name, position):
        return position.text(created(name, **options).choose(position))


def played(position, moves):
    for move in moves.split():
        position.play(move)
    return position


def dijkstra(position, color):
    """The number of free vertices on the shortest path, on the board with its borders."""
    board, state = position.board, position.state

    def cost(vertex):
        owner = position.setup.owners[vertex]
        cell = STONE - owner if owner >= 0 else state[CELLS + vertex]
        return 1 if cell >= 0 else 0 if cell == STONE - color else math.inf

    border = set(np.flatnonzero(position.setup.owners == color).tolist())
    chain = {min(border)}
    grown = True
    while grown:
        near = {w for v in chain for w in board.neighbors_of(v).tolist()} & border
        grown = not near <= chain
        chain |= near
    best = dict.fromkeys(chain, 0)
    queue = [(0, vertex) for vertex in chain]
    heapq.heapify(queue)
    while queue:
        length, vertex = heapq.heappop(queue)
        if vertex in border - chain:
            return length
        for near in board.neighbors_of(vertex).tolist():
            longer = length + cost(near)
            if longer < best.get(near, math.inf):
                best[near] = longer
                heapq.heappush(queue, (longer, near))
    return BLOCKED


@pytest.mark.slow
@pytest.mark.parametrize("kind", BOARDS)
def test_distances_are_those_of_a_slow_search(kind):
    for seed in range(6):
        position = hex.position(BOARDS[kind], pie=False)
        rng = rules.random_state(seed)
        while not position.is_over:
            before = position.state.copy()
            for color in (BLACK, WHITE):
                expected = dijkstra(position, color)
                assert distance(position.setup, position.state, color) == expected
                paths = shortest_paths(position.setup, position.state, color)
                assert paths.length == expected
                assert len(paths.vertices) >= max(0, expected)
            assert np.array_equal(position.state, before)
            position.play_random(rng)


@pytest.mark.slow
def test_the_evaluation_lies_inside_the_bounds_and_adds_up():
    for board in BOARDS.values():
        position = hex.position(board)
        out, rng = np.zeros(2), rules.random_state(5)
        while not position.is_over:
            rules.evaluate(position.setup, position.state, out)
            assert out.sum() == pytest.approx(1.0)
            assert 0.0 < out[0] < 1.0
            position.play_random(rng)
        rules.evaluate(position.setup, position.state, out)
        assert tuple(out) == position.scores()


@pytest.mark.parametrize("name", ["connex", "resistance", "minimax", "mcts"])
def test_a_win_in_one_move_is_taken_and_a_loss_in_one_prevented(name):
    options = {**PLAYERS[name], **({"sims": "3000"} if name == "mcts" else {})}
    # Black has c1 to c3, which lacks c4 and nothing else; white has a row of its own.
    position = played(hex.position(4, pie=False), "c1 a4 c2 b4 c3 d4")
    assert chosen(name, position, **options) == "c4"
    # White has b2 to d2, which lacks a2.
    position = played(hex.position(4, pie=False), "a3 b2 b4 c2 c4 d2")
    assert chosen(name, position, **options) == "a2"


@pytest.mark.slow
def test_connex_sees_more_in_ways_than_a_search_two_plies_deep_in_shortest_paths():
    wins = 0
    for seed in range(4):
        for seat in (0, 1):
            position = played(hex.position(6, pie=False), ["b4", "d2", "b5", "c2"][seed])
            names = ["connex", "minimax"]
            choosers = [created("connex", seed), created("minimax", depth="2")]
            while not position.is_over:
                turn = position.turn ^ seat
                with compiled_for(names[turn], position):
                    position.play(choosers[turn].choose(position))
            wins += position.outcome().winner == seat
    assert wins >= 6


def line(*, columns=4):
    """A row of squares: black's borders left and right of it, white's above and below."""
    board = boards.square(columns, 3)
    n = 3 * columns
    middle = list(range(columns, 2 * columns))
    white = [*range(columns), *range(2 * columns, n)]
    return board.with_marks({"black": [middle[0], middle[-1]], "white": white})


def test_resistors_in_series_and_parallel():
    # Two free vertices in a row: 1 + (1 + 1) + 1 = 4 ohms. For white each is a way of its own,
    # 1 + 1 ohms, and both are parallel: 1 ohm; nothing runs between them.
    position = hex.position(line(), pie=False)
    black, white = circuits(position.setup, position.state)
    assert black.conductance == pytest.approx(1 / 4)
    assert white.conductance == pytest.approx(1.0)
    free = position.setup.free
    assert black.currents[free] == pytest.approx([1 / 4, 1 / 4])
    assert white.currents[free] == pytest.approx([1 / 2, 1 / 2])
    assert balance(black, white) == pytest.approx(-math.log(4))
    # A black stone on one is part of its border, the other has 1 + 1 ohms; white keeps one way.
    position.play(int(free[0]))
    black, white = circuits(position.setup, position.state)
    assert black.conductance == pytest.approx(1 / 2)
    assert white.conductance == pytest.approx(1 / 2)
    position.play(int(free[1]))
    assert solve(position.setup, position.state, BLACK).conductance == pytest.approx(0.0)
    assert math.isinf(solve(position.setup, position.state, WHITE).conductance)


def test_the_circuit_of_an_empty_rhombus_is_the_same_for_both():
    for size in (1, 2, 5):
        position = hex.position(size)
        black, white = circuits(position.setup, position.state)
        assert black.conductance == pytest.approx(white.conductance)


def test_the_worth_of_openings_resembles_the_known_map():
    known = "LLLLW/LWWWW/LWWWL/WWWWL/WLLLL".replace("/", "")
    worth = openings(hex.position(5)).values()
    agree = sum((w > 0.6) == (k == "W") for w, k in zip(worth, known, strict=True))
    assert agree >= 21


def test_what_is_proposed_is_neither_the_best_nor_the_worst():
    for board in (*BOARDS.values(), hex_board(12)):
        position = hex.position(board)
        worth = openings(position)
        assert min(worth.values()) < worth[propose(position)] < max(worth.values())


@pytest.mark.parametrize("name", ["connex", "resistance", "minimax", "mcts"])
def test_the_center_is_taken_and_the_acute_corner_left(name):
    options = {**PLAYERS[name], **({"sims": "20000"} if name == "mcts" else {})}
    for opening, swaps in (("c3", True), ("a1", False)):
        position = played(hex.position(5), opening)
        assert (chosen(name, position, **options) == "swap") == swaps


@pytest.mark.parametrize("opening", sorted(WINS_4X4))
def test_mcts_wins_what_is_won(opening):
    position = played(hex.position(4, pie=False), opening)
    choosers = [created("mcts", 1, sims="6000"), created("mcts", 2, sims="6000")]
    while not position.is_over:
        position.play(choosers[position.turn].choose(position))
    assert position.outcome().winner == 0


def test_mcts_swaps_as_the_solved_board_says():
    for opening, swaps in (("d1", True), ("c2", True), ("a1", False), ("b1", False)):
        position = played(hex.position(4), opening)
        move = created("mcts", sims="20000").choose(position)
        assert (position.text(move) == "swap") == swaps


def test_the_clock_bounds_resistance():
    chooser = created("resistance", width="100")
    position = hex.position(11, pie=False)
    assert position.is_legal(chooser.choose(position, TimeLeft(move=0.01)))
    assert len(chooser.thoughts().moves) < 100
