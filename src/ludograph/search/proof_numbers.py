"""The kernel of proof-number search: a best-first proof kept on a depth-first stack.

Df-pn (Nagai: "Df-pn algorithm for searching AND/OR trees and its applications", PhD thesis,
University of Tokyo, 2002). The question is whether a seat can reach a goal whatever the other
does. A node's proof number says how many positions must at least be won to answer yes, its
disproof number how many to answer no; the search goes where the fewest are missing. Two
refinements: where numbers are summed only the greatest counts in full, since positions reached by
several orders of moves would be counted many times (weak proof-number search: Ueda et al., CG
2008), and a child may exceed its rival by a quarter before the search turns to that one (Pawlewicz,
Lew: "Improving depth-first PN-search: 1 + epsilon trick", CG 2006).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.errors import InvalidInput
from ludograph.rules import OVER, TURN, Scores, Setup, compiled
from ludograph.search.values import margin

ENDLESS = 1 << 30
"""The number of what cannot be proven, or disproven."""

PROVER, COUNT, CHOSEN, PROOF_LIMIT, DISPROOF_LIMIT = range(5)
"""Columns of ``frames``. PROVER: 1 where the seat that asks is to move."""

MODE, LEVEL, NODES, SEAT, PROOF, DISPROOF = range(6)
"""Slots of ``progress``; the last two are the numbers of the root when it is done."""

ENTERING, SELECTING, DONE = range(3)

HALF = np.uint64(32)
LOW_HALF = np.uint64((1 << 32) - 1)
NOTHING = np.uint64(0)


class ProofStack(NamedTuple):
    """One proof under way: a level per ply from the root."""

    states: npt.NDArray[np.int32]
    """``int32[levels + 1, state_size]``; the last is scratch."""
    moves: npt.NDArray[np.int32]
    """``int32[levels, capacity]``"""
    keys: npt.NDArray[np.uint64]
    """``uint64[levels, capacity + 1]``: those of the children, and of the node itself."""
    proofs: npt.NDArray[np.int64]
    disproofs: npt.NDArray[np.int64]
    """``int64[levels, capacity]`` each: the children's numbers."""
    frames: npt.NDArray[np.int64]
    """``int64[levels, 5]``"""
    table: npt.NDArray[np.uint64]
    """``uint64[entries, 2]``: the key, the two numbers in a word; a power of two."""
    goal: npt.NDArray[np.float64]
    """``float64[1]``: the margin to reach."""
    salt: npt.NDArray[np.uint64]
    """``uint64[1]``: tells the table's entries for one question from those for another."""
    scores: Scores
    progress: npt.NDArray[np.int64]


STACK_LIMIT = 1 << 30
"""Bytes for the positions of one line of play; games of this size are far out of reach anyway."""


def make_proof_stack(setup: Setup, bits: int) -> ProofStack:
    """Return a stack with a table of ``2 ** bits`` entries of 16 bytes.

    Raises
    ------
    InvalidInput
        If a line of play to the end does not fit into ``STACK_LIMIT``: the game is too large.
    """
    size = int(rules.state_size(setup))
    capacity = int(rules.move_capacity(setup))
    levels = int(rules.ply_bound(setup)) + 2
    if levels * size * 4 > STACK_LIMIT:
        raise InvalidInput(
            f"this game is too large to be solved: one line of play may have {levels} positions "
            f"of {4 * size} bytes"
        )
    return ProofStack(
        states=np.empty((levels + 1, size), np.int32),
        moves=np.empty((levels, capacity), np.int32),
        keys=np.zeros((levels, capacity + 1), np.uint64),
        proofs=np.zeros((levels, capacity), np.int64),
        disproofs=np.zeros((levels, capacity), np.int64),
        frames=np.zeros((levels, 5), np.int64),
        table=np.zeros((1 << bits, 2), np.uint64),
        goal=np.zeros(1, np.float64),
        salt=np.zeros(1, np.uint64),
        scores=np.zeros(int(rules.seat_count(setup)), np.float64),
        progress=np.zeros(6, np.int64),
    )


@compiled
def recall(table: npt.NDArray[np.uint64], key: np.uint64) -> np.uint64:
    """Return the numbers stored for a key, in one word, or ``NOTHING``."""
    slot = np.int64(key & np.uint64(table.shape[0] - 1))
    for place in (slot, slot ^ 1):
        if table[place, 0] == key:
            return table[place, 1]
    return NOTHING


@compiled
def remember(table: npt.NDArray[np.uint64], key: np.uint64, proof: int, disproof: int) -> None:
    """Store a node's numbers in one of two places; what is decided stays longest."""
    slot = np.int64(key & np.uint64(table.shape[0] - 1))
    place = slot
    if table[slot, 0] != key:
        numbers = table[slot, 1]
        decided = numbers >> HALF == NOTHING or numbers & LOW_HALF == NOTHING
        if table[slot ^ 1, 0] == key or (decided and numbers != NOTHING):
            place = slot ^ 1
    table[place, 0] = key
    table[place, 1] = (np.uint64(proof) << HALF) | np.uint64(disproof)


