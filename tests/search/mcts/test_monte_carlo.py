import numpy as np
import pytest

from ludograph import rules
from ludograph.rules import CHANCE
from ludograph.search import mcts
from ludograph.search.mcts import reuse
from ludograph.search.mcts.leaf_evaluation import to_rewards
from ludograph.search.mcts.reuse import node_of
from ludograph.search.mcts.tree import ROOT
from tests.amounts import slow_but
from tests.search import brute_force
from tests.search.mcts.trees import check_tree
from tests.toys.coins import coins
from tests.toys.descent import descent
from tests.toys.dice import ROLL, STEP, dice
from tests.toys.nim import nim
from tests.toys.tictactoe import tictactoe


@pytest.mark.usefixtures("interpreted")
def test_a_win_in_one_is_found():
    setup = tictactoe()
    state = brute_force.fresh(setup, [0, 3, 1, 4])
    assert mcts.search(setup, state, sims=200).move == 2


@pytest.mark.usefixtures("interpreted")
def test_a_threat_is_answered():
    setup = tictactoe()
    state = brute_force.fresh(setup, [0, 4, 1])
    assert mcts.search(setup, state, sims=400).move == 2


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("heaps", [[3, 2], [5, 2], [7]])
def test_nim_is_won(heaps):
    setup = nim(heaps)
    state = brute_force.fresh(setup)
    result = mcts.search(setup, state, sims=600)
    follow = brute_force.after(setup, state, result.move)
    assert brute_force.value(setup, follow, 0) > 0
    assert result.values.max() > 0.8


@pytest.mark.usefixtures("interpreted")
def test_three_seats_each_play_for_themselves():
    setup = coins([1, 1, 1, 1, 9, 1, 1], seats=3)
    state = brute_force.fresh(setup)
    result = mcts.search(setup, state, sims=500, seed=3)
    assert ((result.values >= 0) & (result.values <= 1)).all()
    # The last seat to reach the nine takes it: with one coin left beside it, the mover does.
    state = brute_force.fresh(coins([9, 1, 1, 5], seats=3))
    assert mcts.search(coins([9, 1, 1, 5], seats=3), state, sims=300).move == 0


@pytest.mark.usefixtures("interpreted")
def test_a_lone_seat_seeks_the_best_score():
    setup = descent(5, seed=2)
    state = brute_force.fresh(setup)
    result = mcts.search(setup, state, sims=1500)
    follow = brute_force.after(setup, state, result.move)
    assert brute_force.value(setup, follow, 0) == brute_force.value(setup, state, 0)
    assert np.nanmax(result.values) <= brute_force.value(setup, state, 0)


@pytest.mark.slow
def test_outcomes_come_by_their_probabilities():
    setup = dice(4)
    state = brute_force.fresh(setup)
    search = mcts.MonteCarlo(setup, mcts.SearchOptions(seed=1, c=100.0))  # explore evenly
    assert not search.search(state, sims=10_000).proven
    tree = search.trees[0]
    first = tree.nodes[ROOT].first_child
    rolled = tree.nodes[next(node for node in (first, first + 1) if tree.move[node] == ROLL)]
    assert rolled.seat == CHANCE
    children = slice(rolled.first_child, rolled.first_child + rolled.children)
    shares = tree.visits[children] / tree.visits[children].sum()
    assert shares == pytest.approx(setup.chances[tree.move[children]], abs=0.02)


@pytest.mark.usefixtures("plain_in_make_test")
def test_the_die_is_thrown_only_when_it_pays():
    """Behind by three with the last turn, only the four of the die can still win."""
    setup = dice(2)
    state = brute_force.fresh(setup, [ROLL, 3, STEP, STEP])
    assert mcts.search(setup, state, sims=3000).move == ROLL
    # A step ahead with the last turn: a step more is sure, the die may go back to the start.
    state = brute_force.fresh(setup, [STEP, STEP, STEP])
    state[rules.HEADER + 3] = 3
    assert mcts.search(setup, state, sims=3000).move == STEP


@pytest.mark.slow
def test_values_converge(small_flood):
    """With many simulations the most visited move is one of best play."""
    good = 0
    for seed in range(10):
        position = small_flood(4, 4, seed, colors=4)
        state = position.state
        best = np.sign(brute_force.value(position.setup, state))
        move = mcts.search(position.setup, state, sims=20_000, seed=seed).move
        follow = brute_force.after(position.setup, state, move)
        good += np.sign(brute_force.value(position.setup, follow, 0)) == best
    assert good >= 9


def test_one_seed_finds_one_thing(small_flood):
    position = small_flood(6, 6, 1, colors=4)
    first, again, other = (
        mcts.search(position.setup, position.state, sims=1000, seed=seed) for seed in (5, 5, 6)
    )
    assert first.simulations == 1000
    assert first.visits.tolist() == again.visits.tolist()
    assert first.visits.tolist() != other.visits.tolist()


def test_all_simulations_are_counted(small_flood):
    position = small_flood(5, 5, 1, colors=4)
    result = mcts.search(position.setup, position.state, sims=501, threads=2)
    assert result.simulations == 501
    assert 0 < result.visits.sum() <= 501  # what two threads do at one instant may count once
    assert result.moves.tolist() == position.legal_moves()


