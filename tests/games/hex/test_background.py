"""The solver beside Hex's search: what is proven is played, told, and true."""

import re

import numpy as np
import pytest

from ludograph import hex
from ludograph.games.hex import hex_board
from ludograph.games.hex.solving import HexSolver
from ludograph.games.hex.solving.background import SMALL, STONES_A_ROW, SteppedSolver
from ludograph.games.hex.solving.solver import solvable, stones_of, wins
from ludograph.games.hex.strategies import STRATEGIES
from ludograph.games.strategy import RESIGN
from ludograph.rules import info
from ludograph.search.hints import candidates
from tests.games.hex.solving.boards import random_position

pytestmark = pytest.mark.slow


def player(seed=0, **options):
    return STRATEGIES["mcts"].create({"sims": "150", **options}, seed)


def after(position, move):
    later = position.copy()
    later.play(move)
    return later


@pytest.mark.parametrize("n", [5, 6])
def test_proven_positions_are_played_right_with_few_simulations(n):
    rng, judge = np.random.default_rng(n), HexSolver(n)
    values = []
    for seed in range(12):
        position = random_position(rng, n, False, int(rng.integers(1, 8)))
        chooser = player(seed, connections="off", sims="2000")
        move = chooser.choose(position)
        found, thoughts = chooser.found, chooser.thoughts()
        value = float(wins(judge, position))
        assert found.proven
        assert thoughts.proven
        assert thoughts.value == value
        assert found.low.max() == found.high[found.moves.tolist().index(move)] == value
        if value:
            later = after(position, move)
            assert later.is_over or not wins(judge, later)
        values.append(value)
    assert set(values) == {0.0, 1.0}


def test_what_is_left_of_an_open_position_has_a_move_that_wins():
    n = 6
    rng, judge = np.random.default_rng(1), HexSolver(n)
    scores = np.zeros(2)
    narrowed = open_ones = 0
    for _ in range(60):
        position = random_position(rng, n, False, int(rng.integers(2, 9)))
        setup, state = position.setup, position.state
        stepped = SteppedSolver(setup, table_bits=12)
        moves = np.zeros(info(setup).move_capacity, np.int32)
        listed = moves.copy()
        stepped.ask(state)
        for _ in range(6):
            known = stepped.advance(1)
            settled, count = stepped.answer(scores, moves)
            left = moves[:count].tolist()
            assert settled == known
            assert set(left) <= set(position.legal_moves())
            if settled:
                assert scores[position.turn] == wins(judge, position)
            else:
                open_ones += 1
                assert stepped.distance > 0
                assert set(left) <= set(listed[: candidates(setup, state, listed)].tolist())
            if wins(judge, position):
                ends = (after(position, move) for move in left)
                assert any(end.is_over or not wins(judge, end) for end in ends)
            if known:
                break
            narrowed += count < len(position.legal_moves())
    assert open_ones > 20
    assert narrowed > 10


@pytest.mark.usefixtures("plain_in_make_test")
def test_the_board_of_the_search_is_that_of_the_solver():
    """After a swap, too, where seat 1 has the black stones."""
    position = hex.position(9)
    for move in ("c2", "swap", "e5", "g3"):
        position.play(move)
    stepped = SteppedSolver(position.without_pie().setup, table_bits=10)
    stepped.ask(position.state)
    level = stepped.solver.workspace.levels[0]
    bits = [
        sum(int(word) << 64 * place for place, word in enumerate(level.stones[c])) for c in (0, 1)
    ]
    assert tuple(bits) == stones_of(position)
    assert stepped.solver.stack.frames[0].seat == position.color_to_move


def test_a_lost_position_is_told_and_given_up_when_asked():
    position = hex.position(4, pie=False)
    position.play("d1")  # the opening wins
    chooser = player()
    assert chooser.choose(position) in position.legal_moves()
    thoughts = chooser.thoughts()
    assert (thoughts.value, thoughts.proven) == (0.0, True)
    assert re.search(r"\(\d+ positions?\)", thoughts.note)
    assert chooser.found.simulations < 150
    assert chooser.found.visits.max() > 1
    assert player(resign="0.01").choose(position) == RESIGN


