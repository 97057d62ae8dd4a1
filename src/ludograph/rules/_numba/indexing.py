"""Indexing in kernels: a variable index never counts from the end of its array.

A constant index such as ``a[-1]`` means the last element, as everywhere. For every other signed
index Numba tests whether it is negative, and adds the array's length if so. A ply reads dozens of
slots by indices that were read from other slots, so the compiler cannot omit the test. It took up
to a quarter of the time of a random game.

Run tests with ``NUMBA_BOUNDSCHECK=1`` to have every index of every kernel checked.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator
from typing import Any

_local = threading.local()


@contextlib.contextmanager
def taken_as_they_are() -> Iterator[None]:
    """Omit this test in kernels that do not allocate and are compiled in this thread meanwhile."""
    leave_out_wraparound()
    _local.kernels = getattr(_local, "kernels", 0) + 1
    try:
        yield
    finally:
        _local.kernels -= 1


@functools.cache
def leave_out_wraparound() -> None:
    """Replace Numba's function that makes the test by one that omits it for our kernels.

    All other functions that this process compiles have the test, whatever their options.
    """
    from numba.core import types
    from numba.np import arrayobj

    original = arrayobj.fix_integer_index

    def fix_integer_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
        is_ours = getattr(_local, "kernels", 0) > 0 and not context.enable_nrt
        if not is_ours or is_constant(index):
            return original(context, builder, kind, index, size)
        return context.cast(builder, index, kind, types.intp)

    arrayobj.fix_integer_index = fix_integer_index


def is_constant(value: Any) -> bool:
    """Tell whether an index is a number in the source, alone or in a tuple of indices."""
    from llvmlite import ir
    from llvmlite.ir.instructions import ExtractValue, InsertValue

    if isinstance(value, ExtractValue):
        (place,) = value.indices
        tuple_ = value.operands[0]
        while isinstance(tuple_, InsertValue):
            if tuple(tuple_.indices) == (place,):
                return is_constant(tuple_.operands[1])
            tuple_ = tuple_.operands[0]
        return isinstance(tuple_, ir.Constant)
    return isinstance(value, ir.Constant)
