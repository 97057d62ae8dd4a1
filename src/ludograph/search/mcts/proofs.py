"""Proofs in the tree of a Monte Carlo search: bounds of the reward of each seat.

Ends of games, and positions with :func:`~ludograph.search.hints.proven_scores`, have certain
rewards. They are backed up as bounds (MCTS-Solver: Winands, Björnsson, Saito: "Monte-Carlo tree
search solver", CG 2008; with bounds: Cazenave, Saffidine: "Score bounded Monte-Carlo tree search",
CG 2010). For every seat a node has

- ``low``: the expected reward that the seat can secure against all moves of the others;
- ``high``: the reward that it cannot exceed. With two seats, one gains what the other loses: it
  holds if the other plays its best. Three and more seats may help each other: it holds for all
  moves of all.

If the seat itself moves, both are the greatest of the children's: one won child wins. If another
seat moves, ``low`` is the least of all children's, unvisited ones included; ``high`` is the least
with two seats and the greatest with more. At chance nodes both are expectations, so a chance node
is proven when all of its outcomes are.

The bounds hold for the tree's rewards, margins included: the value of a win is exact only when no
wider win is possible. If a game lists fewer :func:`~ludograph.search.hints.candidates` than legal
moves, the bounds assume that a best move is among them. From a position with proven scores on, they
assume that all seats play their best: with three and more seats, a worse move of another seat there
can give a seat more than its ``high``.

While several threads search, bounds only become narrower, and each is true at any time. A thread
that computes a bound before another thread has stored its own gets a weaker one. The last thread
sees the bounds of all: each stores its own before it reads the children's, both by atomic accesses.
Otherwise an ARM processor could read first, and two threads would miss each other's bounds.

A node is *closed* when both bounds of all seats agree: its rewards are known, and no simulation
goes through it. It is *decided* when they agree for the seat to move. With two seats that is the
same; with more, the others' rewards may still depend on its choice among equal moves.
"""

from __future__ import annotations

from ludograph.rules import CHANCE, compiled
from ludograph.rules.atomic import load, store, swap_if
from ludograph.search.mcts.tree import EXCLUDED, ROOT, Tree
from ludograph.search.records import Record
from ludograph.search.values import INFINITY

NEVER = -1e9
"""The ``width`` of a child that no simulation should go to."""


@compiled(inlined=True)
def is_decided(tree: Tree, index: int) -> bool:
    """Tell whether the reward of the seat to move at a node (no chance node) is proven."""
    node = tree.nodes[index]
    known = tree.proofs[node.proof, node.seat]
    return known.low >= known.high


def is_root_decided(tree: Tree) -> bool:
    """Tell whether the reward of the seat to move at the root is proven."""
    node = tree.nodes[ROOT]
    known = tree.proofs[node.proof, node.seat]
    return bool(known.low >= known.high)


def is_lost(tree: Tree) -> bool:
    """Tell whether it is proven that the seat to move at the root gets the least reward."""
    node = tree.nodes[ROOT]
    known, least = tree.proofs[node.proof, node.seat], tree.proofs[0, node.seat].low
    return bool(known.high <= least or tree.progress.is_lost)


@compiled
def close(tree: Tree, index: int) -> None:
    """Store the rewards in ``tree.rewards`` as the proven ones of a node."""
    row = proof_row(tree, index)
    if is_own(tree, row):
        for seat in range(tree.rewards.size):
            raise_low(tree.proofs[row, seat], tree.rewards[seat])
            lower_high(tree.proofs[row, seat], tree.rewards[seat])
        store(tree.nodes[index], "closed", 1)
        tree.progress.newly_closed = 1


@compiled(inlined=True)
def is_own(tree: Tree, row: int) -> bool:
    """Tell whether a row of ``proofs`` belongs to a single node."""
    return row >= EXCLUDED + tree.rewards.size


def is_excluded(tree: Tree, index: int) -> bool:
    """Tell whether a node was removed from its parent's moves, see ``EXCLUDED``."""
    return bool(0 < tree.nodes[index].proof < EXCLUDED + tree.rewards.size)


@compiled
def proof_row(tree: Tree, index: int) -> int:
    """Return a node's row of ``proofs``; a node without one gets one.

    The row is not its own if the node is removed, or in the rare case that no row is left.
    """
    node = tree.nodes[index]
    if load(node, "proof") == 0:
        row = take_row(tree)
        for seat in range(tree.rewards.size if row > 0 else 0):
            tree.proofs[row, seat].low = tree.proofs[0, seat].low
            tree.proofs[row, seat].high = tree.proofs[0, seat].high
        swap_if(node, "proof", 0, row)  # else another thread was first, and a row is lost
    return load(node, "proof")


