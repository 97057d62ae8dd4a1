"""The memory of a search: its tree, the values of moves anywhere, and a tree to copy into.

The useful part of the tree is copied into the other one after moves of the game, and when the tree
is full. A long search with a full memory would otherwise evaluate the same leaves for the rest of
its time, so nodes with few visits lose their children. The limit of visits is chosen so that the
rest fills half of the memory; from then on a node is expanded after this number of visits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import OVER, TURN, Setup, State, compiled, copy, legal_moves, play
from ludograph.search.mcts.options import SearchOptions
from ludograph.search.mcts.proofs import guide_selection, is_excluded, is_own, proof_row
from ludograph.search.mcts.tree import (
    EXCLUDED,
    ROOT,
    SETTLED,
    Rave,
    Tree,
    add_node,
    begin,
    clear,
    copy_statistics,
    make_rave,
    seen_by_all,
)
from ludograph.search.pacing import is_over
from ludograph.search.records import Record

MOST_TRIED = 4000
"""The most moves tried to find the moves played: the search for them must cost less than it
saves."""

UNKNOWN = -1

BUCKETS = 32
"""Visits are counted in 31 bits."""

LEAST_ROOM = 16
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
    trees, raves
        The trees in use, one a thread.
    spare
        Trees to copy into; None if the search does not reuse trees.
    prunes
        Whether a full tree is pruned.
    """

    def __init__(self, make: Callable[[], Tree], setup: Setup, options: SearchOptions) -> None:
        threads, rave, reuse = options.threads, options.rave, options.reuse
        self.setup = setup
        self.trees = seen_by_all(make(), threads)
        self.spare = seen_by_all(make(), threads) if reuse else None
        self.prunes = reuse and is_worth_pruning(self.trees[0])
        self.expand_threshold = int(self.trees[0].settings.expand_threshold)
        size = self.trees[0].move.size
        self.raves = [make_rave(size, rave) if rave else None for _ in range(threads)]

    def prepare(self, state: State) -> None:
        """Load the kernels of a search, with empty trees, before any clock runs."""
        is_excluded(self.trees[0], ROOT)
        if self.spare is not None:
            played_since(self.setup, state, 0, state)
            transplant(self.trees[0], ROOT, self.spare[0], 0)
            visits_kept(self.trees[0])

    def begin(self, last: tuple[State, int] | None, root: State) -> None:
        """Start from an empty tree, or from the useful part of the last search's tree.

        Parameters
        ----------
        last
            The root of the last search, and the move that it found.
        """
        tree = self.trees[0]
        forget(self.raves[1:], int(tree.used.nodes))  # transplanting does not clear these
        index = None
        if self.spare is not None and last is not None:
            line = played_since(self.setup, *last, root)
            index = None if line is None else follow(tree, line)
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
        forget(self.raves, int(self.trees[0].used.nodes))


def forget(raves: Sequence[Rave | None], nodes: int) -> None:
    """Clear the statistics shared between moves, which new simulations soon replace."""
    for rave in raves:
        if rave is not None:
            rave.visits[:nodes] = 0
            rave.total[:nodes] = 0.0


def played_since(setup: Setup, before: State, move: int, now: State) -> tuple[int, ...] | None:
    """Return the moves that lead from one state to another, or None if they are not found.

    Parameters
    ----------
    before, now
        States of one game.
    move
        The first of these moves.
    """
    longest = 1 + rules.info(setup).seats
    states = np.empty((longest + 1, before.size), np.int32)
    codes = np.empty((longest, rules.info(setup).move_capacity), np.int32)
    tried = np.empty((2, longest), np.int32)
    states[0], codes[0, 0] = before, move
    length = find_line(setup, now, states, codes, tried)
    if length == UNKNOWN:
        return None
    return tuple(int(codes[ply, tried[0, ply] - 1]) for ply in range(length))


