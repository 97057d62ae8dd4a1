"""Kernels as plain Python over arrays that refuse each index that machine code would not check.

Machine code reads and writes wherever an index points. Plain Python does not: so each function of
an author runs once in this form, before it is compiled, and a wrong index is an error with a line.

>>> import numpy as np
>>> def last(state, out):
...     out[2] += state[0]
>>> Plain().of(last)(strict(np.zeros(4), "state"), strict(np.zeros(2), "out"))
Traceback (most recent call last):
ludograph.rules.strict.BeyondArray: out has no index 2, its size is 2
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np

from ludograph.errors import is_whole
from ludograph.rules.answers import moves_at
from ludograph.rules.compilation import Kernel
from ludograph.rules.contract import GameInfo, info
from ludograph.rules.dispatch import Generic
from ludograph.rules.fingerprint import is_foreign
from ludograph.rules.layout import OVER, TURN

T = TypeVar("T")

COUNTS_FROM_THE_END = "__counts_from_the_end__"
"""The global of a plain function whose machine code tests whether an index is negative."""

OURS = __name__.partition(".")[0]
INDICES_OF_A_RULE = 30
"""The indices that take as long as to ask a rule of the package."""

GUARD, FILLING = 64, 0x13
"""The number of elements before and behind an array that show what a function writes there, and the
value of each of their bytes: as numbers of any type they change if 1 is added."""


class BeyondArray(IndexError):
    """Machine code would read or write beyond an array."""


def is_beyond_array(error: Exception) -> bool:
    """Tell whether an error is about an index beyond an array, not one that cannot be compiled."""
    says_so = isinstance(error, IndexError) and "out of bounds" in str(error)  # of a plain array
    return says_so or isinstance(error, BeyondArray)


class Enough(BaseException):
    """As many indices were checked as shall be."""


class Budget:
    """The number of indices that are still to be checked; then the function ends."""

    def __init__(self, indices: int) -> None:
        self.left = indices

    def spend(self, indices: int = 1) -> None:
        """Count some indices; raise Enough after the last."""
        self.left -= indices
        if self.left < 0:
            raise Enough


class Truth(int):
    """A bool of an array as machine code reads it: a number for arithmetic, ``~`` negates it."""

    def __invert__(self) -> Truth:
        return Truth(not self)


AS_COMPUTED: dict[type, type] = {
    **dict.fromkeys((np.int8, np.int16, np.int32), np.int64),
    **dict.fromkeys((np.uint8, np.uint16, np.uint32), np.int64),
    np.float32: np.float64,
    np.bool_: Truth,
}
"""The types in which machine code computes with an element of an array and a Python number; NumPy
would wrap around or round off in the element's own type. Two unsigned or two float32 elements are
another matter: in machine code they stay uint64 and float32. Elements of uint64 are left as they
are, for the hashes and generators that are made of them."""


class Strict(np.ndarray[Any, Any]):
    """An array that refuses each index that machine code would not check.

    Machine code reads and writes beyond the end of an array. It reads before its beginning if a
    computed index is negative: only a constant index such as ``a[-1]`` counts from the end, or any
    index in a function that allocates. Elements are read in the types of :data:`AS_COMPUTED`.

    Attributes
    ----------
    title
        The name of the array in messages.
    budget
        Counts the indices; None: there is no end of them.
    """

    title: str = ""
    budget: Budget | None = None

    def __array_finalize__(self, source: object) -> None:
        self.title = getattr(source, "title", "")
        self.budget = getattr(source, "budget", None)

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        found = super().__getitem__(index)
        wider = AS_COMPUTED.get(type(found))
        return found if wider is None else wider(found)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        super().__setitem__(index, value)

    def _check(self, index: Any) -> None:
        if self.budget is not None:
            self.budget.spend()
        if type(index) is int and 0 <= index < self.shape[0]:  # the usual case
            return
        indices = index if isinstance(index, tuple) else (index,)
        for place, (each, size) in enumerate(zip(indices, self.shape, strict=False)):
            if isinstance(each, np.ndarray | list):
                lowest = np.min(each, initial=0)
            elif is_whole(each):
                lowest = each
                if not -size <= each < size:
                    raise BeyondArray(f"{self.title} has no index {each}, its size is {size}")
            else:
                continue
            if lowest < 0 and not counts_from_the_end(sys._getframe(2), place):
                raise BeyondArray(
                    f"{self.title} has the index {lowest}; in machine code only a constant index "
                    "such as -1 counts from the end"
                )


def counts_from_the_end(frame: FrameType, place: int) -> bool:
    """Tell whether a negative index, of the expression that a frame is at, is as in Python.

    Parameters
    ----------
    place
        The number of the index, if there are several.
    """
    if COUNTS_FROM_THE_END in frame.f_globals:
        return True
    positions = islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
    line, last, begin, end = next(positions)
    if line is None or last != line:
        return True
    text = linecache.getline(frame.f_code.co_filename, line).encode()[begin:end].decode()
    try:
        found = ast.parse(text, mode="eval").body
    except SyntaxError:
        return True
    if not isinstance(found, ast.Subscript):
        return True
    index = found.slice
    part = index.elts[place] if isinstance(index, ast.Tuple) else index
    return is_constant(part, frame)


def is_constant(index: ast.expr, frame: FrameType) -> bool:
    """Tell whether an index is a number for the compiler: written out, or a global with a name."""
    while isinstance(index, ast.Attribute):
        index = index.value
    if isinstance(index, ast.Name):
        return index.id not in frame.f_locals
    return not any(isinstance(n, ast.Name | ast.Call | ast.Subscript) for n in ast.walk(index))


def strict(value: T, title: str, budget: Budget | None = None) -> T:
    """Return a view of an array that checks all indices; of a tuple, a tuple of such views."""
    found: Any = value
    if isinstance(value, np.ndarray):
        found = value.view(Strict)
        found.title, found.budget = title, budget
    elif isinstance(value, tuple):
        names = getattr(value, "_fields", range(len(value)))
        parts = [
            strict(each, f"{title}.{name}", budget) for name, each in zip(names, value, strict=True)
        ]
        found = type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return found


def plain_view(value: Any) -> Any:
    """Return the arrays of :func:`strict` without their checks."""
    if isinstance(value, Strict):
        return value.view(np.ndarray)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(plain_view, value))
    return value


class Plain:
    """Makes plain functions of kernels, with all that they reach: kernels, rules, global arrays.

    Parameters
    ----------
    whole
        Whether the rules of the package's own games are plain, too. Otherwise they run as machine
        code, which is quick and was tested; what they are asked is checked.
    budget
        Counts the indices of global arrays.
    """

    def __init__(self, *, whole: bool = False, budget: Budget | None = None) -> None:
        self.whole = whole
        self.budget = budget
        self._made: dict[int, tuple[Any, Any]] = {}
        self._asked: dict[int, tuple[Any, Any, GameInfo]] = {}

    def of(self, value: Any, title: str = "") -> Any:
        """Return the plain form of anything that a kernel can name."""
        if id(value) not in self._made:
            self._made[id(value)] = (value, self._make(value, title))  # the value keeps its id
        return self._made[id(value)][1]

    def _make(self, value: Any, title: str) -> Any:
        if isinstance(value, Kernel):
            return self._function(value, value.python, counts_from_the_end=value.allocates)
        if isinstance(value, FunctionType) and not is_foreign(value):
            return self._function(value, value, counts_from_the_end=False)
        if isinstance(value, Generic):
            return self._rule(value)
        if isinstance(value, ModuleType) and not is_foreign(value):
            return PlainModule(value, self)
        return strict(value, title, self.budget)

    def _function(
        self, value: Any, function: Callable[..., Any], *, counts_from_the_end: bool
    ) -> Any:
        space: dict[str, Any] = {}
        made = FunctionType(
            function.__code__,
            space,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        self._made[id(value)] = (value, made)  # before those that it reaches, which may reach it
        space["__builtins__"] = function.__globals__["__builtins__"]
        if counts_from_the_end:
            space[COUNTS_FROM_THE_END] = True
        for name in names_in(function.__code__):
            if name in function.__globals__:
                space[name] = self.of(function.__globals__[name], name)
        return made

    def _rule(self, rule: Generic) -> Callable[..., Any]:
        def call(setup: Any, *args: Any) -> Any:
            if not self.whole and is_of_the_package(type(setup)):
                return self._asked_of_machine_code(rule, setup, args)
            kernel = rule.kernel(type(setup))
            if kernel is None:
                raise NotImplementedError(f"{rule.__name__} has no rule for {type(setup).__name__}")
            return self.of(kernel)(setup, *args)

        return call

    def _asked_of_machine_code(self, rule: Generic, setup: Any, args: tuple[Any, ...]) -> Any:
        if self.budget is not None:
            self.budget.spend(INDICES_OF_A_RULE)
        if id(setup) not in self._asked:
            plain = plain_view(setup)
            self._asked[id(setup)] = (setup, plain, info(plain))
        return asked_of_machine_code(rule, *self._asked[id(setup)][1:], args)


def names_in(code: CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes in a function, and in those within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


class PlainModule:
    """A module whose functions and arrays are in their plain form."""

    def __init__(self, module: ModuleType, plain: Plain) -> None:
        self._module, self._plain = module, plain

    def __getattr__(self, name: str) -> Any:
        return self._plain.of(getattr(self._module, name), name)


def is_of_the_package(setup_type: type) -> bool:
    """Tell whether the rules for a Setup type are the package's own, which its tests check."""
    return setup_type.__module__.partition(".")[0] == OURS


