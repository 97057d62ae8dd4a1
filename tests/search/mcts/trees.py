"""Trees that are looked through: whether they hang together, whether what they prove holds."""

from ludograph import rules
from ludograph.search.mcts.proofs import is_excluded, is_own
from ludograph.search.mcts.tree import ROOT
from tests.search import brute_force
from tests.search.mcts import proven

LITTLE = 1e-9


def check_tree(tree):
    """Each node's visits are its children's and those that ended at it; each has one parent."""
    seen = [ROOT]
    for index in seen:
        node = tree.nodes[index]
        children = range(node.first_child, node.first_child + node.children)
        visited = children[: node.expanded]
        assert tree.visits[visited].sum() <= tree.visits[index]
        fresh = children[len(visited) :]  # never looked at, so never written
        tree.nodes[fresh], tree.visits[fresh] = 0, 0
        seen.extend(children)
    assert sorted(seen) == list(range(tree.used.nodes))


def nodes_of(setup, tree):
    """Yield all nodes that count with their states; check that each stands in one place only."""
    seen = set()
    todo = [(ROOT, brute_force.fresh(setup))]
    while todo:
        index, state = todo.pop()
        assert index not in seen
        seen.add(index)
        node = tree.nodes[index]
        assert not node.lock
        yield node, state
        children = range(node.first_child, node.first_child + node.expanded)
        moves = [int(tree.move[child]) for child in children]
        assert len(set(moves)) == len(moves)
        if moves:
            assert set(moves) <= set(brute_force.moves_of(setup, state))
        for child, move in zip(children, moves, strict=True):
            if not is_excluded(tree, child):
                todo.append((child, brute_force.after(setup, state, move)))


def check_bounds(setup, tree, weight=0.2):
    """Check each seat's bounds at all nodes against a search of all lines; count the exact ones."""
    exact = 0
    seats = rules.info(setup).seats
    for node, state in nodes_of(setup, tree):
        if is_own(tree, node.proof):
            for seat in range(seats):
                known = tree.proofs[node.proof, seat]
                value = proven.guaranteed(setup, state, seat, weight)
                best = value if seats == 2 else proven.hoped_for(setup, state, seat, weight)
                assert known.low <= value + LITTLE
                assert known.high >= best - LITTLE
                exact += known.low == known.high
    return exact
