"""A tree that is full makes room: what is visited often is kept, with all that is proven of it."""

import pytest

from ludograph import hex
from ludograph.search import mcts
from ludograph.search.mcts import monte_carlo
from ludograph.search.mcts.reuse import transplant, visits_kept
from ludograph.search.mcts.tree import ROOT, make_tree
from ludograph.search.pacing import deadline_after, now
from tests.search import brute_force
from tests.search.mcts.trees import check_bounds, check_tree
from tests.toys.coins import coins
from tests.toys.dice import dice
from tests.toys.nim import nim

pytestmark = pytest.mark.slow

SMALL = 3000


def search_of(setup, nodes=SMALL, **options):
    return mcts.MonteCarlo(
        setup, mcts.SearchOptions(nodes=nodes, reuse=True, expand_threshold=1, **options)
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_a_long_search_grows_where_it_goes_often(threads, small_flood):
    position = small_flood(8, 8, 2, colors=5)
    search = search_of(position.setup, threads=threads)
    result = search.search(position.state, sims=20_000)
    tree = search.trees[0]
    assert result.simulations == 20_000
    assert tree.settings.expand_threshold > 1
    if threads == 1:  # several count past each other now and then
        assert tree.visits[ROOT] == 20_000
        check_tree(tree)
    search.memory.begin(search.last, position.state)
    assert search.trees[0].visits[ROOT] > 19_000
    assert search.trees[0].settings.expand_threshold == 1


def test_what_is_made_room_for_is_looked_at_more_closely(small_flood):
    """Without pruning the tree ends where it was full."""
    position = small_flood(10, 10, 2, colors=6)
    lines = []
    for reuse in (False, True):
        search = mcts.MonteCarlo(
            position.setup, mcts.SearchOptions(nodes=SMALL, reuse=reuse, expand_threshold=1)
        )
        search.search(position.state, sims=30_000)
        lines.append(len(search.line()))
    assert lines[1] > lines[0]


@pytest.mark.usefixtures("interpreted")
def test_the_visits_kept_are_those_for_which_there_is_room():
    setup = nim([5, 4, 3])
    search = search_of(setup, nodes=400)
    tree = search.trees[0]
    search.search(brute_force.fresh(setup), sims=120)
    children, visits = tree.nodes["children"][: tree.used.nodes], tree.visits[: tree.used.nodes]
    least = visits_kept(tree)
    assert children[visits >= least].sum() <= 200
    assert least == 1 or children[visits >= least // 2].sum() > 200


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("least", [0, 2, 5, 1000])
def test_nodes_visited_often_keep_their_children(least):
    setup = nim([5, 4, 3])
    search = search_of(setup, nodes=4000)
    search.search(brute_force.fresh(setup), sims=150)
    tree, other = search.trees[0], make_tree(setup, mcts.SearchOptions(nodes=4000))
    transplant(tree, ROOT, other, least)
    check_tree(other)
    pairs = [(ROOT, ROOT)]
    for old, new in pairs:
        before, after = tree.nodes[old], other.nodes[new]
        assert (before.value, before.child_visits) == (after.value, after.child_visits)
        assert tree.visits[old] == other.visits[new]
        kept = old == ROOT or tree.visits[old] >= least
        assert after.children == (before.children if kept else 0)
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


def test_small_boards_are_solved_in_little_room():
    position = hex.position(4, pie=False)
    position.play("a1")
    found = [
        mcts.MonteCarlo(position.setup, mcts.SearchOptions(nodes=nodes, reuse=reuse)).search(
            position.state, sims=300_000
        )
        for nodes, reuse in [(1 << 20, False), (20_000, True), (20_000, False)]
    ]
    assert [result.proven for result in found] == [True, True, False]
    assert found[0].low.max() == found[1].low.max()


def test_the_same_seed_finds_the_same_in_little_room(small_flood, monkeypatch):
    """When the tree is full does not depend on how many simulations are made at a time."""
    position = small_flood(8, 8, 2, colors=5)
    found = []
    for size in (7, 1000):
        monkeypatch.setattr(
            monte_carlo,
            "chunks",
            lambda _, left, size=size: (min(size, left - at) for at in range(0, left, size)),
        )
        result = search_of(position.setup).search(position.state, sims=20_000)
        assert result.simulations == 20_000
        found.append(result.visits.tolist())
    assert found[0] == found[1]


def test_a_full_tree_of_which_the_time_is_nearly_up_stays_as_it_is(small_flood):
    position = small_flood(8, 8, 2, colors=5)
    search = search_of(position.setup)
    search.search(position.state, sims=1)
    tree = search.trees[0]
    tree.settings.stops_when_full, tree.progress.out_of_nodes = 1, 1
    search.memory.prune(now())
    assert search.trees[0] is tree
    assert (tree.settings.stops_when_full, tree.progress.out_of_nodes) == (0, 0)
    search.memory.prune(deadline_after(100.0))
    assert search.trees[0] is not tree


def test_a_few_nodes_are_not_worth_it(small_flood):
    setup = small_flood(8, 8, 2, colors=5).setup
    assert search_of(setup).memory.prunes
    assert not search_of(setup, nodes=20).memory.prunes
    assert not mcts.MonteCarlo(setup, mcts.SearchOptions(nodes=SMALL)).memory.prunes
