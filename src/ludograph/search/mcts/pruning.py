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


def is_worth_pruning(tree: Tree) -> bool:
    """Tell whether a tree is large enough to gain by it."""
    return bool(tree.move.size >= LEAST_ROOM * tree.codes.size)


def is_too_late(tree: Tree, deadline: float | None) -> bool:
    """Tell whether pruning a tree may take longer than there is time."""
    return deadline is not None and is_over(deadline - SECONDS_PER_NODE * int(tree.used.nodes))


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
