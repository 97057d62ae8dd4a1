"""What threads defer is written whole in the end: sums are as if each simulation had written."""

import itertools

import numpy as np
import pytest

from ludograph import rules
from ludograph.rules import TURN
from ludograph.search import mcts
from ludograph.search.mcts import threads
from ludograph.search.mcts.threads import PENDING_SLOTS, make_pending
from ludograph.search.mcts.tree import ROOT, make_tree
from tests.search import brute_force
from tests.toys.coins import coins
from tests.toys.dice import dice

pytestmark = pytest.mark.slow


def grow(setup, state, simulations, calls):
    """Return the tree of one thread that keeps statistics as one of several does."""
    search = mcts.MonteCarlo(setup, mcts.SearchOptions(seed=3, threads=2))
    search._simulate(state, 0, 1)  # by one thread, as every search's first
    search.trees[0].settings.shared = 1
    for call in range(calls):
        search._simulate(state, 0, simulations // calls - (call == 0))
    threads.hand_in(search.trees[0], search.pending[0])
    return search.trees[0]


def check_sums(tree):
    """A node's choices are its children's visits, its value the mean of their means.

    Those with a child of which anything is proven are left out: proofs replace means. Return how
    many nodes that many simulations came to were checked.
    """
    busy = 0
    for index in range(int(tree.used.nodes)):
        node = tree.nodes[index]
        children = slice(node.first_child, node.first_child + node.expanded)
        if node.expanded == 0 or node.seat < 0 or tree.nodes["proof"][children].any():
            continue
        visits, means = tree.visits[children], tree.mean[children]
        assert node.child_visits == visits.sum()
        if visits.sum() > 0:
            assert node.value == pytest.approx(np.average(means, weights=visits))
        some = visits > 0
        assert tree.width[children][some] == pytest.approx(1.0 / np.sqrt(visits[some]))
        busy += int(tree.visits[index] >= threads.CONTENDED)
    return busy


@pytest.mark.parametrize("calls", [1, 7])
def test_statistics_add_up(small_flood, calls):
    position = small_flood(8, 8, 1, colors=5)
    tree = grow(position.setup, position.state, 7_000, calls)
    assert tree.visits[ROOT] == tree.progress.simulations == 7_000
    assert check_sums(tree) > 10


@pytest.mark.parametrize(
    "setup", [coins([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], seats) for seats in (1, 3)], ids=str
)
def test_they_do_with_any_number_of_seats(setup):
    with rules.interpreted():
        tree = grow(setup, brute_force.fresh(setup), 900, 3)
        assert tree.visits[ROOT] == 900
        assert check_sums(tree) > 0


def test_chance_nodes_are_counted():
    setup = dice(2)
    with rules.interpreted():
        tree = grow(setup, brute_force.fresh(setup), 600, 2)
    for index in range(int(tree.used.nodes)):
        node = tree.nodes[index]
        children = slice(node.first_child, node.first_child + node.expanded)
        assert tree.visits[children].sum() <= tree.visits[index]
    assert tree.visits[ROOT] == tree.progress.simulations


def test_what_is_kept_is_little_and_not_for_long(small_flood):
    """A thread holds back no more than a sixteenth of what all know of a node."""
    position = small_flood(8, 8, 2, colors=5)
    assert position.state[TURN] >= 0
    with rules.interpreted():
        tree = make_tree(position.setup, mcts.SearchOptions(nodes=100))
        tree.rewards[:] = 1.0, 0.0
        pending = make_pending()
        late = []
        for visits in itertools.count(1):
            threads.defer_visit(tree, pending, 5, 0)
            late.append(visits - int(tree.visits[5]))
            if visits == 2_000:
                break
    assert late[: threads.LAG] == [0] * threads.LAG
    assert 0 < max(late) < threads.MOST_PENDING
    assert all(kept * threads.LAG <= visits for visits, kept in enumerate(late, 1))


def test_a_node_makes_room_for_another():
    """Two nodes with one place to keep: the first one's is passed on."""
    setup = coins([3, 1, 4], 2)
    with rules.interpreted():
        tree = make_tree(setup, mcts.SearchOptions(nodes=10_000))
        pending = make_pending()
        one, other = 7, 7 + PENDING_SLOTS
        tree.visits[one] = tree.visits[other] = 1_000
        tree.mean[one] = tree.mean[other] = 0.5
        tree.width[one] = tree.width[other] = 0.03
        tree.rewards[:] = 1.0, 0.0
        threads.defer_visit(tree, pending, one, 0)
        threads.defer_choice(tree, pending, one, 0.25)
        assert tree.visits[one] == 1_000
        threads.defer_visit(tree, pending, other, 1)
        assert tree.visits[one] == 1_001
        assert tree.mean[one] == pytest.approx(500.0 / 1_001 + 1.0 / 1_001)
        assert tree.nodes[one].child_visits == 1
        assert tree.nodes[one].value == 0.25
        assert tree.visits[other] == 1_000
        threads.hand_in(tree, pending)
        assert tree.mean[other] == pytest.approx(500.0 / 1_001)


def test_what_is_proven_meanwhile_stays():
    setup = coins([3, 1, 4], 2)
    with rules.interpreted():
        tree = make_tree(setup, mcts.SearchOptions(nodes=1_000))
        pending = make_pending()
        tree.visits[7], tree.mean[7], tree.width[7] = 1_000, 0.5, 0.03
        tree.rewards[:] = 0.0, 1.0
        threads.defer_visit(tree, pending, 7, 0)
        tree.mean[7], tree.width[7] = 1.0, 0.0  # by another thread
        threads.hand_in(tree, pending)
    assert (tree.visits[7], tree.mean[7], tree.width[7]) == (1_001, 1.0, 0.0)
