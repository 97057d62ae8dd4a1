"""Dispatchers of kernels: fast ones, or those of stock Numba."""

from __future__ import annotations

from typing import Any

import numba

from ludograph.rules._numba import insides
from ludograph.rules.compilation import Kernel


def dispatcher_of(kernel: Kernel, *, wrapped: bool) -> Any:
    """Return a dispatcher for a kernel.

    Parameters
    ----------
    wrapped
        Whether Python calls the kernel, or only other kernels do.
    """
    if not insides.are_usable():
        return stock_dispatcher(kernel)
    try:
        return fast_dispatcher(kernel, wrapped=wrapped)
    except Exception as error:  # noqa: BLE001  (Numba's internals may raise anything)
        insides.fall_back_after(error)
        return stock_dispatcher(kernel)


def fast_dispatcher(kernel: Kernel, *, wrapped: bool) -> Any:
    """Return a dispatcher without reference counts, with the cache of :mod:`.kernel_cache`."""
    from ludograph.rules._numba import indexing  # noqa: F401  (Numba uses it from now on)
    from ludograph.rules._numba.kernel_cache import KernelCache
    from ludograph.rules._numba.linking import EntryCompiler, LinkedCompiler, check

    check()
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


def stock_dispatcher(kernel: Kernel) -> Any:
    """Return a dispatcher that uses only Numba's interface; nothing is stored on disk."""
    return numba.njit(nogil=True, error_model="numpy")(kernel.python)
