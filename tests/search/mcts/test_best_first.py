"""Values by minimax: every node is worth what its best child is, and what is true is proven."""

import numpy as np
import pytest

from ludograph.search.mcts import MonteCarlo, SearchOptions
from ludograph.search.mcts.tree import ROOT
from tests.search import brute_force
from tests.search.mcts.known import known
from tests.search.mcts.trees import check_bounds, check_tree
from tests.toys.nim import Hunch, nim

pytestmark = pytest.mark.usefixtures("interpreted")


def searcher(setup, favorite=3, **options):
    options = SearchOptions(minimax=True, expand_threshold=1, c=0.05, **options)
    return MonteCarlo(setup, options, known(moves=Hunch(favorite, 0.7)))


def check_values(tree):
    """Each open node has the value of its best child; return how many were looked at."""
    seen = 0
    for index in range(int(tree.used.nodes)):
        node = tree.nodes[index]
        children = range(node.first_child, node.first_child + node.expanded)
        if node.closed or not children or any(tree.nodes[each].closed for each in children):
            continue
        best = max(float(tree.mean[child]) for child in children)
        assert node.value == pytest.approx(best)
        for child in children:
            under = tree.nodes[child]
            if under.expanded > 0:
                expected = under.value if under.seat == node.seat else 1.0 - under.value
            else:
                expected = tree.bias[child]
            assert tree.mean[child] == pytest.approx(float(expected))
        seen += 1
    return seen


def test_a_node_is_worth_what_its_best_child_is():
    setup = nim([9, 7, 5])
    state = brute_force.fresh(setup)
    search = searcher(setup, reuse=True)
    first = search.search(state, sims=150)
    check_tree(search.trees[0])
    assert check_values(search.trees[0]) > 20
    state = brute_force.after(setup, state, first.move)
    search.search(state, sims=50)
    assert check_values(search.trees[0]) > 20


def test_a_move_of_a_greater_value_is_visited_more():
    setup = nim([9, 7, 5])
    state = brute_force.fresh(setup)
    for favorite in (0, 5):
        result = searcher(setup, favorite).search(state, sims=2)
        assert result.move == favorite


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("heaps", [[3, 2], [1, 2, 3]])
def test_best_play_is_proven_whatever_the_values_say(heaps, threads):
    setup = nim(heaps)
    state = brute_force.fresh(setup)
    for favorite in (0, 2, 4):
        search = searcher(setup, favorite, threads=threads)
        result = search.search(state, sims=2000)
        check_bounds(setup, search.trees[0])
        assert result.proven
        assert result.low.max() == (brute_force.value(setup, state, 0) > 0)


def test_all_threads_count_their_visits():
    setup = nim([9, 9, 9])
    search = searcher(setup, threads=2)
    result = search.search(brute_force.fresh(setup), sims=300)
    assert result.simulations == 300
    tree = search.trees[0]
    assert 280 <= tree.visits[ROOT] <= 300
    assert np.all(tree.mean[: int(tree.used.nodes)] >= 0.0)


def test_minimax_needs_values_of_moves():
    with pytest.raises(ValueError, match="minimax"):
        MonteCarlo(nim([3, 3]), SearchOptions(minimax=True))
