"""Close looks at positions: what they prove is drawn upward, what they rule out is left out."""

import numpy as np
import pytest

from ludograph.search import pacing
from ludograph.search.mcts import MonteCarlo, SearchOptions
from ludograph.search.mcts.tree import ROOT
from tests.search import brute_force
from tests.search.mcts.known import known, set_prices
from tests.toys.nim import Wisdom, nim

pytestmark = pytest.mark.usefixtures("interpreted")


@pytest.fixture
def searcher(monkeypatch):
    def make(setup, *, tells, prices=(1.0, 4.0), **options):
        set_prices(monkeypatch, *prices)
        wisdom = Wisdom(tells, np.zeros(1, np.int64))
        options = SearchOptions(expand_threshold=1, **options)
        return MonteCarlo(setup, options, known(workspace=wisdom)), wisdom.looks

    return make


def keeps_the_win(setup, state, move):
    after = brute_force.after(setup, state, move)
    return brute_force.value(setup, after, 0) > 0


def test_a_won_root_is_proven_by_one_look(searcher):
    setup = nim([9, 7, 5])
    state = brute_force.fresh(setup)
    search, looks = searcher(setup, tells=True)
    result = search.search(state, sims=50)
    assert result.proven
    assert (result.simulations, looks[0]) == (1, 1)
    assert result.low.max() == 1.0
    assert keeps_the_win(setup, state, result.move)


def test_a_lost_root_plays_on_for_a_round_without_more_looks(searcher):
    setup = nim([3, 2, 1])
    state = brute_force.fresh(setup)
    search, looks = searcher(setup, tells=True)
    result = search.search(state, sims=40)
    assert looks[0] == 1
    assert result.simulations == 1 + 39 // pacing.ROUNDS
    assert search.is_lost
    search.search(brute_force.after(setup, state, result.move), sims=1)
    assert not search.is_lost


def test_looks_that_do_not_tell_who_wins_leave_the_moves_that_can_be_best(searcher):
    setup = nim([6, 3, 2])
    state = brute_force.fresh(setup)
    search, looks = searcher(setup, tells=False)
    result = search.search(state, sims=200)
    tried = result.moves[result.visits > 0].tolist()
    assert tried
    assert all(keeps_the_win(setup, state, move) for move in tried)
    tree = search.trees[0]
    used = slice(0, int(tree.used.nodes))
    assert (tree.nodes["probed"][used] == 1).sum() == looks[0] > 5
    assert result.low.max() <= brute_force.value(setup, state, 0)


def test_what_a_look_settles_is_proven_above(searcher):
    """Without a look at the root itself, the looks below it prove it."""
    setup = nim([3, 2])
    state = brute_force.fresh(setup)
    search, looks = searcher(setup, tells=True, prices=(1.0, 1.0))
    search.trees[0].nodes[ROOT].probed = 1
    search._begin_tree = lambda root: None
    result = search.search(state, sims=400)
    assert result.proven
    assert looks[0] > 1
    assert result.low.max() == 1.0
    assert keeps_the_win(setup, state, result.move)


@pytest.mark.slow
def test_looks_are_paid_for_by_simulations(searcher):
    setup = nim([9, 7, 5, 6], most=3)
    search, looks = searcher(setup, tells=False, prices=(50.0, 50.0))
    search.search(brute_force.fresh(setup), sims=1000)
    assert 1 < looks[0] <= 1000 / 50 + 1


def test_a_root_that_was_settled_below_the_last_one_is_looked_at_again(searcher):
    """It was closed without children to choose from: the tree is begun anew."""
    setup = nim([9, 7, 5])
    state = brute_force.fresh(setup)
    search, _ = searcher(setup, tells=True, reuse=True)
    first = search.search(state, sims=20)
    for reply in range(3):
        later = brute_force.after(setup, state, first.move)
        later = brute_force.after(setup, later, brute_force.moves_of(setup, later)[reply])
        result = search.search(later, sims=20)
        assert result.proven
        assert keeps_the_win(setup, later, result.move)
        search.last = (state, first.move)


def test_without_a_room_nothing_is_looked_at():
    setup = nim([9, 7, 5])
    search = MonteCarlo(setup, SearchOptions(expand_threshold=1))
    assert not search.search(brute_force.fresh(setup), sims=50).proven