def test_time_is_kept(small_flood):
    position = small_flood(12, 12, 2, colors=6)
    search = mcts.MonteCarlo(position.setup, mcts.SearchOptions(threads=2))
    search.search(position.state, sims=2)
    result = search.search(position.state, time=0.05)  # which comes to its end
    assert result.simulations >= 2  # one a thread at least
    with pytest.raises(ValueError, match="limit"):
        search.search(position.state)


def test_a_full_tree_goes_on_searching(small_flood):
    position = small_flood(6, 6, 1, colors=4)
    search = mcts.MonteCarlo(position.setup, mcts.SearchOptions(nodes=20))
    result = search.search(position.state, sims=2000)
    assert result.simulations == 2000
    assert search.trees[0].used.nodes <= 20
    assert position.is_legal(result.move)


def test_the_state_stays_as_it_is(small_flood):
    position = small_flood(6, 6, 3)
    before = position.state.copy()
    mcts.search(position.setup, position.state, sims=50)
    assert np.array_equal(position.state, before)


def test_other_seats_of_flood_are_searched(small_flood):
    for seats in (1, 3):
        position = small_flood(5, 5, 2, seats=seats, colors=4)
        while not position.is_over:
            position.play(mcts.search(position.setup, position.state, sims=50).move)


def test_rewards_share_out_the_places():
    out = np.zeros(3)
    to_rewards(np.array([5.0, 2.0, 2.0]), 10.0, 0.0, out)
    assert out.tolist() == [1.0, 0.25, 0.25]
    to_rewards(np.array([5.0, 2.0, 0.0]), 10.0, 1.0, out)
    assert out == pytest.approx([0.65, 0.35, 0.25])


@pytest.mark.parametrize("title", slow_but(["flood", "solo"], ["flood", "solo", "dice"]))
def test_plain_python_and_machine_code_search_alike(title, small_flood):
    setup = {
        "flood": small_flood(5, 5, 4, colors=4).setup,
        "solo": small_flood(4, 4, 4, colors=4, seats=1).setup,
        "dice": dice(2),
    }[title]
    state = brute_force.fresh(setup)
    fast = mcts.search(setup, state, sims=150, seed=2)
    with rules.interpreted():
        slow = mcts.search(setup, state, sims=150, seed=2)
    assert fast.visits.tolist() == slow.visits.tolist()
    assert fast.values == pytest.approx(slow.values, nan_ok=True)


def test_a_tree_is_kept_from_move_to_move(small_flood):
    """What was found out below the moves played is still there, and no other state's."""
    position = small_flood(8, 8, 2, colors=5)
    search = mcts.MonteCarlo(position.setup, mcts.SearchOptions(seed=1, reuse=True))
    kept = 0
    while not position.is_over:
        result = search.search(position.state, sims=200)
        assert result.simulations == 200 or result.proven
        assert result.moves.tolist() == position.legal_moves()
        kept += int(result.visits.sum()) > 200
        check_tree(search.trees[0])
        position.play(result.move)
        if not position.is_over:
            reply = mcts.search(position.setup, position.state, sims=100)
            position.play(reply.move)
    assert kept > 5


@pytest.mark.usefixtures("interpreted")
def test_a_tree_of_another_game_is_not_kept():
    setup = nim([5, 4, 3])
    search = mcts.MonteCarlo(setup, mcts.SearchOptions(reuse=True))
    search.search(brute_force.fresh(setup), sims=100)
    result = search.search(brute_force.fresh(setup, [0, 3, 6, 6]), sims=50)
    assert result.visits.sum() <= 50


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("setup", [dice(3), nim([5, 4, 3])])
def test_the_positions_of_a_round_are_found_in_the_tree(setup, monkeypatch):
    search = mcts.MonteCarlo(setup, mcts.SearchOptions(reuse=True, expand_threshold=1))
    start = brute_force.fresh(setup)
    search.search(start, sims=300)
    tree = search.trees[0]
    lines, seen = [(ROOT, ())], {}
    for index, line in lines:
        node = tree.nodes[index]
        seen[index] = brute_force.fresh(setup, line).tolist()
        if node.children > 0 and len(line) < 3:
            for child in range(node.first_child, node.first_child + node.expanded):
                lines.append((child, (*line, int(tree.move[child]))))
    inner = [(index, line) for index, line in lines[1:] if tree.nodes[index].children > 0]
    assert len(inner) > 5
    for index, line in inner:
        found = node_of(setup, tree, start, line[0], brute_force.fresh(setup, line))
        assert seen[found] == seen[index]
    assert node_of(setup, tree, start, inner[0][1][0], start) == ROOT
    monkeypatch.setattr(reuse, "MOST_TRIED", 0)
    assert node_of(setup, tree, start, line[0], brute_force.fresh(setup, line)) is None


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("moves", [[0, 3, 1, 4, 2], [0, 1, 2, 4, 3, 5, 7, 6, 8]])
def test_where_nobody_is_to_move_nothing_is_searched(moves):
    setup = tictactoe()
    with pytest.raises(ValueError, match="seat"):
        mcts.search(setup, brute_force.fresh(setup, moves), sims=10)


@pytest.mark.usefixtures("interpreted")
def test_a_chance_node_is_not_searched():
    setup = dice()
    state = brute_force.fresh(setup, [ROLL])
    assert state[rules.TURN] == CHANCE
    with pytest.raises(ValueError, match="seat"):
        mcts.search(setup, state, sims=10)