@compiled
def find_line(
    setup: Setup,
    now: State,
    states: npt.NDArray[np.int32],
    codes: npt.NDArray[np.int32],
    tried: npt.NDArray[np.int32],
) -> int:
    """Return the length of the shortest line to a state, UNKNOWN if none is found.

    All lines of one length are tried before longer ones: ``codes[ply, tried[0, ply] - 1]`` are the
    moves of the one found.

    Parameters
    ----------
    states
        ``int32[longest + 1, state_size]``; the first row is the start of the lines, the others are
        scratch.
    codes
        ``int32[longest, move_capacity]``; ``codes[0, 0]`` is the only first move, the rest scratch.
    tried
        ``int32[2, longest]``: scratch, the number of moves tried at a ply, and of all moves there.
    """
    if is_same(states[0], now):
        return 0
    left = MOST_TRIED
    for length in range(1, codes.shape[0] + 1):
        tried[0, 0], tried[1, 0] = 0, 1
        ply = 0
        while ply >= 0:
            if tried[0, ply] == tried[1, ply]:
                ply -= 1
                continue
            if left == 0:
                return UNKNOWN
            left -= 1
            code = codes[ply, tried[0, ply]]
            tried[0, ply] += 1
            after = states[ply + 1]
            copy(states[ply], after)
            play(setup, after, code)
            if ply + 1 == length:
                if is_same(after, now):
                    return length
            elif after[TURN] != OVER:
                ply += 1
                tried[0, ply], tried[1, ply] = 0, legal_moves(setup, after, codes[ply])
    return UNKNOWN


@compiled
def is_same(one: State, other: State) -> bool:
    """Tell whether two states are equal."""
    place = 0
    while place < one.size and one[place] == other[place]:
        place += 1
    return place == one.size


def follow(tree: Tree, line: tuple[int, ...]) -> int | None:
    """Return the node that a line leads to from the root, or None if the tree ends before it."""
    index = ROOT
    for move in line:
        node = tree.nodes[index]
        first = int(node.first_child)
        moves = tree.move[first : first + node.expanded].tolist()
        if move not in moves:
            return None
        index = first + moves.index(move)
    return index


@compiled
def transplant(source: Tree, index: int, target: Tree, least: int) -> None:
    """Replace another tree by the tree below a node; O(nodes copied).

    Removed moves are not copied, and neither are the children of nodes with fewer visits than
    ``least``, except for those of the node itself.
    """
    target.used.nodes = 1
    target.used.proofs = EXCLUDED + target.scores.size
    target.progress.least = source.progress.least
    target.progress.greatest = source.progress.greatest
    target.progress.probe_cost = source.progress.probe_cost
    begin(target)
    copy_node(source, index, target, ROOT)
    at = 0
    # Breadth first: until its turn comes, a copied node still points to its old children.
    while at < target.used.nodes:
        node = target.nodes[at]
        if at > ROOT and target.visits[at] < least and node.children > 0:
            forget_children(node)
        if node.children > 0:
            old = node.first_child
            new = target.used.nodes
            last = new
            for child in range(old, old + node.expanded):
                if not is_excluded(source, child):
                    copy_node(source, child, target, last)
                    last += 1
            expanded = last - new
            for child in range(old + node.expanded, old + node.children):
                add_node(target, last)
                target.move[last] = source.move[child]
                target.bias[last] = source.bias[child]
                last += 1
            node.first_child = new
            node.expanded = expanded
            node.children = last - new
            target.used.nodes = last
        at += 1
    guide_selection(target, ROOT)


@compiled
def forget_children(node: Record) -> None:
    """Make a node a leaf again, with all moves; its statistics and proofs stay."""
    node.children = 0
    node.expanded = 0
    if node.probed != SETTLED:
        node.probed = 0


@compiled
def copy_node(source: Tree, index: int, target: Tree, place: int) -> None:
    """Copy a node and its proven bounds."""
    add_node(target, place)
    target.move[place] = source.move[index]
    target.bias[place] = source.bias[index]
    copy_statistics(source, index, target, place)
    old = source.nodes[index]
    if is_own(source, old.proof):
        row = proof_row(target, place)
        for seat in range(source.scores.size):
            target.proofs[row, seat].low = source.proofs[old.proof, seat].low
            target.proofs[row, seat].high = source.proofs[old.proof, seat].high


def is_worth_pruning(tree: Tree) -> bool:
    """Tell whether a tree is large enough for pruning to pay."""
    return bool(tree.move.size >= LEAST_ROOM * tree.codes.size)


def is_too_late(tree: Tree, deadline: float | None) -> bool:
    """Tell whether pruning a tree may take longer than the time left."""
    return deadline is not None and is_over(deadline - SECONDS_PER_NODE * int(tree.used.nodes))


def visits_kept(tree: Tree) -> int:
    """Return the least visits, a power of two, of nodes that keep their children."""
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
