"""Checks of moves, states and random generators that callers pass to a position."""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.errors import IllegalMove, InvalidInput, is_whole
from ludograph.formatting import described
from ludograph.rules import Rng, Setup, State

HIGHEST_CODE = 2**31 - 1
"""Codes of moves are stored as ``int32``."""


def checked_code(move: object) -> int:
    """Return the code of a move, a whole number; raise IllegalMove if it is not one."""
    if not is_whole(move):
        raise IllegalMove(f"{described(move)} is not a move: a move is a whole number or a text")
    code = int(move)
    if not -(2**31) <= code < 2**31:
        raise IllegalMove(f"{described(code)} is not a move: codes have 32 bits")
    return code


def checked_state(setup: Setup, state: State) -> State:
    """Return a state; raise InvalidInput if its size or type is not that of this game."""
    size = rules.info(setup).state_size
    if not (
        isinstance(state, np.ndarray)
        and state.dtype == np.int32
        and state.shape == (size,)
        and state.flags.carray  # contiguous and writable: the machine code of rules trusts it
    ):
        got = (
            f"{state.dtype}{list(state.shape)}"
            if isinstance(state, np.ndarray)
            else described(state)
        )
        raise InvalidInput(f"state: expected a writable, contiguous array int32[{size}], got {got}")
    return state


def check_random(rng: Rng) -> None:
    """Raise InvalidInput unless a generator is one of :func:`ludograph.rules.random_state`."""
    if not (isinstance(rng, np.ndarray) and rng.dtype == np.uint64 and rng.shape == (1,)):
        raise InvalidInput(
            f"rng must come from ludograph.rules.random_state(seed), got {described(rng)}"
        )
