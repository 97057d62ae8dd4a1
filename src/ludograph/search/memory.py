"""Large arrays of zeros whose memory is used as it is written to.

``numpy.zeros`` promises that only where the C library maps fresh pages. Once arrays of a few MiB
have come and gone, it carves large ones out of what they left, and clears all of it: half a second
for a tree of which a short search touches a thousandth.
"""

from __future__ import annotations

import math
import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

LARGE = 1 << 20
"""Bytes from which an array has pages of its own."""


def make_zeros(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros; a large one goes back to the system as soon as it is let go."""
    kind = np.dtype(dtype)
    size = math.prod((shape,) if isinstance(shape, int) else shape) * kind.itemsize
    if size < LARGE:
        return np.zeros(shape, kind)
    pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.ndarray(shape, kind, pages)
