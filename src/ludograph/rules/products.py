"""Products of matrices in single precision, a few rows at a time, for small networks.

Numba's loops keep their sums in memory; here they stay in the registers of the processor, which
makes a product two to three times as fast.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ludograph.rules.intrinsic import Intrinsic

ROWS = 6
"""How many rows are multiplied together: their sums fill the sixteen registers of AVX2."""

LANES = 16
"""The width of all products is a multiple of this."""

Floats = npt.NDArray[np.float32]


@Intrinsic
def add_products(
    sums: Floats, source: Floats, rows: npt.NDArray[np.int32], first: int, by: int, weights: Floats
) -> None:
    """Add to each of :data:`ROWS` rows of sums that of a row of a matrix with weights.

    Row ``k`` of ``sums``, ``float32[ROWS, width]``, grows by ``source[rows[first + k] + by] @
    weights``, where ``source`` is ``float32[:, depth]`` and ``weights`` is ``float32[depth,
    width]``; the width is a multiple of :data:`LANES`, the depth is 1 or more. Where the processor
    can (FMA), a product and a sum are rounded together: so the last digits depend on it.
    """
    for k in range(ROWS):
        sums[k] += source[rows[first + k] + by] @ weights
