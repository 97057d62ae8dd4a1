"""Judgements: nodes visited often are judged once, and what they are worth counts from then on."""

import numpy as np
import pytest

from ludograph.search.mcts import LeafEvaluation, MonteCarlo, SearchOptions
from ludograph.search.mcts.leaf_evaluation import KNOWN, NOT_ASKED, UNKNOWN
from ludograph.search.mcts.tree import ROOT
from tests.search import brute_force
from tests.search.mcts.known import known
from tests.toys.nim import Hunch, nim

pytestmark = pytest.mark.usefixtures("interpreted")

FAITH = 0.8


def searcher(setup, leaf_evaluation, faith=FAITH, favorite=99, **options):
    hunch = Hunch(favorite, 0.9, faith)
    return MonteCarlo(
        setup,
        SearchOptions(expand_threshold=1, **options),
        known(moves=hunch, leaf_evaluation=leaf_evaluation),
    )


def open_nodes(tree):
    """Return the nodes with children of which not all is known."""
    used = range(int(tree.used.nodes))
    return [index for index in used if tree.nodes[index].children and not tree.nodes[index].closed]


def test_the_root_is_judged_at_once_and_others_when_they_are_visited_enough():
    setup = nim([9, 8, 7])
    search = searcher(setup, LeafEvaluation(10, 0.5, 1.0))
    search.search(brute_force.fresh(setup), sims=300)
    tree = search.trees[0]
    asked = 0
    for index in open_nodes(tree):
        if index == ROOT or tree.visits[index] > 10:
            assert tree.nodes[index].evaluated == KNOWN
            asked += 1
        elif tree.visits[index] < 10:
            assert tree.nodes[index].evaluated == NOT_ASKED
    assert 2 < asked < len(open_nodes(tree))


@pytest.mark.slow
def test_a_judgement_that_counts_alone_is_what_all_means_say():
    """With a share of 1 a reward is what the deepest judged node is worth, to both sides of it."""
    setup = nim([9, 8, 7])
    state = brute_force.fresh(setup)
    search = searcher(setup, LeafEvaluation(1, 1.0, 0.0), margin_weight=0.0)
    result = search.search(state, sims=60)
    for move, value, visits in zip(result.moves, result.values, result.visits, strict=True):
        lowest, highest = sorted((FAITH, 1.0 - FAITH))
        if visits:
            assert lowest - 1e-6 <= value <= highest + 1e-6
        if visits == 1:  # nobody has judged it yet: it is worth what the root is
            assert value == pytest.approx(FAITH)
        elif visits == 2:  # the second visit had it judged, and revised the first
            wins = brute_force.value(setup, brute_force.after(setup, state, move), 0) > 0
            assert value == pytest.approx(FAITH if wins else 1.0 - FAITH)


def test_a_share_is_mixed_with_what_random_games_bring():
    setup = nim([9, 8, 7])
    state = brute_force.fresh(setup)
    values = {}
    for share in (0.0, 0.5):
        search = searcher(setup, LeafEvaluation(10_000, share, 0.0), margin_weight=0.0)
        values[share] = search.search(state, sims=1).values
    tried = ~np.isnan(values[0.0])
    assert tried.sum() == 1
    outcome = values[0.0][tried][0]
    assert outcome in (0.0, 1.0)
    assert values[0.5][tried][0] == pytest.approx(0.5 * outcome + 0.5 * FAITH)


@pytest.mark.slow
def test_what_was_found_before_a_judgement_is_revised():
    """A child's mean and the node's own go where later rewards will be."""
    setup = nim([9, 8, 7])
    state = brute_force.fresh(setup)
    early, late = (
        searcher(setup, LeafEvaluation(threshold, 1.0, 0.0), margin_weight=0.0)
        for threshold in (1, 25)
    )
    for search in (early, late):
        search.search(state, sims=400)
        tree = search.trees[0]
        first, count = tree.nodes[ROOT].first_child, tree.nodes[ROOT].expanded
        for child in range(first, first + count):
            node = tree.nodes[child]
            if node.evaluated != KNOWN or node.closed or node.proof:
                continue
            for below in range(node.first_child, node.first_child + node.expanded):
                if tree.visits[below] == 1:
                    assert tree.mean[below] == pytest.approx(tree.evaluations[child, node.seat])


def test_moves_have_the_likelihoods_of_the_judgement():
    setup = nim([9, 8, 7])
    search = searcher(setup, LeafEvaluation(5, 0.5, 4.0), favorite=4, prior_weight=1.0)
    search.search(brute_force.fresh(setup), sims=300)
    tree = search.trees[0]
    seen = set()
    for index in open_nodes(tree):
        node = tree.nodes[index]
        moves = range(node.first_child, node.first_child + node.children)
        weight = 4.0 if node.evaluated == KNOWN else 1.0
        favorites = [child for child in moves if tree.move[child] == 4]
        if favorites and node.children > 1:
            assert tree.bias[favorites[0]] == pytest.approx(0.9 * weight)
            seen.add(weight)
    assert seen == {1.0, 4.0}


def test_a_game_that_does_not_know_is_asked_once():
    setup = nim([9, 8, 7])
    state = brute_force.fresh(setup)
    silent = searcher(setup, LeafEvaluation(5, 0.5, 4.0), faith=-1.0)
    without = searcher(setup, None)
    assert silent.search(state, sims=200).visits.tolist() == (
        without.search(state, sims=200).visits.tolist()
    )
    tree = silent.trees[0]
    asked = {int(tree.nodes[index].evaluated) for index in open_nodes(tree)}
    assert asked == {NOT_ASKED, UNKNOWN}


@pytest.mark.parametrize("heaps", [[3, 2], [1, 2, 3]])
@pytest.mark.parametrize("faith", [0.9, 0.1])
def test_best_play_is_proven_whatever_judgements_say(heaps, faith):
    setup = nim(heaps)
    state = brute_force.fresh(setup)
    result = searcher(setup, LeafEvaluation(2, 0.9, 1.0), faith).search(state, sims=1000)
    assert result.proven
    assert result.low.max() == (brute_force.value(setup, state, 0) > 0)


def test_the_next_search_keeps_judgements():
    setup = nim([9, 9, 8, 7])
    state = brute_force.fresh(setup)
    search = searcher(setup, LeafEvaluation(2, 0.5, 1.0), reuse=True)
    first = search.search(state, sims=400)
    state = brute_force.after(setup, state, first.move)
    state = brute_force.after(setup, state, search.line()[1])
    search.search(state, sims=1)
    tree = search.trees[0]
    known = [index for index in open_nodes(tree) if tree.nodes[index].evaluated == KNOWN]
    assert len(known) > 1
    for index in known:
        seat = tree.nodes[index].seat
        assert tree.evaluations[index, seat] in (np.float32(FAITH), np.float32(1.0 - FAITH))
        assert tree.evaluations[index].sum() == pytest.approx(1.0)
