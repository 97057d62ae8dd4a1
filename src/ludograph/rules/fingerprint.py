"""A digest of all code and data from which a kernel's machine code is made.

Numba's on-disk cache checks only the file of the called function. The rules of a game are in other
files, so an edited rule would continue to run its old machine code. This digest covers all that the
function can reach (other kernels, the implementations of the generic functions for the given Setup
types, constants), so it changes with each of them. A function that uses anything else is refused:
no cache is better than a stale one.
"""

from __future__ import annotations

import contextlib
import dis
import hashlib
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ludograph.rules.compilation import Kernel
    from ludograph.rules.dispatch import Generic

FOREIGN = frozenset({"numpy", "math", "numba", "builtins", "operator", "cmath"})
"""Packages whose versions numba's own cache key or the interpreter already pins."""


class CannotFingerprint(TypeError):
    """A kernel uses something whose changes the digest cannot notice.

    Attributes
    ----------
    function
        The plain Python function of the kernel.
    reason
        The fault, as the end of a sentence about the function.
    """

    def __init__(self, function: Callable[..., Any], reason: str) -> None:
        super().__init__(f"kernel {function.__qualname__} {reason}")
        self.function = function
        self.reason = reason


def fingerprint(function: Callable[..., Any], setup_types: Iterable[type]) -> str:
    """Return a hex digest of ``function`` and of all that it reaches.

    Parameters
    ----------
    function
        The plain Python function behind a kernel.
    setup_types
        The Setup types among the types of its arguments: they select the implementation of each
        generic function.

    Raises
    ------
    CannotFingerprint
        If a global that the code uses is neither a kernel, a generic function, a plain function,
        a constant nor something of numpy or the standard library's mathematics.
    """
    walk = _Walk(tuple(setup_types))
    walk.function(function)
    return walk.digest.hexdigest()


def reached_functions(kernel: Kernel, setup_types: Iterable[type]) -> Iterable[Callable[..., Any]]:
    """Return the Python functions of a kernel and of all kernels that it reaches.

    If a Setup has a rule of its own, the replaced default does not count.
    """
    walk = _Reach(tuple(setup_types))
    with contextlib.suppress(CannotFingerprint):
        walk.kernel(kernel)
    return walk.functions


class _Walk:
    """One traversal; every function is visited once, in an order fixed by the code itself."""

    def __init__(self, setup_types: tuple[type, ...]) -> None:
        self.digest = hashlib.sha256()
        self.setup_types = setup_types
        self.seen: set[int] = set()

    def note(self, *parts: object) -> None:
        self.digest.update("\x1f".join(map(str, parts)).encode() + b"\x1e")

    def function(self, function: Callable[..., Any]) -> None:
        if id(function) in self.seen:
            return
        self.seen.add(id(function))
        if getattr(function, "__closure__", None):
            raise CannotFingerprint(function, "is a closure: kernels stand at module level")
        self.note("function", function.__module__, function.__qualname__, function.__defaults__)
        self.code(function.__code__, function)

    def code(self, code: types.CodeType, function: Callable[..., Any]) -> None:
        self.note("code", code.co_argcount, code.co_varnames)
        self.digest.update(code.co_code)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.code(constant, function)
            else:
                self.note("constant", repr(constant))
        namespace = function.__globals__
        for name in code.co_names:
            self.note("name", name)
            if name in namespace:
                self.value(namespace[name], name, code, function)
            # Otherwise it is a built-in, or an attribute of an object that is digested under its
            # name.

    def value(
        self, value: Any, name: str, code: types.CodeType, function: Callable[..., Any]
    ) -> None:
        if value is None or isinstance(value, bool | int | float | complex | str | np.generic):
            self.note("value", type(value).__name__, repr(value))
        elif isinstance(value, np.dtype):
            self.note("dtype", value.descr, value.itemsize)
        elif isinstance(value, np.ndarray):
            self.note("array", value.dtype, value.shape)
            self.digest.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, tuple):
            for item in value:
                self.value(item, name, code, function)
        elif is_foreign(value):
            self.note("foreign", getattr(value, "__qualname__", getattr(value, "__name__", name)))
        elif isinstance(value, types.ModuleType):
            self.module(value, code, function)
        elif isinstance(value, type) and hasattr(value, "_fields"):
            self.note("fields", value.__qualname__, value._fields)
        elif not self.callee(value) and _is_global(code, name):
            raise CannotFingerprint(
                function,
                f"uses the global {name!r} of type {type(value).__name__}, whose changes its "
                "compiled form could not notice; use numbers, texts, tuples and NumPy arrays",
            )

    def callee(self, value: Any) -> bool:
        """Add something that a kernel can call to the digest; False if it is something else.

        One attribute tells what it is: a check of a whole protocol takes as long as the rest of a
        walk. A ``source`` is the digest of machine code that is not made from a kernel.
        """
        if hasattr(value, "source"):
            self.note("source", value.source)
        elif hasattr(value, "implementations"):
            self.generic(value)
        elif hasattr(value, "python"):
            self.kernel(value)
        elif isinstance(value, types.FunctionType):
            self.function(value)
        else:
            return False
        return True

    def module(
        self, module: types.ModuleType, code: types.CodeType, function: Callable[..., Any]
    ) -> None:
        """``layout.TURN`` inside a kernel: the attributes used are among the code's names."""
        for name in code.co_names:
            if hasattr(module, name):
                self.note("attribute", module.__name__, name)
                self.value(getattr(module, name), name, code, function)

    def generic(self, generic: Generic) -> None:
        self.note("generic", generic.__name__)
        for kernel in generic.implementations(self.setup_types):
            self.kernel(kernel)

    def kernel(self, kernel: Kernel) -> None:
        self.note("kernel", kernel.allocates, kernel.inlined)
        self.function(kernel.python)


class _Reach(_Walk):
    """A walk that keeps the functions of the kernels it meets."""

    def __init__(self, setup_types: tuple[type, ...]) -> None:
        super().__init__(setup_types)
        self.functions: dict[Callable[..., Any], None] = {}

    def generic(self, generic: Generic) -> None:
        found = list(generic.implementations(self.setup_types))
        own = [kernel for kernel in found if kernel is not generic.default]
        for kernel in own or found:
            self.kernel(kernel)

    def kernel(self, kernel: Kernel) -> None:
        self.functions[kernel.python] = None
        super().kernel(kernel)


def is_foreign(value: Any) -> bool:
    """Tell whether something is of a library whose version is pinned, see :data:`FOREIGN`."""
    if isinstance(value, types.ModuleType):
        return value.__name__.partition(".")[0] in FOREIGN
    if isinstance(value, types.BuiltinFunctionType | np.ufunc):
        return True
    module = getattr(value, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] in FOREIGN


def _is_global(code: types.CodeType, name: str) -> bool:
    """Tell a use of a global from an attribute that happens to have the same name."""
    return any(
        instruction.opname == "LOAD_GLOBAL" and instruction.argval == name
        for instruction in dis.get_instructions(code)
    )
