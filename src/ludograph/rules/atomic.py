"""Atomic access to fields of records by several threads, which Numba lacks.

Each function is one instruction of the processor, seen by all threads in one order; what a thread
wrote before it is visible where its outcome is seen. They take a record, as ``nodes[index]`` is
one, and the name of a number's field, written out. In plain Python a lock serves instead.
"""

from __future__ import annotations

import threading
from typing import Any

from ludograph.rules.intrinsic import Intrinsic, P, R

_lock = threading.Lock()


class Atomic(Intrinsic[P, R]):
    """A function that kernels call as one instruction."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do the same in plain Python, where nobody comes between."""
        with _lock:
            return self.python(*args, **kwargs)


@Atomic
def load(record: Any, field: str) -> Any:
    """Return what a field holds now."""
    return record[field]


@Atomic
def store(record: Any, field: str, value: Any) -> None:
    """Write to a field."""
    record[field] = value


@Atomic
def swap_if(record: Any, field: str, old: Any, new: Any) -> bool:
    """Write to a field if it holds ``old``; tell whether it did."""
    if record[field] != old:
        return False
    record[field] = new
    return True
