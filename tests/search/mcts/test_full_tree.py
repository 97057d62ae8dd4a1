"""A tree that fills up: it goes on growing where many simulations go, and its proofs hold."""

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.search import mcts
from ludograph.search.mcts.reuse import transplant
from ludograph.search.mcts.tree import ROOT, make_tree
from ludograph.search.network import place_network
from ludograph.search.network.forward import predict
from tests.search import brute_force
from tests.search.mcts.trees import check_bounds, check_tree
from tests.search.network.test_forward import layers_of, shape_for
from tests.toys.coins import coins
from tests.toys.dice import dice
from tests.toys.nim import nim

pytestmark = pytest.mark.slow

SMALL = 3000


def search_of(setup, nodes=SMALL, **options):
    return mcts.MonteCarlo(
        setup, mcts.SearchOptions(nodes=nodes, reuse=True, expand_threshold=1, **options)
    )


def test_a_long_search_grows_where_it_goes_often(small_flood):
    """Until hardly anything is free no leaf has more visits than the full tree asks for."""
    position = small_flood(10, 10, 2, colors=6)
    search = search_of(position.setup)
    assert search.search(position.state, sims=30_000).simulations == 30_000
    tree = search.trees[0]
    check_tree(tree)
    size, used = SMALL, int(tree.used.nodes)
    assert 0.9 * size < used < size
    seen, busiest = [ROOT], 0
    for index in seen:
        node = tree.nodes[index]
        seen.extend(range(node.first_child, node.first_child + node.expanded))
        if node.children == 0 and not node.closed:
            busiest = max(busiest, int(tree.visits[index]))
    assert 1 < busiest <= size / (size - used)


@pytest.mark.usefixtures("interpreted")
def test_a_copy_has_all_that_is_below_a_node():
    setup = nim([5, 4, 3])
    search = search_of(setup, nodes=4000)
    search.search(brute_force.fresh(setup), sims=150)
    tree, other = search.trees[0], make_tree(setup, mcts.SearchOptions(nodes=4000))
    transplant(tree, ROOT, other)
    check_tree(other)
    pairs = [(ROOT, ROOT)]
    for old, new in pairs:
        before, after = tree.nodes[old], other.nodes[new]
        assert (before.value, before.child_visits) == (after.value, after.child_visits)
        assert tree.visits[old] == other.visits[new]
        assert after.children == before.children
        for place in range(after.expanded):
            pairs.append((before.first_child + place, after.first_child + place))
    assert len(pairs) > 1


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("setup", [nim([4, 4, 3]), coins([3, 1, 4, 1, 5, 2, 6, 5, 3]), dice(2)])
def test_what_is_proven_stays_proven_and_holds(setup):
    search = search_of(setup, nodes=16 * 16)
    for sims in (150, 300, 600):
        search.search(brute_force.fresh(setup), sims=sims)
        check_bounds(setup, search.trees[0])


@pytest.mark.usefixtures("interpreted")
def test_a_network_evaluates_new_leaves_of_a_full_tree():
    position = hex.position(3, pie=False)
    setup, shape = position.setup, shape_for(position, channels=16, layers=1)
    network = place_network(shape, layers_of(shape), setup, position.board)
    nodes = 2 * int(rules.info(setup).move_capacity)
    search = mcts.MonteCarlo(
        setup,
        mcts.SearchOptions(nodes=nodes, margin_weight=0.0),
        mcts.GameKnowledge(network=lambda: network),
    )
    search.search(position.state, sims=60)
    tree, rewards = search.trees[0], np.zeros(2)
    root = tree.nodes[ROOT]
    children = range(root.first_child, root.first_child + root.expanded)
    leaves = [
        child for child in children if tree.visits[child] > 1 and not tree.nodes[child].children
    ]
    assert leaves
    for leaf in leaves:
        state = position.state.copy()
        rules.play(setup, state, tree.move[leaf])
        predict(setup, network, state, np.zeros(0, np.int32), np.zeros(0), rewards)
        assert tree.mean[leaf] == pytest.approx(rewards[root.seat], abs=1e-5)
