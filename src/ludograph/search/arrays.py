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


APART = 128
"""Bytes beside an array in which no other is to be: cache lines come in pairs."""


def kept_apart(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy of a small array whose cache lines no other array shares.

    Two threads that write to arrays of their own on one cache line wait for each other each time.
    """
    gap = -(-APART // array.itemsize)
    room = np.zeros(array.size + 2 * gap, array.dtype)
    own = room[gap : gap + array.size]
    own[:] = array
    return own


def make_zeros(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros; a large one goes back to the system as soon as it is let go."""
    kind = np.dtype(dtype)
    size = math.prod(shape if isinstance(shape, tuple) else (shape,)) * kind.itemsize
    if size < LARGE:
        return np.zeros(shape, kind)
    pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.ndarray(shape, kind, pages)