def guarded(
    array: Any, guard: int = GUARD, filling: int = FILLING
) -> tuple[Any, Callable[[], bool]]:
    """Return a copy of an array between guards, and a function that tells whether they stand.

    Machine code checks no indices: what it writes near an array is found by its guards.

    Parameters
    ----------
    guard, filling
        The number of elements on each side, and the value of each byte of them.
    """
    whole = np.empty(array.size + 2 * guard, array.dtype)
    whole.view(np.uint8)[:] = filling
    around = whole[:guard].tobytes()
    inside = whole[guard : guard + array.size]
    inside[:] = array

    def stands() -> bool:
        return whole[:guard].tobytes() == around == whole[-guard:].tobytes()

    return inside, stands


def asked_of_machine_code(
    rule: Generic, setup: Any, bounds: GameInfo, args: tuple[Any, ...]
) -> Any:
    """Run a rule as machine code, if what is asked has an answer.

    Raises
    ------
    BeyondArray
        If the state is of another size or over, the move is not legal here, there is no such seat,
        or the rule writes more than an array can hold.
    """
    names = list(rule.signature.parameters)[1:]
    plain = [plain_view(each) for each in args]
    check_question(rule, setup, bounds, dict(zip(names, plain, strict=False)))
    room = bounds.move_capacity + bounds.seats
    copies: list[tuple[str, Any, Any, Callable[[], bool]]] = []
    for place, (name, value) in enumerate(zip(names, plain, strict=False)):
        if isinstance(value, np.ndarray) and value.ndim == 1 and name not in ("state", "rng"):
            plain[place], stands = guarded(value, room)
            copies.append((name, value, plain[place], stands))
    answer = rule(setup, *plain)
    for name, value, copy, stands in copies:
        if not stands():
            raise BeyondArray(
                f"{rule.__name__} writes beyond {name}, whose size is {value.size}; "
                f"help(ludograph.rules.{rule.__name__}) says what it needs"
            )
        if value.flags.writeable:
            value[:] = copy
    return answer


def check_question(rule: Generic, setup: Any, bounds: GameInfo, named: dict[str, Any]) -> None:
    """Raise BeyondArray if machine code has no answer for these arguments of a rule."""
    state, seat = named.get("state"), named.get("seat", 0)
    if not isinstance(state, np.ndarray):
        return
    if state.size != bounds.state_size:
        raise BeyondArray(
            f"{rule.__name__} gets a state of {state.size} numbers, not of {bounds.state_size}"
        )
    if not 0 <= seat < bounds.seats:
        raise BeyondArray(f"{rule.__name__} gets the seat {seat}, which does not exist")
    move, is_over = named.get("move"), state[TURN] == OVER
    if rule.__name__ == "sample_move" and is_over:
        raise BeyondArray("sample_move is asked for a move of a game that is over")
    if rule.__name__ == "play" and (is_over or move not in moves_at(setup, state)):
        raise BeyondArray(f"play gets the move {move}, which is not legal here")
