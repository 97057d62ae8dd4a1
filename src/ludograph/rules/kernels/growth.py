"""Sets of vertices that grow in steps: their neighbors, what they reach, and who gets there first.

``near`` is ``uint64[vertices, words]``: the neighbors of each vertex as a set. A step takes all
neighbors of a set at once, so each vertex is visited once, while a queue visits each of its edges.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled
from ludograph.rules.kernels.sets import (
    Set,
    Words,
    common,
    empty,
    first,
    get,
    is_empty,
    make_rows,
    rest,
    size,
    union,
    without,
)


@compiled(inlined=True)
def around(near: Words, members: Set) -> Set:
    """Return the neighbors of the members of a set; O(members)."""
    found = empty(members)
    while not is_empty(members):
        found = union(found, get(near[first(members)], members))
        members = rest(members)
    return found


@compiled
def reachable(near: Words, reach: Set, within: Set) -> Set:
    """Return the vertices of a set that are reached by steps within it; O(vertices found).

    Parameters
    ----------
    reach
        What is reached in the first step.
    """
    found = edge = common(reach, within)
    while not is_empty(edge):
        edge = without(common(around(near, edge), within), found)
        found = union(found, edge)
    return found


@compiled
def race(
    near: Words, reach: Set, other_reach: Set, within: Set, other_within: Set
) -> tuple[Set, Set]:
    """Return the vertices that each side reaches no later than the other; O(vertices found).

    Both sides take a step at the same time. A vertex that one side reaches first blocks the other
    one. A vertex that both reach in the same step is in both sets, and both go on from it.

    Parameters
    ----------
    reach, other_reach
        What each side reaches in its first step.
    within, other_within
        The vertices that each side may take.
    """
    own, other = empty(reach), empty(reach)
    while True:
        reach, other_reach = common(reach, within), common(other_reach, other_within)
        taken = union(reach, other_reach)
        if is_empty(taken):
            return own, other
        own, other = union(own, reach), union(other, other_reach)
        within, other_within = without(within, taken), without(other_within, taken)
        reach, other_reach = around(near, reach), around(near, other_reach)


@compiled(inlined=True)
def weight(planes: Words, members: Set) -> int:
    """Return the sum of the weights of the members of a set; O(planes).

    Parameters
    ----------
    planes
        ``uint64[bits, words]``: the vertices whose weight has a bit, see :func:`bit_planes`.
    """
    total = 0
    for place in range(planes.shape[0]):
        total += size(common(get(planes[place], members), members)) << place
    return total


def bit_planes(weights: npt.NDArray[np.int32], words: int) -> Words:
    """Return the vertices whose weight has each bit: ``uint64[bits, words]``."""
    planes = int(weights.max(initial=0)).bit_length()
    places, vertices = np.nonzero(weights >> np.arange(planes)[:, None] & 1)
    return make_rows(places, vertices, planes, words)