@pytest.mark.parametrize(("opening", "swaps"), [("c3", True), ("a1", False), ("b4", True)])
def test_small_boards_are_swapped_as_the_proof_says(opening, swaps):
    position = hex.position(5)
    position.play(opening)
    chooser = player(sims="3000", openings="off")
    assert (chooser.choose(position) == position.swap) is swaps
    assert chooser.found.proven
    assert chooser.thoughts().value == 1.0


def test_the_same_simulations_play_the_same():
    def moves():
        chooser, position = player(5, sims="1200"), hex.position(7, pie=False)
        for move in ("d4", "b5", "c5", "e3"):
            position.play(move)
        told = []
        for _ in range(4):
            if position.is_over:
                break
            told.append(chooser.choose(position))
            told.append((chooser.found.visits.tolist(), chooser.search.background.nodes))
            position.play(told[-2])
        return told

    assert moves() == moves()


def test_off_is_as_without():
    position = hex.position(5, pie=False)
    position.play("b4")
    assert player(solver="off").prepare(position).background is None
    assert player().prepare(position).background is not None


@pytest.mark.parametrize(
    ("board", "holds"),
    [(hex_board(17, "h"), True), (hex_board(18, "h"), False), (hex_board(5, "c"), False)],
)
def test_boards_that_can_be_solved(board, holds):
    assert solvable(hex.position(board, pie=False).setup) is holds


@pytest.mark.usefixtures("plain_in_make_test")
def test_the_opening_of_a_large_board_has_no_hope():
    position = hex.position(11, pie=False)
    stepped = SteppedSolver(position.setup, table_bits=4)
    plies = []
    for move in position.legal_moves()[:20]:
        if stepped.is_hopeful(position.state):
            plies.append(position.ply)
        position.play(move)
    assert min(plies) == STONES_A_ROW * (11 - SMALL)
    small = hex.position(SMALL, pie=False)
    assert SteppedSolver(small.setup, table_bits=4).is_hopeful(small.state)


def test_what_is_proven_is_remembered_from_move_to_move():
    position = hex.position(6, pie=False)
    position.play("a1")
    chooser = player(2, sims="8000", connections="off")
    nodes = []
    while not position.is_over and position.ply < 8:
        before = chooser.search.background.nodes if chooser.search else 0
        position.play(chooser.choose(position))
        assert chooser.found.proven
        nodes.append(chooser.search.background.nodes - before)
        if not position.is_over:
            position.play(position.legal_moves()[0])
    assert sum(nodes[1:]) < nodes[0] + 40 * len(nodes)


GAME = "g4 g2 d5 f5 c5 b8 b7 d7 a8 b6 c6 d3 c2 b4 e3 d4 e4 f4 f2 d8"
"""On 8 x 8: from ply 11 on it is proven that the first seat wins, and it plays so."""


def test_a_proven_value_stays_proven_as_the_game_goes_on():
    """Though so few simulations grant the solver hardly any nodes."""
    position, chooser = hex.position(8, pie=False), player(1, openings="off")
    proven = []
    for ply, move in enumerate(GAME.split()):
        if ply >= 1:
            chooser.choose(position)
            found = chooser.thoughts()
            if found is not None:  # else there was no choice
                proven.append(found.proven)
                assert not found.proven or found.value == float(position.turn == 0)
        position.play(move)
    assert sum(proven) >= 8
    assert all(proven[proven.index(True) :])


def test_the_effort_of_a_proof_is_remembered():
    position = hex.position(8, pie=False)
    for move in GAME.split()[:11]:
        position.play(move)
    stepped = SteppedSolver(position.setup)
    efforts = []
    for _ in range(2):
        stepped.ask(position.state)
        while not stepped.advance(100):
            pass
        efforts.append((stepped.nodes, stepped.effort))
    assert efforts[0][0] > efforts[1][0] == 1
    assert efforts[0][1] == efforts[1][1] == efforts[0][0]
