"""Fields of records that several threads read and write at once: what Numba lacks.

Each function is one instruction of the processor, seen by all threads in one order; what a thread
wrote before it is there for whoever sees its outcome. They take a record, as ``nodes[index]`` is
one, and the name of a number's field, written out. In plain Python a lock serves instead.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.Lock()


class Atomic(Generic[P, R]):
    """A function that kernels call as one instruction.

    Parameters
    ----------
    python
        What it means, where nobody comes between.
    """

    def __init__(self, python: Callable[P, R]) -> None:
        self.twin = python
        self.__name__ = python.__name__
        self.__doc__ = python.__doc__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do the same in plain Python."""
        with _lock:
            return self.twin(*args, **kwargs)

    @cached_property
    def source(self) -> str:
        """A digest of all that its machine code is made from."""
        here = Path(__file__).parent
        files = (here / f"{name}.py" for name in ("atomic", "atomic_typing"))
        return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

    @cached_property
    def _numba_type_(self) -> Any:
        """How Numba sees it inside of a kernel."""
        from ludograph.rules.atomic_typing import function_type

        return function_type(self, self.__name__)


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
