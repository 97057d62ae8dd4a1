"""The stack of a running proof: one level for each ply from the root."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled

ENDLESS = (1 << 28) - 1
"""The number of what cannot be won, or lost; more than any other."""

EXPANDING, SELECTING, RETURNING, DONE = range(4)
"""What comes next, in ``mode``."""

FRAME = np.dtype(
    [
        ("seat", np.int64),  # who is to move
        ("count", np.int64),  # moves listed: those that may still win
        ("chosen", np.int64),  # the place of the move being tried in the list
        ("move", np.int64),  # its code
        ("phi_limit", np.int64),  # the numbers at which to turn to something else
        ("delta_limit", np.int64),
        ("entered", np.int64),  # the number of nodes when this one was expanded
    ]
)

PROGRESS = np.dtype(
    [
        ("mode", np.int64),
        ("level", np.int64),
        ("nodes", np.int64),  # expanded so far
        ("phi", np.int64),  # of the node that returns
        ("delta", np.int64),
    ]
)


class ProofStack(NamedTuple):
    """One proof under way.

    The numbers of a move are those of the position it leads to, as if the other seat were always to
    move there: phi from its win, delta from its loss.
    """

    frames: Any
    """``FRAME[levels]``"""
    moves: npt.NDArray[np.int64]
    """``int64[levels, capacity]``: the code of each move listed."""
    phis: npt.NDArray[np.int64]
    """``int64[levels, capacity]``: how far these moves are from losing."""
    deltas: npt.NDArray[np.int64]
    """``int64[levels, capacity]``: how far these moves are from winning."""
    progress: Any
    """``PROGRESS[1]``"""


def make_proof_stack(levels: int, capacity: int) -> ProofStack:
    """Return a stack with room for some levels, and moves of a position."""
    return ProofStack(
        frames=np.zeros(levels, FRAME).view(np.recarray),
        moves=np.zeros((levels, capacity), np.int64),
        phis=np.zeros((levels, capacity), np.int64),
        deltas=np.zeros((levels, capacity), np.int64),
        progress=np.zeros(1, PROGRESS).view(np.recarray),
    )


def begin(stack: ProofStack, seat: int) -> None:
    """Set a stack to prove the position at level 0, where a seat is to move."""
    stack.progress[0] = (EXPANDING, 0, 0, 0, 0)
    stack.frames[0] = (seat, 0, 0, -1, ENDLESS, ENDLESS, 0)


@compiled
def list_move(stack: ProofStack, level: int, move: int, phi: int, delta: int) -> None:
    """Add a move to those that may still win."""
    place = stack.frames[level].count
    stack.moves[level, place] = move
    stack.phis[level, place] = phi
    stack.deltas[level, place] = delta
    stack.frames[level].count = place + 1


@compiled
def strike_move(stack: ProofStack, level: int, place: int) -> None:
    """Take a move out of the list; the others keep their order."""
    count = stack.frames[level].count - 1
    for later in range(place, count):
        stack.moves[level, later] = stack.moves[level, later + 1]
        stack.phis[level, later] = stack.phis[level, later + 1]
        stack.deltas[level, later] = stack.deltas[level, later + 1]
    stack.frames[level].count = count


@compiled
def return_win(stack: ProofStack) -> None:
    """Let the node that returns be won by the seat to move."""
    stack.progress[0].phi = 0
    stack.progress[0].delta = ENDLESS


@compiled
def return_loss(stack: ProofStack) -> None:
    """Let the node that returns be lost by the seat to move."""
    stack.progress[0].phi = ENDLESS
    stack.progress[0].delta = 0