@compiled
def take_row(tree: Tree) -> int:
    """Return an unused row of ``proofs``; 0 if none is left."""
    while True:
        row = load(tree.used, "proofs")
        if row >= tree.proofs.shape[0]:
            return 0
        if swap_if(tree.used, "proofs", row, row + 1):
            return row


@compiled
def raise_low(known: Record, low: float) -> bool:
    """Raise a lower bound to ``low``; return whether it has changed."""
    while True:
        before = load(known, "low")
        if not low > before:
            return False
        if swap_if(known, "low", before, low):
            return True


@compiled
def lower_high(known: Record, high: float) -> bool:
    """Lower an upper bound to ``high``; return whether it has changed."""
    while True:
        before = load(known, "high")
        if not high < before:
            return False
        if swap_if(known, "high", before, high):
            return True


@compiled
def back_up_proof(tree: Tree, depth: int) -> None:
    """Update the bounds on the path from a leaf just closed, until a node's do not change."""
    for step in range(depth - 1, -1, -1):
        if not conclude(tree, tree.path[step]):
            return


@compiled
def conclude(tree: Tree, index: int) -> bool:
    """Compute a node's bounds from its children's; return whether they have changed."""
    node = tree.nodes[index]
    changed = False
    for seat in range(tree.rewards.size):
        if node.seat == CHANCE:
            low, high = expectation(tree, index, seat)
        else:
            low, high = choice(tree, index, seat)
        known = tree.proofs[load(node, "proof"), seat]
        if low > known.low or high < known.high:
            row = proof_row(tree, index)
            if not is_own(tree, row):
                return False
            changed = raise_low(tree.proofs[row, seat], low) or changed
            changed = lower_high(tree.proofs[row, seat], high) or changed
    row = load(node, "proof")
    if is_own(tree, row):
        closed = 1
        for seat in range(tree.rewards.size):
            known = tree.proofs[row, seat]
            if load(known, "low") < load(known, "high"):
                closed = 0
        if closed:
            store(node, "closed", 1)
    if node.seat >= 0:
        guide_selection(tree, index)
    return changed


@compiled
def expectation(tree: Tree, index: int, seat: int) -> tuple[float, float]:
    """Return the bounds of a seat at a chance node."""
    node = tree.nodes[index]
    low = 0.0
    high = 0.0
    for child in range(node.first_child, node.first_child + node.children):
        outcome = tree.nodes[child]
        if outcome.chance > 0.0:
            known = tree.proofs[load(outcome, "proof"), seat]
            low += outcome.chance * load(known, "low")
            high += outcome.chance * load(known, "high")
    return low, high


@compiled
def choice(tree: Tree, index: int, seat: int) -> tuple[float, float]:
    """Return the bounds of a seat at a node where a seat, it or another, is to move."""
    node = tree.nodes[index]
    sign = 1.0 if node.seat == seat else -1.0  # it chooses the greatest, the others the least
    helped = 1.0 if node.seat == seat or tree.rewards.size > 2 else -1.0
    low = -INFINITY
    high = -INFINITY
    expanded = load(node, "expanded")
    if expanded < load(node, "children"):  # the others have only the bounds of every node
        low = sign * tree.proofs[0, seat].low
        high = helped * tree.proofs[0, seat].high
    for child in range(node.first_child, node.first_child + expanded):
        known = tree.proofs[load(tree.nodes[child], "proof"), seat]
        low = max(low, sign * load(known, "low"))
        high = max(high, helped * load(known, "high"))
    return sign * low, helped * high


@compiled
def guide_selection(tree: Tree, index: int) -> None:
    """Set the widths of a node's closed children, and of those that no simulation should go to.

    The mean of a closed child is its exact reward, so a simulation that selects it needs no search
    below it. At the root no simulation should select it.
    """
    node = tree.nodes[index]
    sure = tree.proofs[node.proof, node.seat].low
    for child in range(node.first_child, node.first_child + load(node, "expanded")):
        row = load(tree.nodes[child], "proof")
        if row > 0:
            known = tree.proofs[row, node.seat]
            if is_own(tree, row) and load(tree.nodes[child], "closed"):
                tree.mean[child] = known.low
                tree.width[child] = 0.0 if index != ROOT else NEVER
            if known.low < sure and known.high <= sure:
                tree.width[child] = NEVER
