"""Dispatchers of kernels: fast ones, or those of Numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numba

from ludograph.rules._numba import insides


class HasKernel(Protocol):
    """What is compiled, see :class:`ludograph.rules.compilation.Kernel`."""

    python: Callable[..., Any]
    allocates: bool
    inlined: bool


def dispatcher_of(kernel: HasKernel, *, wrapped: bool) -> Any:
    """Return a dispatcher for a kernel.

    Parameters
    ----------
    wrapped
        Whether Python calls it, or only other kernels.
    """
    if not insides.are_usable():
        return stock_dispatcher(kernel)
    try:
        return fast_dispatcher(kernel, wrapped=wrapped)
    except Exception as error:  # noqa: BLE001  (whatever Numba's insides raise)
        insides.fall_back_after(error)
        return stock_dispatcher(kernel)


def fast_dispatcher(kernel: HasKernel, *, wrapped: bool) -> Any:
    """Return a dispatcher without reference counts, tied to the cache that cannot be stale."""
    from ludograph.rules._numba.kernel_cache import KernelCache
    from ludograph.rules._numba.linking import EntryCompiler, LinkedCompiler

    options = {
        "nogil": True,
        "error_model": "numpy",
        "forceinline": kernel.inlined,
        "no_cpython_wrapper": not wrapped,
        "no_cfunc_wrapper": True,
        "_nrt": kernel.allocates,
    }
    pipeline = EntryCompiler if wrapped else LinkedCompiler
    dispatcher = numba.njit(pipeline_class=pipeline, **options)(kernel.python)
    dispatcher._cache = KernelCache(kernel, options)
    return dispatcher


def stock_dispatcher(kernel: HasKernel) -> Any:
    """Return a dispatcher by Numba's interface alone; nothing is kept on disk."""
    return numba.njit(nogil=True, error_model="numpy")(kernel.python)
