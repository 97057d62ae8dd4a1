"""Generic functions: one name, one implementation per Setup type, from Python and in kernels.

From Python a generic function uses ``type(setup)``. Inside a kernel Numba uses the type of
``setup`` during compilation, so the call is direct: one search, compiled for each game, is as fast
as one written for that game (see :mod:`ludograph.rules._numba.typing`).
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

from ludograph.errors import GameFault
from ludograph.rules.compilation import Kernel
from ludograph.rules.compile_errors import lacks_return, not_a_rule

F = TypeVar("F", bound=Callable[..., Any])

INLINED = ("play", "sample_move")
"""The generic functions that loops over moves call."""

RULES_WITH_DEFAULT = ("weights", "drop")
"""Generic functions that define how a game is played although they have a default; all others with
a default follow from the rules."""

DESCRIPTIONS = ("observation", "observe", "touch")
"""Generic functions that describe states and moves: a variant uses those of its base."""

RETURNED = {
    "info": "rules.GameInfo(...)",
    "key": "a 64-bit hash",
    "legal_moves": "the number of moves",
    "observation": "rules.ObservationInfo(...)",
    "sample_move": "the code of a move",
}
"""What rules return, for authors that forget it."""

_generics: list[Generic] = []
_registered: set[type] = set()


class Generic:
    """A function whose first argument, a Setup, decides which implementation runs."""

    __name__: str

    def __init__(self, function: Callable[..., Any], default: Kernel | None) -> None:
        functools.update_wrapper(self, function)
        self.signature = inspect.signature(function)
        self.default = default
        self.kernels: dict[type, Kernel] = {}
        _generics.append(self)

    def __call__(self, setup: Any, *args: Any) -> Any:
        """Run the rule of this Setup type, compiled; its first call may wait for the compiler."""
        kernel = self.kernel(type(setup))
        if kernel is None:
            if hasattr(setup, "_fields"):
                check_registered(type(setup))
            raise NotImplementedError(f"{self.__name__} has no rule for {type(setup).__name__}")
        return kernel(setup, *args)

    def code_for(self, setup: Any, *args: Any) -> Callable[..., Any] | None:
        """Return the machine code of this Setup's rule, see :meth:`Kernel.code_for`."""
        kernel = self.kernel(type(setup))
        return None if kernel is None else kernel.code_for(setup, *args)

    def __repr__(self) -> str:
        return f"<rule {self.__module__}.{self.__name__}({', '.join(self.signature.parameters)})>"

    @property
    def returns(self) -> bool:
        """Whether it returns a value."""
        return self.signature.return_annotation not in (None, "None")

    @property
    def purpose(self) -> str:
        """What it returns, for messages."""
        kind = self.signature.return_annotation
        return f"{self.__name__} must return {RETURNED.get(self.__name__, f'a value: {kind}')}"

    def kernel(self, setup_type: type) -> Kernel | None:
        """Return the rule that runs for Setups of a type: the game's own, or the default.

        Raises
        ------
        NotImplementedError
            If it would be the default of a Setup type that is not registered: its own rule may be
            in a module that was not imported.
        """
        own = self.kernels.get(setup_type)
        if own is None and self.default is not None and setup_type not in _registered:
            raise NotImplementedError(
                f"{self.__name__}: {setup_type.__name__} is not registered; call "
                f"register({setup_type.__name__}, ...) where all its rules are imported"
            )
        return own or self.default

    def implementations(self, setup_types: Iterable[type]) -> Iterator[Kernel]:
        """Yield the rules that can run for Setups of these types, the default included."""
        for setup_type in setup_types:
            if setup_type in self.kernels:
                yield self.kernels[setup_type]
        if self.default is not None:
            yield self.default

    @property
    def is_rule(self) -> bool:
        """Whether it defines how a game is played, and does not follow from the rules."""
        return self.default is None or self.__name__ in RULES_WITH_DEFAULT

    @property
    def _numba_type_(self) -> Any:
        """How Numba sees a generic function that a kernel calls."""
        from ludograph.rules._numba.typing import GenericType

        return GenericType(self)


def generic(function: F) -> F:
    """Declare a generic function without a default; the body is its documentation."""
    return cast(F, Generic(function, None))


def generic_with_default(function: F) -> F:
    """Declare a generic function whose body is used for every Setup without its own rule."""
    return cast(F, Generic(function, Kernel(function)))


def generic_that_allocates(function: F) -> F:
    """Do the same for a body that makes arrays, see :class:`ludograph.rules.compilation.Kernel`."""
    return cast(F, Generic(function, Kernel(function, allocates=True)))


def register(
    setup_type: type, *replacing: Callable[..., Any], otherwise: str | type | None = None
) -> None:
    """Declare that a Setup type has all its rules.

    A generic function uses its default only for a registered Setup type, so a default never
    silently replaces a rule in a module that was not imported.

    Parameters
    ----------
    replacing
        All rules of this Setup that replace a default.
    otherwise
        Another Setup, whose rules and observations this one uses if it has none of its own: the
        Setup type from which this one derives, or the field with a Setup of another type. Functions
        that follow from the rules (evaluations, playouts, hints for searches) are used too, unless
        this Setup has other rules: then the defaults hold.

    Raises
    ------
    TypeError
        If a rule is missing that has no default, or one replaces a default and is not named; if
        the other Setup type is not registered, or this one does not derive from it or has further
        fields.
    """
    name = setup_type.__name__
    if setup_type in _registered:
        raise TypeError(f"{name} is registered already")
    own = [each for each in _generics if setup_type in each.kernels]
    found = [each.kernels[setup_type] for each in own if each.default is not None]
    if strangers := [each for each in replacing if each not in found]:
        raise TypeError(f"{names_of(strangers)} replaces no default for {name}")
    if unnamed := [each for each in found if each not in replacing]:
        raise TypeError(f"{names_of(unnamed)} of {name} is not named by register()")
    if isinstance(otherwise, type):
        _check_derived(setup_type, otherwise)
        _pass_on(setup_type, otherwise, lambda function: function.kernels[otherwise].python)
    elif otherwise is not None:
        inner = typing.get_type_hints(setup_type)[otherwise]
        _pass_on(setup_type, inner, functools.partial(_of_field, setup_type, otherwise))
    elif not own:
        raise TypeError(f"{name} has no rules at all")
    contracts = {each.__module__ for each in own}
    missing = [
        each
        for each in _generics
        if each.default is None and each.__module__ in contracts and setup_type not in each.kernels
    ]
    if missing:
        raise TypeError(f"{name} has no rule for {names_of(missing)}")
    _registered.add(setup_type)


