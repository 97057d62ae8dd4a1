"""The functions of a game for a proof, with defaults by the rules of any game of two seats.

The question is whether a seat can reach a goal against all moves of the other: it *wins* if it can.
A game with more knowledge of its positions replaces these functions by its own kernels
(``@implements(expand, MySetup)``), over a workspace of its own.

The transposition table of proofs has the two numbers of a position, and data of the game. A
position has one of four places, which share a cache line if a game adds no words. When all are in
use, the entry of least value is replaced: the value of a proof is the nodes that it took, that of
an open position its numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ludograph import rules
from ludograph.rules import OVER, TURN, Moves, Scores, Setup, State, compiled
from ludograph.rules.dispatch import generic_with_default
from ludograph.rules.kernels.bits import NONE, ONE, signed
from ludograph.search.hints import candidates, proven_scores, score_bounds_at
from ludograph.search.proof.stack import ENDLESS, ProofStack, list_move, return_win, strike_move
from ludograph.search.records import make_zeros
from ludograph.search.values import margin

Table: TypeAlias = npt.NDArray[np.uint64]
"""``uint64[entries, 2 + words]``, the number of entries a power of two."""

KEY, NUMBERS, WORDS = range(3)
"""Columns: the key, both numbers in a word, the first word of the game's own.

A decided entry stores the work of its proof plus 1 in place of ``ENDLESS``.
"""

NUMBER_BITS = np.uint64(28)
NUMBER_MASK = (ONE << NUMBER_BITS) - ONE
BUCKET = 4
"""The number of places for a position."""


def make_table(bits: int, words: int = 0) -> Table:
    """Return an empty table of ``2 ** bits`` entries, each with ``words`` words for the game."""
    return make_zeros((1 << max(bits, 2), WORDS + words), np.uint64)


@compiled
def find(table: Table, key: np.uint64) -> int:
    """Return the place of a position, or -1."""
    slot = signed(key & np.uint64(table.shape[0] - 1))
    for offset in range(BUCKET):
        place = slot ^ offset
        if table[place, KEY] == key and table[place, NUMBERS] != NONE:
            return place
    return -1


@compiled
def numbers_at(table: Table, place: int) -> tuple[int, int]:
    """Return phi and delta of an entry."""
    word = table[place, NUMBERS]
    phi = signed(word & NUMBER_MASK)
    delta = signed(word >> NUMBER_BITS)
    if phi == 0:
        delta = ENDLESS
    elif delta == 0:
        phi = ENDLESS
    return phi, delta


@compiled
def store(table: Table, key: np.uint64, phi: int, delta: int, work: int) -> int:
    """Store the numbers of a position; return its place.

    Parameters
    ----------
    work
        The nodes that a proof took, which are the value of a decided entry.
    """
    place = place_for(table, key)
    if phi == 0:
        delta = min(work + 1, ENDLESS)
    elif delta == 0:
        phi = min(work + 1, ENDLESS)
    table[place, KEY] = key
    table[place, NUMBERS] = np.uint64(phi) | (np.uint64(delta) << NUMBER_BITS)
    return place


@compiled
def place_for(table: Table, key: np.uint64) -> int:
    """Return where to write a position: its own place, a free one, or that of the least value."""
    slot = signed(key & np.uint64(table.shape[0] - 1))
    best = slot
    fewest = 2 * ENDLESS
    for offset in range(BUCKET):
        place = slot ^ offset
        if table[place, KEY] == key or table[place, NUMBERS] == NONE:
            return place
        work = work_at(table, place)
        if work < fewest:
            fewest = work
            best = place
    return best


@compiled
def work_at(table: Table, place: int) -> int:
    """Return the value of an entry: the work to compute it again."""
    word = table[place, NUMBERS]
    phi = signed(word & NUMBER_MASK)
    delta = signed(word >> NUMBER_BITS)
    decided = 1 if phi == 0 or delta == 0 else 0
    return phi + delta - decided


Workspace: TypeAlias = Any
"""The memory of a game's functions: a ``NamedTuple`` of arrays, here a :class:`Question`."""


class Question(NamedTuple):
    """Can a seat end ``goal`` points ahead? With the positions of one line of play."""

    states: npt.NDArray[np.int32]
    """``int32[levels + 1, state_size]``; the last is scratch."""
    keys: npt.NDArray[np.uint64]
    """``uint64[levels]``"""
    codes: Moves
    table: Table
    seat: npt.NDArray[np.int64]
    """``int64[1]``: the seat of the question."""
    goal: npt.NDArray[np.float64]
    """``float64[1]``: the margin to reach."""
    salt: npt.NDArray[np.uint64]
    """``uint64[1]``: part of the table's keys, different for each question."""
    scores: Scores
    high: Scores


OPEN, REACHED, MISSED = range(3)
"""The states of a question about a position."""

