"""The stack of a running proof: one level for each ply from the root."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.rules import compiled

ENDLESS = (1 << 28) - 1
"""The proof number of a goal that cannot be reached; greater than any other."""

EXPANDING, SELECTING, RETURNING, DONE = range(4)
"""The next steps of a search, in ``mode``."""

FRAME = np.dtype(
    [
        ("seat", np.int64),  # the seat to move
        ("count", np.int64),  # moves listed: those that may still win
        ("chosen", np.int64),  # the place of the present move in the list
        ("move", np.int64),  # its code
        ("phi_limit", np.int64),  # the numbers at which the search leaves this node
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
    """A running proof.

    The numbers of a move are those of the position after it, for the seat that has not moved: phi
    from its win, delta from its loss.
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
    """Return a stack with room for these levels, and for ``capacity`` moves of each position."""
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
    """Return the present node as won by the seat to move."""
    stack.progress[0].phi = 0
    stack.progress[0].delta = ENDLESS


@compiled
def return_loss(stack: ProofStack) -> None:
    """Return the present node as lost by the seat to move."""
    stack.progress[0].phi = ENDLESS
    stack.progress[0].delta = 0
