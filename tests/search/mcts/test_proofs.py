"""What Monte-Carlo search says is proven is what a search of all lines finds."""

import itertools

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.rules import CHANCE, OVER, TURN
from ludograph.search import alphabeta, mcts
from ludograph.search.mcts.tree import ROOT
from tests.amounts import few, slow_but
from tests.search import brute_force
from tests.search.mcts import proven
from tests.toys.coins import coins
from tests.toys.descent import descent
from tests.toys.dice import dice
from tests.toys.known_nim import known_nim
from tests.toys.nim import nim
from tests.toys.tictactoe import tictactoe

LITTLE = 1e-9


def random_coins(seed: int, seats: int):
    return coins(np.random.default_rng(seed).integers(0, 9, 7).tolist(), seats)


GAMES = [
    *(nim(heaps) for heaps in ([3, 2], [1, 2, 3], [4], [5, 1], [4, 4])),
    known_nim([3, 2, 2]),
    *(random_coins(seed, seats) for seats in (1, 2, 3, 4) for seed in range(4)),
    dice(1),
    dice(2),
    descent(4, 1),
]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("weight", slow_but([0.2], [0.0, 0.2]))
@pytest.mark.parametrize("setup", GAMES, ids=str)
def test_all_bounds_of_all_nodes_hold(setup, weight):
    """Each seat's value by brute force lies between the bounds, and is them where both agree."""
    search = mcts.MonteCarlo(setup, mcts.SearchOptions(margin_weight=weight, nodes=3000))
    search.search(brute_force.fresh(setup), sims=250)
    proofs = 0
    for node, state in nodes_of(setup, search.trees[0]):
        seats = rules.info(setup).seats
        for seat in range(seats):
            known = search.trees[0].proofs[node.proof, seat]
            value = proven.guaranteed(setup, state, seat, weight)
            best = value if seats == 2 else proven.hoped_for(setup, state, seat, weight)
            assert known.low <= value + LITTLE
            assert known.high >= best - LITTLE
            proofs += known.low == known.high
            if node.closed:
                assert known.low == known.high
    assert proofs > 0


def nodes_of(setup, tree):
    """Yield all visited nodes of a tree with their states."""
    todo = [(ROOT, brute_force.fresh(setup))]
    while todo:
        index, state = todo.pop()
        node = tree.nodes[index]
        yield node, state
        for child in range(node.first_child, node.first_child + node.expanded):
            if tree.visits[child] > 0:
                todo.append((child, brute_force.after(setup, state, int(tree.move[child]))))


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("setup", [nim([3, 2]), nim([2, 2]), random_coins(1, 2), dice(1)], ids=str)
def test_a_proven_root_ends_the_search_with_its_value(setup):
    state = brute_force.fresh(setup)
    result = mcts.search(setup, state, sims=20_000)
    assert result.proven
    assert result.simulations < 20_000
    index = result.moves.tolist().index(result.move)
    value = proven.guaranteed(setup, state, int(state[TURN]), 0.2)
    assert result.low[index] == result.high[index] == pytest.approx(value)
    assert result.values[index] == result.low[index]


@pytest.mark.usefixtures("interpreted")
def test_a_lone_seat_proves_the_best_score():
    setup = descent(4, 2)
    result = mcts.search(setup, brute_force.fresh(setup), sims=20_000)
    assert result.proven
    assert result.low.max() == brute_force.value(setup, brute_force.fresh(setup))


@pytest.mark.slow
def test_all_won_tictactoe_is_won():
    """Each position with four marks or more is proven, and its best result played for."""
    setup = tictactoe()
    search = mcts.MonteCarlo(setup, mcts.SearchOptions(nodes=100_000))
    results = {}  # of every position for the seat to move: 1 is a win

    def best(state):
        if state.tobytes() not in results:
            moves = brute_force.moves_of(setup, state)
            results[state.tobytes()] = max(worth(state, move) for move in moves)
        return results[state.tobytes()]

    def worth(state, move):
        follow = brute_force.after(setup, state, move)
        if follow[TURN] == OVER:
            return proven.reward(setup, follow, int(state[TURN]), 0.0)
        return 1 - best(follow)

    with rules.interpreted():
        best(brute_force.fresh(setup))
    assert len(results) == 4520  # all that can be reached and are not over
    for data in results:
        state = np.frombuffer(data, np.int32)
        if state[rules.PLY] >= 4:
            result = search.search(state, sims=20_000)
            assert result.proven
            assert result.low.max() == best(state)
            with rules.interpreted():
                assert worth(state, result.move) == best(state)


@pytest.mark.slow
def test_small_hex_is_won():
    """On 3 x 3 every second stone is answered as alpha-beta search would."""
    position = hex.position(3, pie=False)
    search = mcts.MonteCarlo(position.setup, mcts.SearchOptions(c=0.3))
    exact = alphabeta.AlphaBeta(position.setup)
    for first, second in itertools.permutations(position.legal_moves(), 2):
        after = position.copy()
        after.play(first)
        after.play(second)
        result = search.search(after.state, sims=50_000)
        best = exact.search(after.state)
        assert result.proven
        assert best.exact
        assert result.low.max() == (best.value > 0)
        after.play(result.move)
        assert (exact.search(after.state).value < 0) == (best.value > 0)


@pytest.mark.usefixtures("interpreted")
def test_what_is_lost_is_avoided_while_anything_else_is_open():
    setup = tictactoe()
    state = brute_force.fresh(setup, [0, 4, 8])  # a corner now loses
    for sims in (150, 250, 400):
        assert mcts.search(setup, state, sims=sims).move in {1, 3, 5, 7}


@pytest.mark.usefixtures("interpreted")
def test_a_known_chance_node_has_the_mean_of_its_outcomes():
    setup = dice(1)
    search = mcts.MonteCarlo(setup)
    search.search(brute_force.fresh(setup), sims=5000)
    tree = search.trees[0]
    chances = [(node, state) for node, state in nodes_of(setup, tree) if state[TURN] == CHANCE]
    known = [(node, state) for node, state in chances if node.closed]
    assert known
    for node, state in known:
        children = range(node.first_child, node.first_child + node.children)
        assert all(tree.nodes[child].closed for child in children)
        for seat in range(2):
            value = proven.guaranteed(setup, state, seat, 0.2)
            assert tree.proofs[node.proof, seat].low == pytest.approx(value)


@pytest.mark.usefixtures("interpreted")
def test_proofs_are_kept_from_move_to_move():
    setup = nim([4, 3])
    state = brute_force.fresh(setup)
    search = mcts.MonteCarlo(setup, mcts.SearchOptions(reuse=True))
    result = search.search(state, sims=20_000)
    while state[TURN] != OVER:
        state = brute_force.after(setup, state, result.move)
        if state[TURN] == OVER:
            break
        state = brute_force.after(setup, state, brute_force.moves_of(setup, state)[0])
        if state[TURN] != OVER:
            result = search.search(state, sims=20_000)
            assert result.proven
            assert result.low.max() == 1.0
            assert result.simulations < 200
    assert state[TURN] == OVER


@pytest.mark.slow
def test_plain_python_and_machine_code_prove_alike():
    setup = dice(2)
    state = brute_force.fresh(setup)
    sims = few(300, 800)
    fast = mcts.search(setup, state, sims=sims, seed=2)
    with rules.interpreted():
        slow = mcts.search(setup, state, sims=sims, seed=2)
    assert fast.visits.tolist() == slow.visits.tolist()
    assert fast.low.tolist() == slow.low.tolist()
    assert fast.high.tolist() == slow.high.tolist()
    assert fast.proven == slow.proven
