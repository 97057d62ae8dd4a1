"""Disjoint sets as trees in an array (union-find).

``parents[first + node]`` is the parent of a node, or a negative number at a root, whose meaning
depends on the game (Tarjan: "Efficiency of a good but not linear set union algorithm", 1975).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.compilation import compiled


@compiled(inlined=True)
def find(parents: npt.NDArray[np.int32], first: int, node: int) -> tuple[int, int]:
    """Return the root of a node's tree, and the number at this root.

    A node that is three or more steps below the root is moved directly below it.
    """
    above = parents[first + node]
    root = node if above < 0 else above
    # The second step has no branch, as the processor could not predict it.
    value = parents[first + root]
    root = root if value < 0 else value
    value = parents[first + root]
    if value >= 0:
        while value >= 0:
            root = value
            value = parents[first + root]
        parents[first + node] = root
    return root, value
