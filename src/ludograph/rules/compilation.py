"""Plain Python functions compiled by Numba, with machine code on disk that is never stale.

``@compiled`` makes a :class:`Kernel`. Nothing is imported or compiled until a kernel is called,
so that ``--help`` does not wait for a compiler. Later processes find a kernel again on disk, see
:mod:`ludograph.rules.cache`.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, overload

import numpy as np

from ludograph.rules.announcer import announcer
from ludograph.rules.compile_errors import (
    CannotCompile,
    cannot_compile,
    has_wrong_fields,
    is_of_missing_name,
    missing_name,
    not_kept,
    unfit_setup,
)
from ludograph.rules.fingerprint import CannotFingerprint, reached_functions
from ludograph.rules.turns import turns

F = TypeVar("F", bound=Callable[..., Any])

_interpreted = False

_kernels: weakref.WeakSet[Kernel] = weakref.WeakSet()
"""All kernels of this process."""

holders: weakref.WeakSet[Any] = weakref.WeakSet()
"""Objects that hold machine code of kernels, and have a method ``forget`` to drop it."""


class Kernel:
    """A function over flat arrays, compiled at its first call.

    Parameters
    ----------
    python
        The plain function.
    allocates
        Whether it may make arrays. Other kernels are compiled without Numba's runtime: they count
        no references, which makes it free to hand a Setup on, and cannot allocate; nor do their
        indices count from the end, see :mod:`ludograph.rules._numba.indexing`.
    inlined
        Whether its machine code goes into its callers as it is.

    Attributes
    ----------
    python
        The plain Python function, which means the same and is slow.
    """

    __name__: str

    def __init__(
        self, python: Callable[..., Any], *, allocates: bool = False, inlined: bool = False
    ) -> None:
        self.python = python
        self.allocates = allocates
        self.inlined = inlined
        functools.update_wrapper(self, python)
        self._entries: dict[type, Any] = {}
        self._callee: Any = None
        _kernels.add(self)

    def __call__(self, *args: Any) -> Any:
        """Run the machine code; compile it, or load it from disk, at the first call.

        Raises
        ------
        CannotCompile
            If the compiler refuses this kernel or one that it calls; says where and why.
        """
        if _interpreted:
            return self.python(*args)
        kind = type(args[0]) if args else type(None)
        try:
            return (self._entries.get(kind) or self.entry(kind))(*args)
        except BaseException as error:
            announcer.abandon()
            turns.abandon()
            if (explained := self._explained(error, args)) is not None:
                raise explained from None
            if _fell_back(error):
                return self(*args)
            raise

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__name__}>"

    def entry(self, kind: type) -> Any:
        """Return Numba's dispatcher for calls from Python with a first argument of a type.

        Every Setup type has one of its own: a dispatcher takes named tuples of one name and alike
        fields for one type, wherever their classes stand.
        """
        if kind not in self._entries:
            shared = kind if hasattr(kind, "_fields") else type(None)
            if shared not in self._entries:
                self._entries[shared] = self._dispatcher(wrapped=True)
            self._entries[kind] = self._entries[shared]
        return self._entries[kind]

    @property
    def callee(self) -> Any:
        """Numba's dispatcher for calls from other kernels.

        It lacks the wrappers by which Python calls machine code. They take arguments of many arrays
        apart, and to make them takes as long as to compile a small kernel.
        """
        if self._callee is None:
            self._callee = self._dispatcher(wrapped=False)
        return self._callee

    def code_for(self, *args: Any) -> Callable[..., Any] | None:
        """Return the machine code for arguments of these types; it does not check their types.

        None if no call with such arguments has compiled it.
        """
        dispatcher = self.entry(type(args[0]))
        compiled_code = dispatcher.overloads.get(tuple(map(dispatcher.typeof_pyval, args)))
        return None if compiled_code is None else compiled_code.entry_point

    def forget_code(self) -> None:
        """Drop what was compiled: it is compiled again at the next call."""
        self._entries.clear()
        self._callee = None
        _forget_held()

    def _explained(self, error: BaseException, args: tuple[Any, ...]) -> CannotCompile | None:
        """Return the sentence for what the compiler says of what is compiled; None for the rest."""
        insides: Any = sys.modules.get("ludograph.rules._numba.insides")
        if insides is None or not isinstance(error, Exception):
            return None
        setups = [value for value in args if hasattr(value, "_fields")]
        unfit = (unfit_setup(self.python, setup) for setup in setups)
        if (refused := next(filter(None, unfit), None)) is not None:
            return refused
        setup_types = [type(setup) for setup in setups]
        if isinstance(error, CannotFingerprint):
            return not_kept(error)
        missing = None
        if is_of_missing_name(error):
            missing = missing_name(reached_functions(self, setup_types))
        if isinstance(error, insides.of_kernels()) or has_wrong_fields(error):
            return missing or cannot_compile(self.python, error, setup_types)
        return missing

    def _dispatcher(self, *, wrapped: bool) -> Any:
        from ludograph.rules._numba.dispatchers import dispatcher_of

        return dispatcher_of(self, wrapped=wrapped)

    @property
    def _numba_type_(self) -> Any:
        """How Numba sees a kernel that another kernel calls."""
        from ludograph.rules._numba.typing import KernelType

        return KernelType(self.callee)


@overload
def compiled(function: F) -> F: ...


@overload
def compiled(*, allocates: bool = False, inlined: bool = False) -> Callable[[F], F]: ...


def compiled(function: Any = None, *, allocates: bool = False, inlined: bool = False) -> Any:
    """Make a kernel of a module-level function; it may call kernels and generic functions only.

    ``@compiled(allocates=True)`` allows it to make arrays; a comment should say why it must.
    ``@compiled(inlined=True)`` is for short kernels that a ply calls often.
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
    _forget_held()
    try:
        with np.errstate(over="ignore"):
            yield
    finally:
        _interpreted = before


def _forget_held() -> None:
    for holder in list(holders):
        holder.forget()


def are_interpreted() -> bool:
    """Tell whether kernels run as plain Python now."""
    return _interpreted


def _fell_back(error: BaseException) -> bool:
    """Fall back to stock Numba if an error comes from its insides; tell whether it did."""
    insides: Any = sys.modules.get("ludograph.rules._numba.insides")
    if insides is None or not insides.have_failed(error):
        return False
    insides.fall_back_after(error)
    for kernel in _kernels:
        kernel.forget_code()
    return True
