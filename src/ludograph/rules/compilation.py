"""Plain Python functions compiled by Numba, with machine code on disk that is never stale.

``@compiled`` makes a :class:`Kernel`. Nothing is imported or compiled until a kernel is called,
so that ``--help`` does not wait for a compiler. A kernel is found again on disk by later
processes; its key there holds a digest of everything it was made from, see
:mod:`ludograph.rules.fingerprint`.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np

from ludograph.rules.fingerprint import fingerprint

F = TypeVar("F", bound=Callable[..., Any])

_interpreted = False


class Kernel:
    """A function over flat arrays, compiled at its first call.

    Parameters
    ----------
    python
        The plain function.
    allocates
        Whether it may make arrays. Other kernels are compiled without Numba's runtime: they count
        no references, which makes it free to hand a Setup on, and cannot allocate.
    inlined
        Whether its machine code goes into its callers as it is.

    Attributes
    ----------
    python
        The plain Python function, which means the same and is slow.
    """

    def __init__(
        self, python: Callable[..., Any], *, allocates: bool = False, inlined: bool = False
    ) -> None:
        self.python = python
        self.allocates = allocates
        self.inlined = inlined
        self.__wrapped__ = python
        self.__name__ = python.__name__
        self.__module__ = python.__module__
        self.__doc__ = python.__doc__
        self._entry: Any = None
        self._callee: Any = None

    def __call__(self, *args: Any) -> Any:
        """Run the machine code; compile it, or load it from disk, at the first call."""
        if _interpreted:
            return self.python(*args)
        try:
            return self.entry(*args)
        except BaseException:
            announcer.abandon()
            raise

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__name__}>"

    @property
    def entry(self) -> Any:
        """Numba's dispatcher for calls from Python."""
        if self._entry is None:
            self._entry = _dispatcher(self, wrapped=True)
        return self._entry

    @property
    def callee(self) -> Any:
        """Numba's dispatcher for calls from other kernels.

        It lacks the wrappers by which Python calls machine code. They take arguments of many arrays
        apart, and to make them takes as long as to compile a small kernel.
        """
        if self._callee is None:
            self._callee = _dispatcher(self, wrapped=False)
        return self._callee

    @property
    def _numba_type_(self) -> Any:
        """How Numba sees a kernel that another kernel calls."""
        from ludograph.rules.typing import KernelType

        return KernelType(self.callee)


@overload
def compiled(function: F) -> F: ...


@overload
def compiled(
    *, allocates: bool = False, inlined: bool = False
) -> Callable[[F], F]: ...


def compiled(function: Any = None, *, allocates: bool = False, inlined: bool = False) -> Any:
    """Make a kernel of a module-level function; it may call kernels and generic functions only.

    ``@compiled(allocates=True)`` allows it to make arrays; a comment should say why it must.
    """
    if function is None:
        return functools.partial(compiled, allocates=allocates, inlined=inlined)
    return Kernel(function, allocates=allocates, inlined=inlined)


@contextlib.contextmanager
def interpreted() -> Iterator[None]:
    """Run kernels as plain Python inside this block: for tests, coverage and debuggers.

    It holds for all threads. Unsigned arithmetic wraps around as it does in machine code.
    """
    global _interpreted  # noqa: PLW0603
    before, _interpreted = _interpreted, True
    try:
        with np.errstate(over="ignore"):
            yield
    finally:
        _interpreted = before


def _dispatcher(kernel: Kernel, *, wrapped: bool) -> Any:
    """Return a dispatcher of Numba's for a kernel, tied to the cache that cannot be stale."""
    import numba

    options = {
        "nogil": True,
        "error_model": "numpy",
        "forceinline": kernel.inlined,
        "no_cpython_wrapper": not wrapped,
        "no_cfunc_wrapper": True,
    }
    if can_leave_out_runtime():
        options["_nrt"] = kernel.allocates
    dispatcher = numba.njit(**options)(kernel.python)
    try:
        dispatcher._cache = _cache_class()(kernel.python)
        dispatcher._cache.options = tuple(sorted(options.items()))
    except RuntimeError:  # no folder to write to
        dispatcher._cache = _no_cache(kernel.__name__)
    return dispatcher


