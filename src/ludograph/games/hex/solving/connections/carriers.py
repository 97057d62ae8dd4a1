"""The carriers of the connections of two ends, and the OR rule.

Places that are not taken hold all cells, so that loops over all places need not ask which are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludograph.rules import compiled
from ludograph.rules.kernels.bits import NONE

VCS = 8
"""Virtual connections kept of a pair of ends."""
SCS = 16
"""Semi connections kept of a pair of ends."""

CARRIERS = np.dtype(
    (
        np.record,
        [
            ("vc_count", np.int64),
            ("sc_count", np.int64),
            ("vcs", np.uint64, (VCS,)),  # the carrier of each
            ("scs", np.uint64, (SCS,)),
        ],
    )
)
"""What is known of a pair of ends, the best known first."""


@compiled
def forget(known: Any) -> None:
    """Begin without any connection."""
    known.vc_count = 0
    known.sc_count = 0
    for place in range(VCS):
        known.vcs[place] = ~NONE
    for place in range(SCS):
        known.scs[place] = ~NONE


@compiled
def has_vc(known: Any, carrier: np.uint64) -> bool:
    """Tell whether a virtual connection is known that needs no other cells."""
    found = False
    for place in range(VCS):
        found |= known.vcs[place] & ~carrier == NONE
    return found


@compiled
def has_sc(known: Any, carrier: np.uint64) -> bool:
    """Tell whether a semi connection is known that needs no other cells."""
    found = False
    for place in range(SCS):
        found |= known.scs[place] & ~carrier == NONE
    return found


@compiled
def add_vc(known: Any, carrier: np.uint64) -> None:
    """Keep a virtual connection unless one that needs no other cells is known."""
    count = known.vc_count
    if count < VCS and not has_vc(known, carrier):
        known.vcs[count] = carrier
        known.vc_count = count + 1


@compiled
def add_sc(known: Any, carrier: np.uint64) -> None:
    """Keep a semi connection unless a better one is known, and what the OR rule makes of it.

    Semi connections that have no cell in common to all of them make a virtual connection: whichever
    cell the other color takes, one of them is left.
    """
    if has_vc(known, carrier) or has_sc(known, carrier):
        return
    needed = carrier
    for place in range(SCS):
        needed &= known.scs[place]
    if needed == NONE:
        combine(known, carrier)
    count = known.sc_count
    if count < SCS:
        known.scs[count] = carrier
        known.sc_count = count + 1


@compiled
def combine(known: Any, carrier: np.uint64) -> None:
    """Apply the OR rule to a new semi connection and those that are known."""
    common = carrier
    union = carrier
    for place in range(known.sc_count):
        other = known.scs[place]
        if other & carrier == NONE:
            add_vc(known, other | carrier)
        elif common & ~other != NONE:
            union |= other
            common &= other
            if common == NONE:
                add_vc(known, union)
