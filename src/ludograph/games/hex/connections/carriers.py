"""The carriers of the connections of two ends, and the OR rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludograph.rules import compiled
from ludograph.rules.kernels.sets import Set, common, get, is_empty, is_within, meets, put, union

VCS = 8
"""The most virtual connections stored for a pair of ends."""
SCS = 16
"""The most semi connections stored for a pair of ends."""


def carriers_type(words: int) -> np.dtype[Any]:
    """Return the type of the carriers of a pair of ends, for sets of ``words`` words."""
    fields: list[Any] = [
        ("vc_count", np.int64),
        ("sc_count", np.int64),
        ("vcs", np.uint64, (VCS, words)),  # the carriers of virtual connections
        ("scs", np.uint64, (SCS, words)),  # the carriers of semi connections
    ]
    return np.dtype((np.record, fields))


@compiled(inlined=True)
def clear(known: Any) -> None:
    """Remove all connections of a pair of ends."""
    known.vc_count = 0
    known.sc_count = 0


@compiled(inlined=True)
def has_vc(known: Any, carrier: Set) -> bool:
    """Tell whether a virtual connection is stored whose carrier is a part of ``carrier``."""
    for place in range(known.vc_count):
        if is_within(get(known.vcs[place], carrier), carrier):
            return True
    return False


@compiled(inlined=True)
def add_vc(known: Any, carrier: Set) -> None:
    """Store a virtual connection unless :func:`has_vc`, or unless all places are taken."""
    count = known.vc_count
    if count < VCS and not has_vc(known, carrier):
        put(known.vcs[count], carrier)
        known.vc_count = count + 1


@compiled
def add_sc(known: Any, carrier: Set) -> None:
    """Store a semi connection, and the virtual connections that follow from it by the OR rule.

    It does nothing if the carrier of a stored connection is a part of ``carrier``. The OR rule:
    semi connections whose carriers have no common cell make a virtual connection, since one of them
    remains after any move of the other color.
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
        apply_or_rule(known, carrier)
    if count < SCS:
        put(known.scs[count], carrier)
        known.sc_count = count + 1


@compiled
def apply_or_rule(known: Any, carrier: Set) -> None:
    """Apply the OR rule to a new semi connection and the stored ones."""
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