@functools.cache
def can_leave_out_runtime() -> bool:
    """Tell whether this Numba knows its internal option ``_nrt``; without it kernels are slower."""
    from numba.core.cpu import CPUTargetOptions

    return hasattr(CPUTargetOptions, "_nrt")


def _no_cache(name: str) -> Any:
    """Return what stands for a cache where none can be: compiling is announced all the same."""
    from numba.core.caching import NullCache

    class NoCache(NullCache):  # type: ignore[misc]
        def load_overload(self, sig: Any, target_context: Any) -> None:  # noqa: ARG002
            announcer.begin(name, kept=False)

        def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ARG002
            announcer.end()

    return NoCache()


@functools.cache
def compiler_digest() -> str:
    """Return a digest of how kernels are compiled: the options stand in these two files."""
    folder = Path(__file__).parent
    files = (folder / "compilation.py", folder / "typing.py")
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


_cache_type: type | None = None


def _cache_class() -> type:
    """Define the cache when Numba is there at last."""
    global _cache_type  # noqa: PLW0603
    if _cache_type is not None:
        return _cache_type
    from numba.core import types
    from numba.core.caching import FunctionCache, IndexDataCacheFile

    class FreshCache(FunctionCache):  # type: ignore[misc]
        """Numba's file cache with a key that knows all that the code was made from."""

        options: tuple[object, ...] = ()

        def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
            setups = [
                argument.instance_class
                for argument in sig
                if isinstance(argument, types.BaseNamedTuple)
            ]
            return (
                sig,
                codegen.magic_tuple(),
                fingerprint(self._py_func, setups),
                self.options,
                compiler_digest(),
            )

        def _file_for(self, sig: Any, codegen: Any) -> Any:
            """One index per key: in a common one a Setup type of a package that another process
            cannot import would stop that process, and two that save at once would mix up data.
            """
            sig, *rest = self._index_key(sig, codegen)
            digest = hashlib.sha256(repr((str(sig), rest)).encode()).hexdigest()[:16]
            return IndexDataCacheFile(
                cache_path=self._cache_path,
                filename_base=f"{self._impl.filename_base}-{digest}",
                source_stamp=self._impl.locator.get_source_stamp(),
            )

        def _load_overload(self, sig: Any, target_context: Any) -> Any:
            self._cache_file = self._file_for(sig, target_context.codegen())
            return super()._load_overload(sig, target_context)

        def _save_overload(self, sig: Any, data: Any) -> None:
            self._cache_file = self._file_for(sig, data.codegen)
            super()._save_overload(sig, data)

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            found = super().load_overload(sig, target_context)
            if found is None:
                announcer.begin(self._py_func.__name__)
            return found

        def save_overload(self, sig: Any, data: Any) -> None:
            try:
                super().save_overload(sig, data)
            finally:
                announcer.end()

    _cache_type = FreshCache
    return FreshCache


class Announcer:
    """Says on standard error that a first compilation is under way: never a silent wait.

    Only the outermost kernel is announced; those that it calls are compiled inside its time.
    """

    def __init__(self) -> None:
        self.enabled = True
        self._local = threading.local()

    def begin(self, name: str, *, kept: bool = True) -> None:
        """A compilation of kernel ``name`` begins in this thread.

        Parameters
        ----------
        kept
            Whether its machine code will be found again by later processes.
        """
        self._local.depth = depth = getattr(self._local, "depth", 0) + 1
        if depth == 1:
            self._local.started = time.perf_counter()
            when = "only this once" if kept else "again in each process: no folder to keep it in"
            self._say(f"compiling {name} ({when}) ... ")

    def end(self) -> None:
        """The compilation begun last in this thread is done."""
        self._local.depth = depth = max(0, getattr(self._local, "depth", 1) - 1)
        if depth == 0:
            self._say(f"{time.perf_counter() - self._local.started:.1f} s\n")

    def abandon(self) -> None:
        """What was being compiled in this thread has failed."""
        if getattr(self._local, "depth", 0):
            self._local.depth = 0
            self._say("failed\n")

    def _say(self, text: str) -> None:
        if self.enabled and sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()


announcer = Announcer()