def check_registered(setup_type: type) -> None:
    """Raise GameFault unless a Setup type is registered, so that all of its rules are there."""
    if setup_type not in _registered:
        name, base = setup_type.__name__, setup_type.__base__
        others = f", otherwise={base.__name__}" if base in _registered else ""
        raise GameFault(
            f"{name} is not registered; call rules.register({name}{others}) after its last rule"
        )


def same_rules(setup_type: type, other: type) -> bool:
    """Tell whether Setups of two types are played by the very same rules.

    Only then a proof for the one holds for the other.
    """
    return setup_type is other or all(
        _python(function.kernels.get(setup_type)) is _python(function.kernels.get(other))
        for function in _generics
        if function.is_rule
    )


def _python(kernel: Kernel | None) -> Callable[..., Any] | None:
    return None if kernel is None else kernel.python


def names_of(functions: Iterable[Callable[..., Any]]) -> str:
    """Return the names of functions in a list."""
    return ", ".join(sorted(function.__name__ for function in functions))


def _check_derived(setup_type: type, base: type) -> None:
    """Raise TypeError unless a Setup type only gives another name to a registered one."""
    name, other = setup_type.__name__, base.__name__
    if not issubclass(setup_type, base):
        raise TypeError(f"{name} does not derive from {other}")
    if base not in _registered:
        raise TypeError(f"{other} is not registered: import the module of its game first")
    if further := list(inspect.get_annotations(setup_type)):
        raise TypeError(
            f"{name} has the fields of {other} and no others, so not {', '.join(further)}; "
            "a NamedTuple of its own with the other Setup in a field can have more"
        )


def _pass_on(
    setup_type: type, base: type, rule_of: Callable[[Generic], Callable[..., Any]]
) -> None:
    """Add the rules that a Setup type lacks and another type has, made by ``rule_of``."""
    varies = any(function.is_rule and setup_type in function.kernels for function in _generics)
    for function in _generics:
        if varies and not function.is_rule and function.__name__ not in DESCRIPTIONS:
            continue
        if base in function.kernels and setup_type not in function.kernels:
            allocates = function.kernels[base].allocates
            implements(function, setup_type, allocates=allocates)(rule_of(function))


def _of_field(setup_type: type, field: str, function: Generic) -> Callable[..., Any]:
    """Return a rule that calls the rule of the Setup in a field.

    Its source is made here, because Numba reads the field's name and the parameters in it: a kernel
    with ``*args`` has no parameters by name, and one that finds the field's name in a closure has
    no fingerprint, so its machine code could not be stored.
    """
    names = list(function.signature.parameters)
    handed = ", ".join([f"{names[0]}.{field}", *names[1:]])
    title = f"{setup_type.__name__}_{function.__name__}"
    space: dict[str, Any] = {"rule": function, "__name__": setup_type.__module__}
    exec(f"def {title}({', '.join(names)}):\n    return rule({handed})\n", space)
    rule: Callable[..., Any] = space[title]
    return rule


def implements(
    function: Callable[..., Any], setup_type: type, *, allocates: bool = False
) -> Callable[[F], F]:
    """Register the decorated function as the rule of ``function`` for Setups of ``setup_type``.

    Raises
    ------
    TypeError
        If ``function`` is not generic, the Setup type is not a ``NamedTuple`` or is registered as
        complete, the parameters have other names, or the rule exists already.
    CannotCompile
        If the rule is a generator or a coroutine, or can end without a value that it must return.

    See Also
    --------
    ludograph.rules.compilation.Kernel : what ``allocates`` means.
    """
    if not isinstance(function, Generic):
        raise TypeError(f"{function!r} is not a generic function of the rule contract")
    if not (issubclass(setup_type, tuple) and hasattr(setup_type, "_fields")):
        raise TypeError(f"{setup_type.__name__} is not a NamedTuple, so it cannot be a Setup")
    if setup_type in function.kernels:
        raise TypeError(f"{function.__name__} has a rule for {setup_type.__name__} already")
    if setup_type in _registered:
        raise TypeError(f"{setup_type.__name__} is registered: no rule may come after that")

    def add(implementation: F) -> F:
        names = list(inspect.signature(implementation).parameters)
        expected = list(function.signature.parameters)
        if names != expected:
            raise TypeError(
                f"{implementation.__name__}{tuple(names)} must have the parameters of "
                f"{function.__name__}: {tuple(expected)}"
            )
        if (refused := not_a_rule(implementation)) is not None:
            raise refused
        if function.returns and (refused := lacks_return(implementation, function.purpose)):
            raise refused
        inlined = function.__name__ in INLINED
        kernel = Kernel(implementation, allocates=allocates, inlined=inlined)
        function.kernels[setup_type] = kernel
        return cast(F, kernel)

    return add