@compiled
def look_ahead(setup: Setup, stack: ProofStack, level: int, index: int) -> None:
    """Set the numbers of a child: decided where the game ends, else what the table knows."""
    scratch = stack.states[stack.states.shape[0] - 1]
    rules.copy(stack.states[level], scratch)
    rules.play(setup, scratch, int(np.int64(stack.moves[level, index])))
    proof = 1
    disproof = 1
    if scratch[TURN] == OVER:
        rules.scores(setup, scratch, stack.scores)
        if margin(stack.scores, stack.progress[SEAT]) >= stack.goal[0]:
            proof = 0
            disproof = ENDLESS
        else:
            proof = ENDLESS
            disproof = 0
    else:
        key = rules.key(setup, scratch) ^ stack.salt[0]
        stack.keys[level, index] = key
        numbers = recall(stack.table, key)
        if numbers != NOTHING:
            proof = int(np.int64(numbers >> HALF))
            disproof = int(np.int64(numbers & LOW_HALF))
    stack.proofs[level, index] = proof
    stack.disproofs[level, index] = disproof


@compiled
def enter(setup: Setup, stack: ProofStack) -> None:
    """List the moves of a node, with what is known of each."""
    stack.progress[NODES] += 1
    level = stack.progress[LEVEL]
    frame = stack.frames[level]
    state = stack.states[level]
    prover = 1 if state[TURN] == stack.progress[SEAT] else 0
    count = rules.legal_moves(setup, state, stack.moves[level])
    frame[PROVER] = prover
    frame[COUNT] = count
    for index in range(count):
        look_ahead(setup, stack, level, index)
        decisive = stack.proofs[level, index] if prover else stack.disproofs[level, index]
        if decisive == 0:  # one such move decides the node: the others need no look
            frame[COUNT] = index + 1
            break


@compiled
def select(setup: Setup, stack: ProofStack) -> bool:
    """Go down to the most promising child; False when the node is decided or over its limits.

    At a node of the prover ``easy`` are the proof numbers, of which the least counts, and
    ``hard`` the disproof numbers, which add up; at a node of the other seat they change roles.
    """
    level = stack.progress[LEVEL]
    frame = stack.frames[level]
    prover = frame[PROVER] == 1
    easy = stack.proofs[level] if prover else stack.disproofs[level]
    hard = stack.disproofs[level] if prover else stack.proofs[level]
    best = 0
    second = ENDLESS
    greatest = 0
    undecided = 0
    for index in range(frame[COUNT]):
        if index > 0:
            if easy[index] < easy[best]:
                second = easy[best]
                best = index
            elif easy[index] < second:
                second = easy[index]
        greatest = max(greatest, hard[index])
        if hard[index] > 0:
            undecided += 1
    least = easy[best]
    others = max(0, undecided - 1)
    total = greatest
    if greatest < ENDLESS:
        total = min(greatest + others, ENDLESS - 1)
    proof = least if prover else total
    disproof = total if prover else least
    if proof >= frame[PROOF_LIMIT] or disproof >= frame[DISPROOF_LIMIT]:
        stack.progress[PROOF] = proof
        stack.progress[DISPROOF] = disproof
        return False
    frame[CHOSEN] = best
    below = stack.frames[level + 1]
    rival = second + 1 + second // 4
    if prover:
        below[PROOF_LIMIT] = min(frame[PROOF_LIMIT], rival)
        below[DISPROOF_LIMIT] = frame[DISPROOF_LIMIT] - others
    else:
        below[PROOF_LIMIT] = frame[PROOF_LIMIT] - others
        below[DISPROOF_LIMIT] = min(frame[DISPROOF_LIMIT], rival)
    rules.copy(stack.states[level], stack.states[level + 1])
    rules.play(setup, stack.states[level + 1], int(np.int64(stack.moves[level, best])))
    stack.keys[level + 1, stack.keys.shape[1] - 1] = stack.keys[level, best]
    stack.progress[LEVEL] = level + 1
    return True


@compiled
def prove(setup: Setup, stack: ProofStack, budget: int) -> None:
    """Search on, looking at no more than so many nodes; ``progress[MODE]`` is DONE at the end."""
    progress = stack.progress
    last = progress[NODES] + budget
    while progress[MODE] != DONE:
        if progress[MODE] == ENTERING:
            if progress[NODES] == last:
                return
            enter(setup, stack)
            progress[MODE] = SELECTING
        elif select(setup, stack):
            progress[MODE] = ENTERING
        else:
            level = progress[LEVEL]
            key = stack.keys[level, stack.keys.shape[1] - 1]
            remember(stack.table, key, progress[PROOF], progress[DISPROOF])
            if level == 0:
                progress[MODE] = DONE
            else:
                chosen = stack.frames[level - 1, CHOSEN]
                stack.proofs[level - 1, chosen] = progress[PROOF]
                stack.disproofs[level - 1, chosen] = progress[DISPROOF]
                progress[LEVEL] = level - 1
