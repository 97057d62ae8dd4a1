"""Keeping the part of a search tree that is still of use: after moves, or when the tree is full."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import OVER, TURN, Setup, State, compiled, copy, legal_moves, play
from ludograph.search.mcts.nodes import add_node, copy_statistics
from ludograph.search.mcts.proofs import is_own, obey, proof_row
from ludograph.search.mcts.tree import OUT, ROOT, SETTLED, Tree, begin
from ludograph.search.records import Record

MOST_TRIED = 4000
"""Moves tried at most to recognize what was played: it must cost less than it saves."""

UNKNOWN = -1


def played_since(setup: Setup, before: State, move: int, now: State) -> tuple[int, ...] | None:
    """Return the moves that lead from one state to another, or None where that is not seen.

    Parameters
    ----------
    before, now
        States of one game.
    move
        The move taken to be the first.
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
    """Return the length of the shortest line to a state, UNKNOWN where none is found.

    All lines of a length are gone through before longer ones: ``codes[ply, tried[0, ply] - 1]`` are
    the moves of the one found.

    Parameters
    ----------
    states
        ``int32[longest + 1, state_size]``; the first row is where lines begin, others are scratch.
    codes
        ``int32[longest, move_capacity]``; ``codes[0, 0]`` is the only first move, the rest scratch.
    tried
        ``int32[2, longest]``: scratch, how many moves of a ply were tried, and how many there are.
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
    """Return the node that a line leads to from the root, or None where the tree ends before."""
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
    """Copy the tree below a node into another, as its whole; O(nodes copied).

    Moves taken out are left behind, and the children of nodes with fewer visits than ``least``, but
    for those of the node itself.
    """
    target.used.nodes = 1
    target.used.proofs = OUT + target.scores.size
    target.progress.least = source.progress.least
    target.progress.greatest = source.progress.greatest
    target.progress.price = source.progress.price
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
                if not is_taken_out(source, child):
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
    obey(target, ROOT)


@compiled
def forget_children(node: Record) -> None:
    """Make a node a leaf again; what is known of it stays, but for which moves are left."""
    node.children = 0
    node.expanded = 0
    if node.looked != SETTLED:
        node.looked = 0


@compiled
def copy_node(source: Tree, index: int, target: Tree, place: int) -> None:
    """Copy a node and what is proven of it."""
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


@compiled
def is_taken_out(tree: Tree, index: int) -> bool:
    """Tell whether a node's parent does without it, see ``OUT``."""
    row = tree.nodes[index].proof
    return row > 0 and not is_own(tree, row)
