"""The type of :class:`ludograph.rules.intrinsic.Intrinsic` for Numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.core.typing.templates import make_intrinsic_template


def function_type(function: Any, name: str, make: Callable[..., Any]) -> Any:
    """Return the type of a function whose calls are replaced by instructions.

    Parameters
    ----------
    make
        The argument of ``numba.extending.intrinsic``: a function that returns, for some types, the
        signature and the generator of the instructions.
    """
    return types.Function(
        make_intrinsic_template(function, make, name, prefer_literal=True, kwargs={})
    )
