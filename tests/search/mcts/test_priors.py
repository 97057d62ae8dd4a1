"""Priors: likely moves are considered first, and in the end what is true is found all the same."""

import numpy as np
import pytest

from ludograph.search.mcts import MonteCarlo, SearchOptions
from ludograph.search.mcts.tree import ROOT
from tests.search import brute_force
from tests.search.mcts.known import known
from tests.toys.nim import Hunch, nim

pytestmark = pytest.mark.usefixtures("interpreted")


def searcher(setup, favorite, likelihood=0.9, **options):
    hunch = Hunch(favorite, likelihood)
    return MonteCarlo(setup, SearchOptions(expand_threshold=1, **options), known(moves=hunch))


def considered(search):
    tree = search.trees[0]
    node = tree.nodes[ROOT]
    return tree.move[node.first_child : node.first_child + node.expanded].tolist()


def test_the_likeliest_moves_are_considered_first():
    setup = nim([3, 3, 3, 3], most=3)
    state = brute_force.fresh(setup)
    search = searcher(setup, favorite=7)
    search.search(state, sims=1)
    first = considered(search)
    assert first[0] == 7
    assert len(first) < len(brute_force.moves_of(setup, state))
    search.search(state, sims=60)
    more = considered(search)
    assert more[: len(first)] == first
    assert sorted(more) == sorted(brute_force.moves_of(setup, state))


def test_a_likely_move_is_visited_more_than_without_the_prior():
    setup = nim([9, 7, 5])
    state = brute_force.fresh(setup)
    for favorite in (0, 5):
        visits = []
        for likelihood in (0.9, 0.1):
            search = searcher(setup, favorite, likelihood, prior_weight=2.0)
            result = search.search(state, sims=40)
            visits.append(result.visits[result.moves.tolist().index(favorite)])
        assert visits[0] > visits[1]


@pytest.mark.parametrize("heaps", [[3, 2], [1, 2, 3]])
def test_best_play_is_proven_whatever_the_priors_say(heaps):
    setup = nim(heaps)
    state = brute_force.fresh(setup)
    for favorite in (0, 2, 4):
        result = searcher(setup, favorite).search(state, sims=1000)
        assert result.proven
        wins = brute_force.value(setup, state, 0) > 0
        assert result.low.max() == wins
        after = brute_force.after(setup, state, result.move)
        assert (brute_force.value(setup, after, 0) > 0) == wins


def test_the_next_search_goes_on_with_the_priors():
    setup = nim([9, 7, 5])
    state = brute_force.fresh(setup)
    search = searcher(setup, favorite=4, reuse=True)
    first = search.search(state, sims=200)
    state = brute_force.after(setup, state, first.move)
    state = brute_force.after(setup, state, search.line()[1])
    second = search.search(state, sims=1)
    assert second.visits.sum() > 1  # of the search before
    tree = search.trees[0]
    node = tree.nodes[ROOT]
    children = slice(node.first_child, node.first_child + node.children)
    favored = tree.move[children] == 4
    assert favored.sum() == 1
    assert np.all(tree.bias[children][favored] > 2 * tree.bias[children][~favored])
