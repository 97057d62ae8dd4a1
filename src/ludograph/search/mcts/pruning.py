"""Making room in a tree whose memory is used up: what lies below nodes seldom visited goes.

A long search would otherwise judge the same leaves for the rest of its time. How often a node must
have been visited to keep its children is chosen so that what is kept fills half of the memory; from
then on a node is expanded after as many visits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled
from ludograph.search.mcts.tree import Tree
from ludograph.search.pacing import is_over

BUCKETS = 32
"""Visits are counted in 31 bits."""

LEAST_ROOM = 16
"""A memory for fewer positions with all their moves is not worth it."""

SECONDS_PER_NODE = 3e-7
"""What making room may take, for each node in use: at most about thrice what was measured."""


def may_prune(tree: Tree, deadline: float | None) -> bool:
    """Tell whether a tree is full, worth pruning, and there is time for it."""
    used, most, size = int(tree.used.nodes), tree.codes.size, tree.move.size
    if used + most <= size or size < LEAST_ROOM * most:
        return False
    return not is_over(None if deadline is None else deadline - SECONDS_PER_NODE * used)


def visits_kept(tree: Tree) -> int:
    """Return the visits, a power of two, from which on nodes can keep their children."""
    children = np.zeros(BUCKETS, np.int64)
    count_children(tree, children)
    kept = np.cumsum(children[::-1])[::-1]
    return 1 << int(np.argmax(kept <= tree.move.size // 2))


@compiled
def count_children(tree: Tree, out: npt.NDArray[np.int64]) -> None:
    """Count the children of nodes by their visits: 1, 2 or 3, 4 to 7, ...

    Parameters
    ----------
    out
        ``int64[BUCKETS]``, to be added to.
    """
    for index in range(tree.used.nodes):
        children = tree.nodes[index].children
        if children > 0:
            visits = tree.visits[index]
            bucket = 0
            while visits > 1:
                visits >>= 1
                bucket += 1
            out[bucket] += children
