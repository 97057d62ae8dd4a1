"""Threads in one tree: what one alone finds is found, and nothing is proven that does not hold."""

import itertools
import sys
import threading

import numpy as np
import pytest

from ludograph import hex, rules
from ludograph.rules import OVER, TURN
from ludograph.search import alphabeta, mcts
from ludograph.search.mcts.hints import LeafEvaluation
from ludograph.search.mcts.proofs import close, conclude, is_excluded
from ludograph.search.mcts.threads import hand_in, make_pending, take_spare
from ludograph.search.mcts.tree import ROOT, make_tree, seen_by_all
from tests.amounts import few
from tests.search import brute_force
from tests.search.mcts.known import known, set_prices
from tests.search.mcts.trees import check_bounds
from tests.toys.coins import coins
from tests.toys.descent import descent
from tests.toys.dice import dice
from tests.toys.nim import Hunch, Wisdom, nim
from tests.toys.tictactoe import tictactoe

pytestmark = pytest.mark.slow


@pytest.fixture
def jumpy():
    """Run kernels as plain Python, in threads that take turns between any two steps of theirs."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with rules.interpreted():
            yield
    finally:
        sys.setswitchinterval(before)


GAMES = [
    nim([3, 2]),
    nim([1, 2, 3]),
    *(coins([3, 1, 4, 1, 5, 2, 6], seats) for seats in (1, 2, 3)),
    dice(1),
    descent(4, 1),
]


@pytest.mark.usefixtures("jumpy")
@pytest.mark.parametrize("setup", GAMES, ids=str)
def test_all_bounds_of_all_nodes_hold(setup):
    exact = 0
    for seed in range(few(1, 2)):
        search = mcts.MonteCarlo(
            setup, mcts.SearchOptions(seed=seed, threads=4, nodes=2000, expand_threshold=1)
        )
        search.search(brute_force.fresh(setup), sims=150)
        exact += check_bounds(setup, search.trees[0])
    assert exact > 0


@pytest.mark.usefixtures("jumpy")
@pytest.mark.parametrize("tells", [True, False])
def test_looks_priors_and_judgements_prove_nothing_wrong(tells, monkeypatch):
    """A look takes moves out while other threads are below them."""
    setup = nim([3, 2, 2])
    state = brute_force.fresh(setup)
    taken_out = 0
    set_prices(monkeypatch, 1.0, 3.0)
    for seed in range(4):
        search = mcts.MonteCarlo(
            setup,
            mcts.SearchOptions(
                seed=seed,
                threads=3,
                expand_threshold=1,
                reuse=True,
            ),
            known(
                workspace=Wisdom(tells, np.zeros(1, np.int64)),
                moves=Hunch(3, 0.5, 0.7),
                leaf_evaluation=LeafEvaluation(2, 0.5, 1.0),
            ),
        )
        search.trees[0].nodes[ROOT].probed = 1  # what is below it is the matter here
        search._begin_tree = lambda root: None
        search.search(state, sims=120)
        tree = search.trees[0]
        assert check_bounds(setup, tree) > 0
        used = range(1, int(tree.used.nodes))
        taken_out += sum(bool(is_excluded(tree, index)) for index in used)
        del search._begin_tree
        later = brute_force.after(setup, state, search.result.move)
        if later[TURN] != OVER:
            later = brute_force.after(setup, later, brute_force.moves_of(setup, later)[0])
            result = search.search(later, sims=60)
            assert result.low.max() <= brute_force.value(setup, later, 0)
    assert (taken_out > 0) != tells  # where a look tells who wins nothing is left to choose


@pytest.mark.usefixtures("jumpy")
def test_a_win_in_one_is_found_and_a_threat_answered():
    setup = tictactoe()
    for moves, best in (([0, 3, 1, 4], 2), ([0, 4, 1], 2)):
        state = brute_force.fresh(setup, moves)
        assert mcts.search(setup, state, sims=400, threads=2).move == best


class ReadEarly:
    """Records as an ARM processor may read them: plain reads come before all other accesses.

    Atomic loads read the present values. What this thread writes it also sees.
    """

    def __init__(self, live, before):
        vars(self).update(_live=live, _before=before, shape=live.shape)

    def __getattr__(self, field):
        return self._before[field]

    def __setattr__(self, field, value):
        self[field] = value

    def __getitem__(self, key):
        if isinstance(key, str):  # as ``load`` and ``swap_if`` in plain Python
            return self._live[key]
        return ReadEarly(self._live[key], self._before[key])

    def __setitem__(self, field, value):
        self._live[field] = self._before[field] = value


@pytest.mark.parametrize("seat", [0, 1, rules.CHANCE])
def test_of_two_threads_that_close_children_one_sees_both(seat):
    """Each stores the bounds of its child, and then computes the parent's from all children's."""
    tree = make_tree(nim([2]), mcts.SearchOptions())
    root = tree.nodes[ROOT]
    root.seat, root.first_child, root.children, root.expanded = seat, 1, 2, 2
    tree.nodes["chance"][1:3] = 0.5
    before = tree.nodes.copy(), tree.proofs.copy()
    with rules.interpreted():
        for child, reward in ((1, 0.25), (2, 0.5)):
            tree.rewards[:] = reward, 1.0 - reward
            close(tree, child)
        nodes, proofs = map(ReadEarly, (tree.nodes, tree.proofs), before)
        conclude(tree._replace(nodes=nodes, proofs=proofs), ROOT)
    assert root.closed
    known = tree.proofs[root.proof, 0]
    assert known.low == known.high == {0: 0.5, 1: 0.25, rules.CHANCE: 0.375}[seat]


def test_small_hex_is_won():
    """As machine code, with patterns: each answer is proven, as alpha-beta search says."""
    position = hex.position(3, pie=False)
    exact = alphabeta.AlphaBeta(position.setup)
    strategy = position.game.strategy("mcts")
    for seed, first in enumerate(position.legal_moves()):
        after = position.copy()
        after.play(first)
        player = strategy.create({"threads": "4", "connections": "off"}, seed)
        result = player.prepare(after).search(after.state, sims=100_000)
        best = exact.search(after.state)
        assert best.exact
        assert result.proven
        assert result.low.max() == (best.value > 0)
        after.play(result.move)
        assert (exact.search(after.state).value < 0) == (best.value > 0)


@pytest.mark.parametrize("sims", [1, 2, 3, 7, 501])
def test_as_many_simulations_are_made_as_are_wanted(small_flood, sims):
    position = small_flood(6, 6, 1, colors=4)
    search = mcts.MonteCarlo(position.setup, mcts.SearchOptions(threads=3, reuse=True))
    for _ in range(2):
        result = search.search(position.state, sims=sims)
        assert result.simulations == sims
        assert position.is_legal(result.move)


def test_one_thread_is_as_none_said(small_flood):
    position = small_flood(6, 6, 2, colors=4)
    said, unsaid = (
        position.game.strategy("mcts").create({"sims": "200", **more}, 5)
        for more in ({"threads": "1"}, {})
    )
    while not position.is_over:
        move = said.choose(position)
        assert unsaid.choose(position) == move
        if said.found is not None:
            assert said.found.visits.tolist() == unsaid.found.visits.tolist()
        position.play(move)


@pytest.mark.usefixtures("jumpy")
def test_a_full_tree_goes_on_searching():
    setup = nim([5, 4, 3])
    search = mcts.MonteCarlo(setup, mcts.SearchOptions(threads=4, nodes=40, expand_threshold=1))
    result = search.search(brute_force.fresh(setup), sims=300)
    assert result.simulations == 300 or result.proven
    assert search.trees[0].used.nodes <= 40
    check_bounds(setup, search.trees[0])


def test_a_fault_in_one_thread_ends_the_search_with_it(small_flood, monkeypatch):
    position = small_flood(6, 6, 1, colors=4)
    search = mcts.MonteCarlo(position.setup, mcts.SearchOptions(threads=2))
    simulate = search._simulate

    def fail(root, thread, amount):
        if thread == 1:
            raise OSError("no room")
        return simulate(root, thread, amount)

    monkeypatch.setattr(search, "_simulate", fail)
    with pytest.raises(OSError, match="no room"):
        search.search(position.state, time=600)


def test_an_interruption_ends_all_threads(small_flood, monkeypatch):
    """Ctrl-C comes to the thread that has called."""
    position = small_flood(6, 6, 1, colors=4)
    search = mcts.MonteCarlo(position.setup, mcts.SearchOptions(threads=3))
    simulate = search._simulate
    calls = itertools.count()

    def interrupt(root, thread, amount):
        if thread == 0 and next(calls) > 3:
            raise KeyboardInterrupt
        return simulate(root, thread, amount)

    monkeypatch.setattr(search, "_simulate", interrupt)
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        search.search(position.state, time=600)
    assert threading.active_count() == before


def test_spare_nodes_are_of_one_thread_and_go_back_in_the_end():
    setup = nim([5, 4, 3])
    with rules.interpreted():
        one, other = seen_by_all(make_tree(setup, mcts.SearchOptions(nodes=1_000)), 2)
        runs = {id(one): [], id(other): []}
        for turn in range(40):
            tree = other if turn % 3 == 0 else one
            runs[id(tree)].append(take_spare(tree, 5))
        taken = [set(range(first, first + 5)) for firsts in runs.values() for first in firsts]
        assert len(set().union(*taken)) == 5 * 40
        assert ROOT not in set().union(*taken)
        assert max(max(nodes) for nodes in taken) < one.used.nodes
        one.nodes["children"][1:] = 9  # of a search before
        for nodes in taken:
            one.nodes["children"][sorted(nodes)] = 1
        for tree in (one, other):
            hand_in(tree, make_pending())
            assert tree.progress.next_spare == tree.progress.last_spare
        used = int(one.used.nodes)
        assert (one.nodes["children"][1:used] <= 1).all()
        assert one.nodes["children"][1:used].sum() == 5 * 40
        assert used == 1 + max(max(nodes) for nodes in taken)


def test_a_thread_gets_spare_nodes_until_the_tree_is_full():
    setup = nim([5, 4, 3])
    with rules.interpreted():
        trees = seen_by_all(make_tree(setup, mcts.SearchOptions(nodes=200)), 3)
        for tree in itertools.islice(itertools.cycle(trees), 600):
            take_spare(tree, 3)
        assert all(take_spare(tree, tree.codes.size) == -1 for tree in trees)
        assert trees[0].used.nodes <= 200
