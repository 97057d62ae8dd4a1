"""The carriers of the connections of two ends, and the OR rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludograph.rules import compiled
from ludograph.rules.kernels.sets import (
    Set,
    common,
    get,
    is_empty,
    is_within,
    meets,
    put,
    union,
)

VCS = 8
"""Virtual connections kept of a pair of ends."""
SCS = 16
"""Semi connections kept of a pair of ends."""


def carriers_type(words: int) -> np.dtype[Any]:
    """Return what is known of a pair of ends, the best first; ``words`` is the size of a set."""
    fields: list[Any] = [
        ("vc_count", np.int64),
        ("sc_count", np.int64),
        ("vcs", np.uint64, (VCS, words)),  # the carrier of each
        ("scs", np.uint64, (SCS, words)),
    ]
    return np.dtype((np.record, fields))


@compiled(inlined=True)
def forget(known: Any) -> None:
    """Begin without any connection."""
    known.vc_count = 0
    known.sc_count = 0


@compiled(inlined=True)
def has_vc(known: Any, carrier: Set) -> bool:
    """Tell whether a virtual connection is known that needs no other cells."""
    for place in range(known.vc_count):
        if is_within(get(known.vcs[place], carrier), carrier):
            return True
    return False


@compiled(inlined=True)
def add_vc(known: Any, carrier: Set) -> None:
    """Keep a virtual connection unless one that needs no other cells is known."""
    count = known.vc_count
    if count < VCS and not has_vc(known, carrier):
        put(known.vcs[count], carrier)
        known.vc_count = count + 1


@compiled
def add_sc(known: Any, carrier: Set) -> None:
    """Keep a semi connection unless a better one is known, and what the OR rule makes of it.

    Semi connections that have no cell in common to all of them make a virtual connection: whichever
    cell the other color takes, one of them is left.
    """
    if has_vc(known, carrier):
        return
    count = known.sc_count
    needed = carrier
    for place in range(count):
        other = get(known.scs[place], carrier)
        if is_within(other, carrier):
            return
        needed = common(needed, other)
    if is_empty(needed):
        combine(known, carrier)
    if count < SCS:
        put(known.scs[count], carrier)
        known.sc_count = count + 1


@compiled
def combine(known: Any, carrier: Set) -> None:
    """Apply the OR rule to a new semi connection and those that are known."""
    needed = carrier
    used = carrier
    for place in range(known.sc_count):
        other = get(known.scs[place], carrier)
        if not meets(other, carrier):
            add_vc(known, union(other, carrier))
        elif not is_within(needed, other):
            used = union(used, other)
            needed = common(needed, other)
            if is_empty(needed):
                add_vc(known, used)
