"""Support for several threads in one tree; a single thread skips all of it.

*Virtual loss*: each node on the way down counts at once as visited and lost, so that other threads
search elsewhere; the loss is removed when the simulation is backed up (Chaslot, Winands, van den
Herik: "Parallel Monte-Carlo tree search", CG 2008).

*Deferred updates*: a processor that writes to a cache line takes it away from the others. If each
simulation of each thread writes to the nodes near the root, all threads wait for those lines most
of the time. So a thread defers the results below a node with many visits until they amount to a
small part of the node's visits. (Bourki et al.: "Scalability and parallelization of Monte-Carlo
tree search", CG 2010, share such nodes only, and at intervals, between machines without common
memory.) These nodes are the first ones of a path, down to ``progress.deferred_depth``; they get no
virtual loss.

*Spare nodes*: each thread takes nodes in runs, and uses them for the positions that it expands. So
the children of positions that several threads expand at the same time share no cache lines, and the
count of nodes is seldom written.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from ludograph.rules import compiled
from ludograph.rules.atomic import load, swap_if
from ludograph.search.mcts.tree import (
    ROOT,
    Tree,
    add_node,
    count_choice,
    count_visit,
)
from ludograph.search.records import COUNT, REAL, Record, Records, kept_apart, make_records

CONTENDED = 32
"""A thread defers its updates of nodes with at least this number of visits."""

LAG = 16
"""Deferred updates of a node are flushed when they exceed its visits divided by this, ..."""

MOST_PENDING = 128
"""... or this number."""

MOST_SPARE = 2048
"""Nodes that a thread takes at once, ..."""

LEAST_RUNS = 64
"""... in trees that have room for at least this number of runs; fewer in smaller trees."""


PENDING = [
    ("reward", REAL),  # the sum of the rewards of the seat that chose the node
    ("value", REAL),  # that of the rewards of the seat to move
    ("index", COUNT),  # the node
    ("visits", COUNT),  # simulations that came to it,
    ("rewarded", COUNT),  # those that a seat chose it in,
    ("choices", COUNT),  # and those that went on from it
]
"""Updates that a thread has not written to the tree yet."""

PENDING_SLOTS = 1024
"""The number of nodes whose updates a thread can defer. Two nodes may need the same slot, but
seldom."""

Pending: TypeAlias = Records
"""``PENDING[PENDING_SLOTS]``, one for each of several threads. A kernel that gets None instead is
for one thread, and compiled without this module."""


def make_pending() -> Pending:
    """Return room for a thread's deferred updates."""
    return kept_apart(make_records(PENDING_SLOTS, PENDING))


@compiled(inlined=True)
def begin_descent(tree: Tree) -> None:
    """Begin a simulation at the root."""
    tree.progress.virtual_loss = tree.progress.least
    tree.progress.deferred_depth = 0


@compiled(inlined=True)
def add_virtual_loss(tree: Tree, depth: int, child: int) -> None:
    """Count a loss for a child of the node at this depth of the path, or defer its visit."""
    if tree.settings.minimax:  # a visit alone: values are no means
        count_visit(tree, child, tree.nodes[tree.path[depth]].seat, tree.mean[child])
    elif tree.progress.deferred_depth == depth and tree.visits[child] >= CONTENDED:
        tree.progress.deferred_depth = depth + 1
    else:
        seat = tree.nodes[tree.path[depth]].seat
        count_visit(tree, child, seat, tree.progress.virtual_loss)


@compiled(inlined=True)
def back_up_shared(tree: Tree, pending: Pending, depth: int) -> None:
    """Remove the virtual losses on the path; defer the updates of its first nodes."""
    progress = tree.progress
    for step in range(depth, 0, -1):
        index = tree.path[step]
        above = tree.path[step - 1]
        seat = tree.nodes[above].seat
        if step <= progress.deferred_depth:
            defer_visit(tree, pending, index, seat)
        elif seat >= 0:
            tree.mean[index] += (tree.rewards[seat] - progress.virtual_loss) / tree.visits[index]
        if seat >= 0:
            if step - 1 <= progress.deferred_depth:
                defer_choice(tree, pending, above, tree.rewards[seat])
            else:
                count_choice(tree, above, tree.rewards[seat])
    defer_visit(tree, pending, ROOT, -1)


@compiled(inlined=True)
def pending_for(tree: Tree, pending: Pending, index: int) -> Record:
    """Return the record of a thread's deferred updates of a node."""
    own = pending[index % PENDING_SLOTS]
    if own.index != index:
        flush(tree, own)
        own.index = index
    return own


@compiled(inlined=True)
def defer_visit(tree: Tree, pending: Pending, index: int, chosen_by: int) -> None:
    """Count a simulation that came to a node; ``chosen_by`` is below 0 if no seat chose it."""
    own = pending_for(tree, pending, index)
    own.visits += 1
    if chosen_by >= 0:
        own.rewarded += 1
        own.reward += tree.rewards[chosen_by]
    if own.visits >= MOST_PENDING or own.visits * LAG >= tree.visits[index]:
        flush(tree, own)


@compiled(inlined=True)
def defer_choice(tree: Tree, pending: Pending, index: int, reward: float) -> None:
    """Count a simulation that went on from a node, with the reward of the seat to move."""
    own = pending_for(tree, pending, index)
    own.choices += 1
    own.value += reward


@compiled
def flush(tree: Tree, own: Record) -> None:
    """Add a thread's deferred updates to the node's statistics, which all threads read."""
    index = own.index
    if own.visits > 0:
        visits = tree.visits[index] + own.visits
        tree.visits[index] = visits
        if own.rewarded > 0 and tree.width[index] > 0.0:  # a value proven meanwhile stays
            tree.mean[index] += (own.reward - own.rewarded * tree.mean[index]) / visits
            tree.width[index] = min(tree.width[index], 1.0 / math.sqrt(visits))
    if own.choices > 0:
        node = tree.nodes[index]
        node.child_visits += own.choices
        node.value += (own.value - own.choices * node.value) / node.child_visits
    own.visits = 0
    own.rewarded = 0
    own.choices = 0
    own.reward = 0.0
    own.value = 0.0


@compiled
def take_spare(tree: Tree, count: int) -> int:
    """Return the first of a run of a thread's spare nodes; -1 if it gets no more of them."""
    progress = tree.progress
    if progress.last_spare - progress.next_spare < count:
        forget_spare(tree)
        least, size = tree.codes.size, tree.move.size
        wanted = max(least, min(MOST_SPARE, size // LEAST_RUNS))
        while True:
            first = load(tree.used, "nodes")
            last = min(first + wanted, size)
            if last - first < least:
                return -1
            if swap_if(tree.used, "nodes", first, last):
                break
        progress.next_spare = first
        progress.last_spare = last
    taken = progress.next_spare
    progress.next_spare = taken + count
    return taken


@compiled
def forget_spare(tree: Tree) -> None:
    """Leave a thread's spare nodes unused, which does no harm."""
    progress = tree.progress
    for index in range(progress.next_spare, progress.last_spare):
        add_node(tree, index)
    progress.next_spare = 0
    progress.last_spare = 0


@compiled
def hand_in(tree: Tree, pending: Pending) -> None:
    """Flush a thread's deferred updates and return its spare nodes, at the end of its search."""
    for slot in range(PENDING_SLOTS):
        flush(tree, pending[slot])
    progress = tree.progress
    if swap_if(tree.used, "nodes", progress.last_spare, progress.next_spare):
        progress.last_spare = progress.next_spare
    forget_spare(tree)
