"""Moves that a search of Hex leaves out: never all that win."""

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.games.hex import hex_board
from ludograph.games.hex.solving import HexSolver, solve_position
from ludograph.search.hints import candidates
from ludograph.search.proof import WIN
from tests.amounts import few
from tests.games.hex.solving.boards import random_position, wins_by


def looked_at(position):
    out = np.zeros(rules.info(position.setup).move_capacity, np.int32)
    before = position.state.copy()
    count = candidates(position.setup, position.state, out)
    assert np.array_equal(position.state, before)
    return out[:count].tolist()


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 4, 5])
def test_if_a_move_wins_one_that_is_looked_at_wins(n):
    rng, solver, left_out, won = np.random.default_rng(n), HexSolver(n), 0, 0
    for _ in range(few(40, 150)):
        position = random_position(rng, n, False, int(rng.integers(2, n * n - 2)))
        moves = looked_at(position)
        assert set(moves) <= set(position.legal_moves())
        left_out += len(position.legal_moves()) - len(moves)
        if solve_position(position, solver=solver).value != WIN:
            continue
        won += 1
        assert any(wins_by(position, move, solver) for move in moves), position
    assert left_out > few(25, 100)
    assert won > few(12, 50)


def test_dead_and_captured_cells_are_left_out():
    position = hex.position(5, pie=False)
    everything = position.legal_moves()
    assert looked_at(position) == everything
    # b4 catches a5 and b5: whichever white takes, black joins its border through the other.
    position.play(position.parse("b4"))
    left_out = set(position.legal_moves()) - set(looked_at(position))
    assert {position.text(move) for move in left_out} == {"a5", "b5"}


@pytest.mark.parametrize("cells", ["c", "t"])
def test_other_boards_are_looked_at_whole(cells):
    position = hex.position(hex_board(4, cells))
    for move in position.legal_moves()[:5]:
        position.play(move)
        assert looked_at(position) == position.legal_moves()
