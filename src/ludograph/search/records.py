"""Arrays of records: the nodes and frames of searches.

In a kernel ``nodes[index].value`` is one load; in plain Python it is an attribute of a scalar that
shares the memory of its array. ``nodes["value"]`` is a view of one field of all records, in Python
only.

The memory of large arrays of zeros is used as it is written to. ``numpy.zeros`` does that only if
the C library maps fresh pages. After arrays of a few MiB have been freed, the C library reuses
their memory for large arrays, and clears all of it: half a second for a tree of which a short
search touches a thousandth.
"""

from __future__ import annotations

import functools
import math
import mmap
import operator
from typing import Any, TypeAlias

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


Records: TypeAlias = Any
"""An array of records of one type."""

Record: TypeAlias = Any
"""One of them: it can be written to."""

INTEGER = np.int64
COUNT = np.int32
REAL = np.float64
"""The types of fields; counts in millions of records have 32 bits."""


def make_records(shape: int | tuple[int, ...], fields: list[tuple[str, Any]]) -> Records:
    """Return an array of records with the fields given; its memory is used as it is written to."""
    return make_zeros(shape, record_type(fields))


def record_type(fields: list[tuple[str, Any]]) -> Any:
    """Return the type of such records, for kernels that make arrays of them."""
    names = tuple(name for name, _ in fields)
    return np.dtype((scalar_type(names), np.dtype(fields, align=True)))


@functools.cache
def scalar_type(names: tuple[str, ...]) -> type[np.void]:
    """Return a type of scalars with these fields as attributes.

    The attributes of ``numpy.record`` are looked up in Python and take twenty times as long.
    """
    return type("Record", (np.void,), {name: field(name) for name in names})


def field(name: str) -> property:
    """Return the attribute of a field."""

    def write(record: Any, value: Any) -> None:
        record[name] = value

    return property(operator.itemgetter(name), write)


def make_record(fields: list[tuple[str, Any]]) -> Record:
    """Return a single record, all of its fields 0."""
    return make_records(1, fields)[0]
