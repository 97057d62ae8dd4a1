"""Large arrays of zeros whose memory is used as it is written to.

``numpy.zeros`` does that only if the C library maps fresh pages. After arrays of a few MiB have
been freed, the C library reuses their memory for large arrays, and clears all of it: half a second
for a tree of which a short search touches a thousandth.
"""

from __future__ import annotations

import math
import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

LARGE = 1 << 20
"""The least size in bytes of an array with pages of its own."""


APART = 128
"""The distance in bytes to any other array: cache lines come in pairs."""


def kept_apart(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy of a small array whose cache lines no other array shares.

    Two threads that write to their own arrays on one cache line wait for each other at each write.
    """
    gap = -(-APART // array.itemsize)
    padded = np.zeros(array.size + 2 * gap, array.dtype)
    own = padded[gap : gap + array.size]
    own[:] = array
    return own


def make_zeros(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros; a large one returns its memory to the system when deleted."""
    kind = np.dtype(dtype)
    size = math.prod(shape if isinstance(shape, tuple) else (shape,)) * kind.itemsize
    if size < LARGE:
        return np.zeros(shape, kind)
    pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.ndarray(shape, kind, pages)
