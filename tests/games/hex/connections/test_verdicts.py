"""What connections say of a position is so, and the moves they leave are enough."""

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.games.hex import hex_board
from ludograph.games.hex.connections.verdicts import holds_on, make_workspace
from ludograph.games.hex.solving import HexSolver, solve_position
from ludograph.games.hex.strategies import STRATEGIES
from ludograph.games.strategy import RESIGN
from ludograph.rules.kernels.sets import CAPACITY
from ludograph.search.mcts.hints import settle
from ludograph.search.proof import WIN
from tests.games.hex.boards import grid_between_borders
from tests.games.hex.solving.boards import random_position, wins_by

pytestmark = pytest.mark.slow


def look(position, room):
    """Whether a position is settled, the scores, the moves that are left."""
    scores, moves = np.zeros(2), np.zeros(rules.info(position.setup).move_capacity, np.int32)
    before = position.state.copy()
    settled, count = settle(position.setup, room, position.state, scores, moves)
    assert np.array_equal(position.state, before)
    return settled, scores, moves[:count].tolist()


def check_looks(n, positions):
    """Compare looks at random positions with the solver; return how many were settled, pruned."""
    rng, solver = np.random.default_rng(n), HexSolver(n)
    room = make_workspace(hex.position(n, pie=False).setup)
    settled_positions = left_out = 0
    for _ in range(positions):
        position = random_position(rng, n, False, int(rng.integers(0, n * n - 2)))
        settled, scores, moves = look(position, room)
        legal = position.legal_moves()
        assert set(moves) <= set(legal)
        wins = solve_position(position, solver=solver).value == WIN
        settled_positions += settled
        if settled:
            assert scores.tolist() == ([1, 0] if wins == (position.turn == 0) else [0, 1])
            assert not wins or wins_by(position, moves[0], solver)
            continue
        left_out += len(legal) - len(moves)
        if wins:
            assert any(wins_by(position, move, solver) for move in moves)
    return settled_positions, left_out


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_solver_agrees(n):
    settled, left_out = check_looks(n, 60)
    assert settled > 30
    assert left_out > 10 or n == 3


def test_the_solver_agrees_on_two_thousand_positions():
    for n in (4, 5, 6):
        check_looks(n, 667)


@pytest.mark.parametrize("kind", ["h", "c", "t"])
def test_a_game_won_by_connections_is_won_against_any_moves(kind):
    rng = np.random.default_rng(4)
    position = hex.position(hex_board(5 if kind != "t" else 4, kind), pie=False)
    room = make_workspace(position.setup)
    seen = 0
    for _ in range(40):
        game, winner = position.copy(), None
        while not game.is_over:
            settled, scores, moves = look(game, room)
            if settled:
                assert winner in (None, int(scores.argmax()))
                winner = int(scores.argmax())
            if settled and winner == game.turn:
                game.play(moves[0])
            else:
                game.play(int(rng.choice(game.legal_moves())))
        if winner is not None:
            seen += 1
            assert game.outcome().winner == winner
    assert seen > 2  # of triangular cells most games are draws


def test_a_won_game_is_won_soon():
    """Nobody answers: the stones that the shortest way needs are enough."""
    position = hex.position(7, pie=False)
    for move in ["d4", "a1", "e2", "a2", "c6", "a3"]:  # by bridges from top to bottom
        position.play(position.parse(move))
    room = make_workspace(position.setup)
    stones = 0
    while not position.is_over:
        settled, scores, moves = look(position, room)
        assert settled
        assert scores[0] == 1.0
        position.play(moves[0])
        stones += 1
        if not position.is_over:
            position.play(next(m for m in map(position.parse, ["a4", "a5", "a6", "a7", "b5"])
                               if m in position.legal_moves()))  # fmt: skip
    assert stones == 4


def test_who_is_lost_by_connections_gives_up_when_told_to():
    position = hex.position(7, pie=False)
    for move in ["d4", "a1", "e2", "a2", "c6"]:
        position.play(position.parse(move))
    for options, move in [({"resign": "0.001"}, RESIGN), ({}, None)]:
        found = STRATEGIES["mcts"].create({"sims": "20", **options}, 1).choose(position)
        assert found == move if move else found in position.legal_moves()


def test_who_may_swap_is_told_nothing():
    position = hex.position(3)
    room = make_workspace(position.setup)
    assert look(position, room)[0] is False
    position.play(position.parse("b2"))
    assert look(position, room)[::2] == (False, [])


def test_a_graph_of_ones_own_is_told_nothing():
    """Both colors might join their borders there: who is connected may still come second."""
    setup = hex.position(grid_between_borders(5, 5), pie=False).setup
    assert not holds_on(setup)


@pytest.mark.parametrize(
    ("m", "kind", "holds"), [(17, "h", True), (18, "h", False), (8, "c", True)]
)
def test_boards_that_have_room(m, kind, holds):
    setup = hex.position(hex_board(m, kind), pie=False).setup
    assert holds_on(setup) is holds
    assert (setup.free.size <= CAPACITY) is holds
