"""The error of the conformance suite, and the traps that it sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

GUARD = 16
CANARY = -0x5A5A5A5B
"""The guard number around every array that a kernel may write to: machine code checks no bounds."""


class ConformanceError(AssertionError):
    """A game breaks the contract; the message gives the clause, with seed and ply."""


def require(condition: object, message: str) -> None:
    """Raise ConformanceError unless a condition holds; not an ``assert``, which ``-O`` removes."""
    if not condition:
        raise ConformanceError(message)


def guarded(size: int, kind: Any, canary: int = CANARY) -> tuple[Any, Callable[[], bool]]:
    """Return an array with guards on both sides, and a function that checks the guards."""
    whole = np.full(size + 2 * GUARD, canary, kind)

    def stands() -> bool:
        return bool((whole[:GUARD] == canary).all() and (whole[-GUARD:] == canary).all())

    return whole[GUARD : GUARD + size], stands
