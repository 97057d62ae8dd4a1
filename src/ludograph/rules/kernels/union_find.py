"""Disjoint sets as trees in an array (union-find).

``parents[first + node]`` is the node above, or negative at a root: what the number says there is
up to the game (Tarjan: "Efficiency of a good but not linear set union algorithm", 1975).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled


@compiled(inlined=True)
def find(
    parents: npt.NDArray[np.int32], first: np.uint64, node: np.uint64
) -> tuple[np.uint64, int]:
    """Return the root of a node's tree, and what is written there.

    A node three or more steps below it is put right under it. Places are unsigned: of a signed
    index machine code asks first whether it counts from the end.
    """
    above = parents[first + node]
    root = node if above < 0 else np.uint64(above)
    # The second step is taken, or not, without a jump too: a processor cannot foresee which.
    value = parents[first + root]
    root = root if value < 0 else np.uint64(value)
    value = parents[first + root]
    if value >= 0:
        while value >= 0:
            root = np.uint64(value)
            value = parents[first + root]
        parents[first + node] = root
    return root, value
