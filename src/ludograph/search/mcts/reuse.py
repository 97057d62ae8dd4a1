"""The memory of a search: its tree, and a tree to copy into.

The useful part of the tree is copied into the other one after moves of the game, and when the tree
is full. A long search with a full memory would otherwise evaluate the same leaves for the rest of
its time, so nodes with few visits lose their children. The limit of visits is chosen so that the
rest fills half of the memory; from then on a node is expanded after this number of visits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import Setup, State
from ludograph.search.mcts.options import SearchOptions
from ludograph.search.mcts.proofs import NEVER
from ludograph.search.mcts.tree import (
    EXCLUDED,
    ROOT,
    SETTLED,
    Tree,
    begin,
    clear,
    seen_by_all,
)
from ludograph.search.pacing import is_over

Nodes: TypeAlias = npt.NDArray[np.int64]
"""``int64[k]``: the indices of some nodes."""

MOST_TRIED = 4000
"""The most moves tried to find the moves played: the search for them must cost less than it
saves."""

BUCKETS = 33
"""Visits are counted in 31 bits."""

LEAST_CAPACITY = 16
"""The least memory for pruning, in positions with all their moves."""

SECONDS_PER_NODE = 3e-7
"""Seconds of pruning for each node in use: about three times the measured value."""


class Memory:
    """The trees of a search, one for each thread.

    Parameters
    ----------
    make
        Makes an empty tree.
    setup, options
        As in :class:`ludograph.search.mcts.MonteCarlo`.

    Attributes
    ----------
    trees
        The trees in use, one a thread.
    spare
        Trees to copy into; None if the search does not reuse trees.
    prunes
        Whether a full tree is pruned.
    """

    def __init__(self, make: Callable[[], Tree], setup: Setup, options: SearchOptions) -> None:
        threads, reuse = options.threads, options.reuse
        self.setup = setup
        self.trees = seen_by_all(make(), threads)
        self.spare = seen_by_all(make(), threads) if reuse else None
        self.prunes = reuse and is_worth_pruning(self.trees[0])
        self.expand_threshold = int(self.trees[0].settings.expand_threshold)

    def begin(self, last: tuple[State, int] | None, root: State) -> None:
        """Start from an empty tree, or from the useful part of the last search's tree.

        Parameters
        ----------
        last
            The root of the last search, and the move that it found.
        """
        tree = self.trees[0]
        index = None
        if self.spare is not None and last is not None:
            index = node_of(self.setup, tree, *last, root)
        # A node that was closed without its children does not give a move.
        if index is None or tree.nodes[index].children == 0 or tree.nodes[index].probed == SETTLED:
            clear(tree)
        else:
            self._move(index, 0)
        settings = self.trees[0].settings
        settings.shared = 0
        settings.stops_when_full = int(self.prunes)
        settings.expand_threshold = self.expand_threshold

    def prune(self, deadline: float | None) -> None:
        """Prune the tree, and expand nodes after more visits from now on.

        If too little time is left, the tree stays full, and simulations go on from its leaves.
        """
        full = self.trees
        if is_too_late(full[0], deadline):
            full[0].settings.stops_when_full = 0
            for tree in full:
                tree.progress.out_of_nodes = 0
            return
        least = visits_kept(full[0])
        self._move(ROOT, least)
        for tree, old in zip(self.trees, full, strict=True):
            for name in ("simulations", "probes", "is_lost"):
                setattr(tree.progress, name, getattr(old.progress, name))
        settings = self.trees[0].settings
        settings.stops_when_full = 1
        settings.expand_threshold = max(least, self.expand_threshold)

    def _move(self, index: int, least: int) -> None:
        """Keep the tree below a node, see :func:`transplant`."""
        assert self.spare is not None
        transplant(self.trees[0], index, self.spare[0], least)
        self.trees, self.spare = self.spare, self.trees


def node_of(setup: Setup, tree: Tree, before: State, move: int, now: State) -> int | None:
    """Return the node of a state in a tree that was searched from another state; None: it has none.

    Nodes without children are not found. The lines from the root are at most a move of each seat
    longer than the first move; all lines of one length are tried before longer ones.

    Parameters
    ----------
    before, move
        The state of the root, and the move there.
    now
        A later state of the same game.
    """
    wanted = now.tobytes()
    level, left = [(ROOT, before)], MOST_TRIED
    for ply in range(2 + rules.info(setup).seats):
        children = []
        for index, state in level:
            if state.tobytes() == wanted:
                return index
            node = tree.nodes[index]
            first, last = int(node.first_child), int(node.first_child + node.expanded)
            for child in (first + np.flatnonzero(tree.nodes["children"][first:last])).tolist():
                if ply > 0 or tree.move[child] == move:
                    if left == 0:
                        return None
                    left -= 1
                    after = state.copy()
                    rules.play(setup, after, int(tree.move[child]))
                    children.append((child, after))
        level = children
    return None


def transplant(source: Tree, index: int, target: Tree, least: int) -> None:
    """Replace another tree by the tree below a node; O(nodes copied).

    Removed moves are not copied, and neither are the children of nodes with fewer visits than
    ``least``, except for those of the node itself.
    """
    target.used.nodes = 1
    target.used.proofs = EXCLUDED + target.scores.size
    for name in ("least", "greatest", "probe_cost"):
        setattr(target.progress, name, getattr(source.progress, name))
    begin(target)
    old, new = np.array([index]), np.array([ROOT])
    while old.size:  # one level of the tree after the other
        copy_nodes(source, old, target, new)
        nodes = target.nodes[new]
        forgotten = (target.visits[new] < least) & (nodes["children"] > 0) & (new > ROOT)
        forget_children(target, new[forgotten])
        stay = (nodes["children"] > 0) & ~forgotten
        nodes, parents = nodes[stay], new[stay]
        counts = nodes["children"]
        owner = np.repeat(np.arange(counts.size), counts)
        place = np.arange(owner.size) - np.repeat(np.cumsum(counts) - counts, counts)
        children = nodes["first_child"][owner] + place
        considered = place < nodes["expanded"][owner]
        row = source.nodes["proof"][children]
        kept = ~(considered & (row > 0) & (row < EXCLUDED + source.scores.size))
        owner, children, considered = owner[kept], children[kept], considered[kept]
        first = int(target.used.nodes)
        places = np.arange(first, first + children.size)
        counts = np.bincount(owner, minlength=counts.size)
        target.nodes["first_child"][parents] = first + np.cumsum(counts) - counts
        target.nodes["children"][parents] = counts
        target.nodes["expanded"][parents] = np.bincount(owner[considered], minlength=counts.size)
        target.move[places] = source.move[children]
        target.bias[places] = source.bias[children]
        target.used.nodes = first + children.size
        old, new = children[considered], places[considered]
    node = target.nodes[ROOT]
    widths = target.width[node.first_child : node.first_child + node.expanded]
    widths[widths == 0.0] = NEVER  # the root's closed children need no simulations


def copy_nodes(source: Tree, old: Nodes, target: Tree, new: Nodes) -> None:
    """Copy some nodes and their proven bounds, but not their moves."""
    for each in ("nodes", "visits", "mean", "width", "evaluations"):
        getattr(target, each)[new] = getattr(source, each)[old]
    rows = source.nodes["proof"][old]
    is_own = rows >= EXCLUDED + source.scores.size
    first = int(target.used.proofs)
    own = np.arange(first, first + int(is_own.sum()))
    target.proofs[own] = source.proofs[rows[is_own]]
    target.nodes["proof"][new] = 0
    target.nodes["proof"][new[is_own]] = own
    target.used.proofs = first + own.size


def forget_children(tree: Tree, indices: Nodes) -> None:
    """Make nodes leaves again, with all moves; their statistics and proofs stay."""
    tree.nodes["children"][indices] = 0
    tree.nodes["expanded"][indices] = 0
    tree.nodes["probed"][indices[tree.nodes["probed"][indices] != SETTLED]] = 0


def is_worth_pruning(tree: Tree) -> bool:
    """Tell whether a tree is large enough for pruning to pay."""
    return bool(tree.move.size >= LEAST_CAPACITY * tree.codes.size)


def is_too_late(tree: Tree, deadline: float | None) -> bool:
    """Tell whether pruning a tree may take longer than the time left."""
    return deadline is not None and is_over(deadline - SECONDS_PER_NODE * int(tree.used.nodes))


def visits_kept(tree: Tree) -> int:
    """Return the least visits, a power of two, of nodes that keep their children."""
    used = int(tree.used.nodes)
    buckets = np.maximum(np.frexp(tree.visits[:used])[1], 1)  # 2: two or three visits, ...
    children = np.bincount(buckets, tree.nodes["children"][:used], minlength=BUCKETS)[1:]
    kept = np.cumsum(children[::-1])[::-1]
    return 1 << int(np.argmax(kept <= tree.move.size // 2))
