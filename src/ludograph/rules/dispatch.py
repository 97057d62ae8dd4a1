"""Generic functions: one name, one implementation per Setup type, from Python and in kernels.

From Python a generic function looks at ``type(setup)``. Inside a kernel Numba looks at the type
of ``setup`` while it compiles, so the call is direct: one search, compiled for each game, runs as
fast as if it had been written for it.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, TypeVar, cast

from ludograph.rules.compilation import Kernel

F = TypeVar("F", bound=Callable[..., Any])

INLINED = ("play", "sample_move")
"""What loops over moves call: handing over a Setup of many arrays can cost more than the move."""

_generics: list[Generic] = []
_numba_knows: set[str] = set()


class Generic:
    """A function whose first argument, a Setup, decides which implementation runs."""

    def __init__(self, function: Callable[..., Any], *, has_default: bool) -> None:
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self.signature = inspect.signature(function)
        self.default = Kernel(function) if has_default else None
        self.kernels: dict[type, Kernel] = {}
        _generics.append(self)

    def __call__(self, setup: Any, *args: Any) -> Any:
        """Run the rule of this Setup type, compiled; its first call may wait for the compiler."""
        kernel = self.kernels.get(type(setup)) or self.default
        if kernel is None:
            raise NotImplementedError(f"{self.__name__} has no rule for {type(setup).__name__}")
        return kernel(setup, *args)

    def __repr__(self) -> str:
        return f"<generic {self.__module__}.{self.__name__}>"

    def source(self, setup_type: type | None) -> Callable[..., Any] | None:
        """Return the plain function that runs for ``setup_type``, or the default for None."""
        kernel = self.kernels.get(setup_type) if setup_type is not None else self.default
        return kernel.python if kernel is not None else None


def generic(function: F) -> F:
    """Declare a generic function without a default; the body is its documentation."""
    return cast(F, Generic(function, has_default=False))


def generic_with_default(function: F) -> F:
    """Declare a generic function whose body serves every Setup that has no better one."""
    return cast(F, Generic(function, has_default=True))


def implements(function: Callable[..., Any], setup_type: type) -> Callable[[F], F]:
    """Register what follows as the rule that ``function`` runs for Setups of ``setup_type``.

    Raises
    ------
    TypeError
        If ``function`` is not generic, the Setup type is not a ``NamedTuple``, the parameters
        have other names, or the rule exists already.
    """
    if not isinstance(function, Generic):
        raise TypeError(f"{function!r} is not a generic function of the rule contract")
    if not (issubclass(setup_type, tuple) and hasattr(setup_type, "_fields")):
        raise TypeError(f"{setup_type.__name__} is not a NamedTuple, so it cannot be a Setup")
    if setup_type in function.kernels:
        raise TypeError(f"{function.__name__} has a rule for {setup_type.__name__} already")

    def register(implementation: F) -> F:
        names = list(inspect.signature(implementation).parameters)
        expected = list(function.signature.parameters)
        if names != expected:
            raise TypeError(
                f"{implementation.__name__}{tuple(names)} must have the parameters of "
                f"{function.__name__}: {tuple(expected)}"
            )
        kernel = Kernel(implementation)
        function.kernels[setup_type] = kernel
        return cast(F, kernel)

    return register


def register_all() -> None:
    """Tell Numba about every generic function; called before anything is compiled."""
    for function in _generics:
        key = f"{function.__module__}.{function.__name__}"
        if key not in _numba_knows:
            _numba_knows.add(key)
            _register(function)


def _register(function: Generic) -> None:
    from numba.core.errors import TypingError
    from numba.core.types import BaseNamedTuple
    from numba.extending import overload

    def select(*args: Any, **kwargs: Any) -> Callable[..., Any]:
        setup = args[0] if args else kwargs[next(iter(function.signature.parameters))]
        # A NamedTuple whose fields all have one type is another class in Numba; both share this.
        if not isinstance(setup, BaseNamedTuple):
            raise TypingError(f"{function.__name__}: the first argument is no Setup but {setup}")
        implementation = function.source(setup.instance_class) or function.source(None)
        if implementation is None:
            raise TypingError(
                f"{function.__name__} has no rule for {setup.instance_class.__name__}"
            )
        return without_annotations(implementation)

    select.__signature__ = inspect.signature(  # type: ignore[attr-defined]
        without_annotations(function.__wrapped__)
    )
    options = {"nogil": True, "error_model": "numpy", "forceinline": function.__name__ in INLINED}
    overload(function, jit_options=options)(select)


@functools.cache
def without_annotations(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a twin of a function: Numba compares signatures, the annotations included."""
    return types.FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
    )
