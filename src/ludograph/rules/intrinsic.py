"""Functions that are instructions of LLVM in kernels: Numba lacks them, or has slow ones.

A module ``name`` says in Python what such a function means; ``_numba.name`` holds in ``FUNCTIONS``
what ``numba.extending.intrinsic`` takes: which types go in and out, and how the instructions are
made. It needs Numba, and is imported when the first kernel that uses one is compiled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Intrinsic(Generic[P, R]):
    """A function that kernels call as instructions, and Python as it is written.

    Parameters
    ----------
    python
        What it means.
    """

    def __init__(self, python: Callable[P, R]) -> None:
        self.python = python
        self.__name__ = python.__name__
        self.__doc__ = python.__doc__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do the same in plain Python."""
        return self.python(*args, **kwargs)

    @cached_property
    def source(self) -> str:
        """A digest of all that its machine code is made from."""
        here, name = Path(__file__).parent, self.python.__module__.rpartition(".")[2]
        files = (here / f"{part}.py" for part in ("intrinsic", name, f"_numba/{name}"))
        return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

    @cached_property
    def _numba_type_(self) -> Any:
        """How Numba sees it inside of a kernel."""
        from ludograph.rules._numba.intrinsics import function_type

        home = self.python.__module__.rpartition(".")[2]
        made = import_module(f"ludograph.rules._numba.{home}").FUNCTIONS[self.__name__]
        return function_type(self, self.__name__, made)