MOST = 1_000_000
"""The greatest first number of a position."""


@generic_with_default
def proof_numbers(setup: Setup, state: State, out: Scores) -> None:  # noqa: ARG001
    """Write for each seat the estimated distance of a proof that it wins, from 1 to ``MOST``.

    The number estimates how many positions such a proof needs. The search uses these numbers for a
    new position, in place of 1 (df-pn+: Nagai, Imai: "Application of df-pn+ to Othello endgames",
    Game Programming Workshop 1999). They decide which move of a seat is searched first: the one
    with the seat's least number. Proofs do not depend on them. The search calls this function only
    if a seat is to move and the game is not decided.
    """
    for seat in range(out.size):
        out[seat] = 1.0


@generic_with_default
def expand(setup: Setup, workspace: Workspace, stack: ProofStack, level: int) -> bool:
    """List the moves of a new node that may win, with the numbers known of each.

    True if the node is decided: :func:`return_win` or :func:`return_loss` has been called.
    """
    state = workspace.states[level]
    count = candidates(setup, state, workspace.codes)
    for index in range(count):
        phi, delta = look_ahead(setup, workspace, state, workspace.codes[index])
        if delta == 0:  # one such move decides the node
            return_win(stack)
            return True
        if phi > 0:
            list_move(stack, level, workspace.codes[index], phi, delta)
    return False


@generic_with_default
def descend(setup: Setup, workspace: Workspace, stack: ProofStack, level: int) -> None:
    """Write the position after the chosen move at the level below, and the seat to move there."""
    child = workspace.states[level + 1]
    rules.copy(workspace.states[level], child)
    rules.play(setup, child, stack.frames[level].move)
    workspace.keys[level + 1] = rules.key(setup, child) ^ workspace.salt[0]
    stack.frames[level + 1].seat = child[TURN]


@generic_with_default
def remember(setup: Setup, workspace: Workspace, stack: ProofStack, level: int) -> None:  # noqa: ARG001
    """Store the numbers of the node that returns."""
    progress = stack.progress[0]
    work = 1 + progress.nodes - stack.frames[level].entered
    store(workspace.table, workspace.keys[level], progress.phi, progress.delta, work)


@generic_with_default
def learn(
    setup: Setup,  # noqa: ARG001
    workspace: Workspace,  # noqa: ARG001
    stack: ProofStack,
    level: int,
    wins: bool,
) -> None:
    """Note that the chosen move is proven to win, or to lose: then it is not tried again."""
    if not wins:
        strike_move(stack, level, stack.frames[level].chosen)


@compiled
def look_ahead(setup: Setup, question: Question, state: State, move: int) -> tuple[int, int]:
    """Return phi and delta of the position after a move, for the seat that has not moved.

    The numbers are decided if the game is over or by hints (``proven_scores``,
    ``score_bounds_at``); else they are those of the table, or the first ``proof_numbers``.
    """
    after = question.states[question.states.shape[0] - 1]
    rules.copy(state, after)
    rules.play(setup, after, move)
    place = -1
    if after[TURN] != OVER:
        place = find(question.table, rules.key(setup, after) ^ question.salt[0])
    if place >= 0:
        phi, delta = numbers_at(question.table, place)
        if after[TURN] == state[TURN]:  # the same seat moves again
            phi, delta = delta, phi
    else:
        verdict = verdict_of(setup, question, after)
        if verdict != OPEN:
            asker_moved = state[TURN] == question.seat[0]
            phi, delta = (ENDLESS, 0) if (verdict == REACHED) == asker_moved else (0, ENDLESS)
        else:
            proof_numbers(setup, after, question.scores)
            phi = number_from(question.scores[1 - state[TURN]])
            delta = number_from(question.scores[state[TURN]])
    return phi, delta


@compiled
def number_from(estimate: float) -> int:
    """Return the whole number from 1 to ``MOST`` for an estimate; 1 for NaN."""
    return int(min(estimate, MOST)) if estimate >= 1.0 else 1


@compiled
def verdict_of(setup: Setup, question: Question, state: State) -> int:
    """Return whether the seat of the question reaches its goal, as far as the rules decide it."""
    seat, goal = question.seat[0], question.goal[0]
    if state[TURN] == OVER:
        rules.scores(setup, state, question.scores)
        return REACHED if margin(question.scores, seat) >= goal else MISSED
    if proven_scores(setup, state, question.scores):
        return REACHED if margin(question.scores, seat) >= goal else MISSED
    verdict = OPEN
    low, high = question.scores, question.high
    if score_bounds_at(setup, state, low, high):
        if low[seat] - high[1 - seat] >= goal:
            verdict = REACHED
        elif high[seat] - low[1 - seat] < goal:
            verdict = MISSED
    return verdict
