"""Disjoint sets as trees in an array (union-find).

``parents[first + node]`` is the node above, or negative at a root: what the number says there is
up to the game (Tarjan: "Efficiency of a good but not linear set union algorithm", 1975).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled


@compiled(inlined=True)
def root_of(parents: npt.NDArray[np.int32], first: np.uint64, node: np.uint64) -> np.uint64:
    """Return the root of a node's tree; every other node on the way gets a shorter one.

    Places are unsigned: of a signed index machine code asks first whether it counts from the end.
    """
    above = parents[first + node]
    root = node if above < 0 else np.uint64(above)
    beyond = parents[first + root]
    # The first step is taken, or not, without a jump: a processor cannot foresee which.
    deep = beyond >= 0
    parents[first + node] = beyond if deep else above
    node = np.uint64(beyond) if deep else root
    above = parents[first + node]
    root = node if above < 0 else np.uint64(above)
    beyond = parents[first + root]
    while beyond >= 0:
        parents[first + node] = beyond
        node = np.uint64(beyond)
        above = parents[first + node]
        root = node if above < 0 else np.uint64(above)
        beyond = parents[first + root]
    return root
