"""Numba's view of :class:`ludograph.rules.intrinsic.Intrinsic` in kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.typing.templates import make_intrinsic_template


def function_type(function: Any, name: str, make: Callable[..., Any]) -> Any:
    """Return the type of a function that is called as instructions.

    Parameters
    ----------
    make
        What ``numba.extending.intrinsic`` takes: it returns the signature for some types, and what
        makes the instructions.
    """
    return types.Function(
        make_intrinsic_template(function, make, name, prefer_literal=True, kwargs={})
    )
