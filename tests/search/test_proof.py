import numpy as np
import pytest

from ludograph import rules
from ludograph.rules import OVER, TURN
from ludograph.search import alphabeta, proof
from tests.amounts import few
from tests.search import brute_force
from tests.toys.coins import coins
from tests.toys.nim import nim
from tests.toys.tictactoe import tictactoe

pytestmark = pytest.mark.usefixtures("plain_in_make_test")


def check_line(setup, state, solution):
    """The line is legal, ends the game, and ends it with the value promised."""
    seat = int(state[TURN])
    for move in solution.line:
        assert move in brute_force.moves_of(setup, state)
        state = brute_force.after(setup, state, move)
    assert state[TURN] == OVER
    assert np.sign(brute_force.final(setup, state, seat)) == solution.value


@pytest.mark.parametrize(("width", "height"), [(2, 3), (3, 3), (4, 3), (4, 4)])
@pytest.mark.parametrize("colors", [3, 4])
def test_two_algorithms_agree_on_flood(small_flood, width, height, colors):
    seen = set()
    for seed in range(few(16, 40)):
        position = small_flood(width, height, seed, colors=colors)
        rng = np.random.default_rng(seed)
        state = brute_force.random_state_of(position.setup, rng, seed % 4)
        solution = proof.solve(position.setup, state, table_bits=10)
        other = alphabeta.search(position.setup, state)
        assert other.exact
        assert solution.value == np.sign(other.value)
        check_line(position.setup, state, solution)
        seen.add(solution.verdict)
    assert {"win", "loss"} <= seen


@pytest.mark.parametrize("seed", range(5))
def test_two_algorithms_agree_where_colors_are_captured(small_flood, seed):
    position = small_flood(4, 3, seed, colors=4, variant="capture")
    solution = proof.solve(position.setup, position.state)
    other = alphabeta.search(position.setup, position.state)
    assert solution.value == np.sign(other.value)
    check_line(position.setup, position.state, solution)


@pytest.mark.usefixtures("interpreted")
def test_tictactoe_is_a_draw():
    setup = tictactoe()
    state = brute_force.fresh(setup)
    for move in (0, 4):  # what is left is quick enough in plain Python
        state = brute_force.after(setup, state, move)
    solution = proof.solve(setup, state)
    assert solution.verdict == "draw"
    check_line(setup, state, solution)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("heaps", [[3, 2, 1], [5, 4], [4, 3, 1], [1, 2, 3], [7], [8], [4, 1, 1]])
def test_nim_follows_the_theory(heaps):
    setup = nim(heaps)
    solution = proof.solve(setup, brute_force.fresh(setup))
    wins = np.bitwise_xor.reduce(np.array(heaps) % (setup.most + 1)) != 0
    assert solution.verdict == ("win" if wins else "loss")
    check_line(setup, brute_force.fresh(setup), solution)


@pytest.mark.usefixtures("interpreted")
def test_margins_can_be_asked_for():
    setup = coins([3, 9, 1, 2, 8, 4], seats=2)
    state = brute_force.fresh(setup)
    best = brute_force.value(setup, state) % alphabeta.LARGE
    prover = proof.Prover(setup)
    assert prover.can_reach(state, 0, best)
    assert not prover.can_reach(state, 0, best + 1)
    assert prover.can_reach(state, 1, -best)
    assert not prover.can_reach(state, 1, -best + 1)


def test_a_limit_reached_is_said(small_flood):
    position = small_flood(12, 12, 1, colors=6)
    solution = proof.solve(position.setup, position.state, nodes=200)
    assert solution.value is None
    assert solution.verdict == "unknown"
    assert solution.line == ()
    assert solution.nodes == 200
    assert proof.solve(position.setup, position.state, time=0.01).verdict == "unknown"


def test_a_game_that_is_over_is_answered(small_flood):
    position = small_flood(2, 2, 0)
    while not position.is_over:
        position.play("pass")
    lead = position.scores()[0] - position.scores()[1]
    prover = proof.Prover(position.setup)
    assert prover.can_reach(position.state, 0, lead)
    assert not prover.can_reach(position.state, 0, lead + 1)


@pytest.mark.usefixtures("interpreted")
def test_other_seats_are_refused():
    with pytest.raises(ValueError, match="two seats"):
        proof.Prover(coins([1, 2, 3], seats=3))


def test_plain_python_and_machine_code_prove_alike(small_flood):
    position = small_flood(4, 4, 3, colors=4)
    fast = proof.solve(position.setup, position.state, table_bits=8)
    with rules.interpreted():
        slow = proof.solve(position.setup, position.state, table_bits=8)
    assert (fast.value, fast.line, fast.nodes) == (slow.value, slow.line, slow.nodes)
