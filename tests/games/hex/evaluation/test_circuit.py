"""The circuits of Hex against Kirchhoff's laws written down plainly, and what is made of them."""

import math

import numpy as np
import pytest

from ludograph import boards, hex, rules
from ludograph.games.hex import hex_board
from ludograph.games.hex.evaluation.circuit import (
    LIMIT,
    balance,
    circuits,
    solve,
)
from ludograph.games.hex.evaluation.distances import shortest_paths
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.games.hex.strategies import STRATEGIES, Resistance
from ludograph.rules import TURN
from tests.amounts import few
from tests.games.hex.boards import grid_between_borders, tangle
from tests.games.twins import twin
from tests.reference.hex import circuit

BOARDS = {
    **{f"{kind}{m}": hex_board(m, kind) for kind in "hct" for m in (2, 3, 4)},
    "c5": hex_board(5, "c"),
    "h6": hex_board(6, "h"),
    "grid": grid_between_borders(5, 6),
    **{f"tangle{seed}": tangle(seed) for seed in range(3)},
}


def compare(position, slow):
    for color in (BLACK, WHITE):
        ours = solve(position.setup, position.state, color)
        whole, through = circuit(slow.game, color)
        assert ours.conductance == pytest.approx(whole, rel=1e-11, abs=1e-13)
        expected = np.zeros(position.board.n)
        expected[list(through)] = list(through.values())
        assert ours.currents == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("name", BOARDS)
def test_random_games_obey_kirchhoff(name):
    start = hex.position(BOARDS[name], pie=False)
    seen = set()
    for seed in range(few(2, 4)):
        position, slow = start.copy(), twin(start)
        rng = rules.random_state(seed)
        compare(position, slow)
        while not position.is_over:
            move = int(rules.sample_move(position.setup, position.state, rng))
            position.play(move)
            slow.play(move)
            compare(position, slow)
            seen |= {c.conductance for c in circuits(position.setup, position.state)}
    assert 0.0 in seen or name.startswith("tangle")
    assert math.inf in seen or name[0] != "h"


@pytest.mark.slow
def test_a_graph_from_a_file(tmp_path):
    boards.save(tangle(7), tmp_path / "tangle.json")
    position = hex.position(boards.load(tmp_path / "tangle.json"), pie=False)
    compare(position, twin(position))


@pytest.mark.parametrize("size", [13, 19])
def test_a_large_board(size):
    position = hex.position(size, pie=False)
    slow, rng = twin(position), rules.random_state(1)
    for _ in range(size * size // 3):
        move = int(rules.sample_move(position.setup, position.state, rng))
        position.play(move)
        slow.play(move)
    compare(position, slow)


@pytest.mark.parametrize("stones", [1, 30, 300])
def test_long_chains_of_stones_lose_no_digits(stones):
    # Black's row of stones lacks one in the middle: 1 ohm to either side of it.
    columns = stones + 3
    board = boards.square(columns, 3)
    middle = list(range(columns, 2 * columns))
    outside = [v for v in range(board.n) if v not in middle]
    marks = {"black": [middle[0], middle[-1]], "white": outside}
    position = hex.position(board.with_marks(marks), pie=False)
    free = position.setup.free.tolist()
    for vertex in [v for v in free if v != free[stones // 2]]:
        position.state[TURN] = BLACK  # white never moves
        rules.play(position.setup, position.state, vertex)
    black, white = circuits(position.setup, position.state)
    assert black.conductance == pytest.approx(1 / 2, rel=1e-11)
    assert black.currents.sum() == pytest.approx(1 / 2, rel=1e-11)
    assert white.conductance == pytest.approx(1 / 2, rel=1e-11)


def test_moves_that_win_or_save_come_before_the_busiest():
    player, seen = Resistance(0, width=5), set()
    for name in ("h6", "c5", "t3", "tangle1"):
        position, rng = hex.position(BOARDS[name], pie=False), rules.random_state(5)
        while not position.is_over:
            seen.add(check_moves(player, position))
            position.play_random(rng)
    assert seen == {True, False}


def check_moves(player, position):
    """Check the moves that a player of width 5 compares; return whether one wins or saves."""
    color = position.color_to_move
    own, other = (
        shortest_paths(position.setup, position.state, each) for each in (color, 1 - color)
    )
    moves = player.moves(position)
    for paths in (own, other):
        if paths.length == 1:
            assert set(moves) == paths.vertices
            return True
    loads = np.zeros(position.board.n)
    for solved in circuits(position.setup, position.state):
        if solved.conductance > 0.0:
            loads += solved.currents / solved.conductance
    left = [loads[move] for move in position.legal_moves() if move not in moves]
    assert len(moves) == min(5, len(position.legal_moves()))
    assert min(loads[moves]) > max(left, default=0.0) - 1e-8
    return False


@pytest.mark.slow
def test_equal_moves_are_taken_in_the_order_of_the_board():
    # The board with its center taken is the same when it is turned.
    position = hex.position(7, pie=False)
    position.play("d4")
    move = STRATEGIES["resistance"].create({}, 0).choose(position)
    assert move < position.board.n - 1 - move


def test_limits_are_those_of_a_finished_game():
    position = hex.position(1, pie=False)
    position.play("a1")
    assert balance(*circuits(position.setup, position.state)) == LIMIT
