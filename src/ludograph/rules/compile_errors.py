"""Errors of Numba about a function that it cannot compile, as one sentence for its author.

The sentence names file, line and function, and the reason in the terms of a Python programmer.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import linecache
import operator
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ludograph.errors import LudographError, did_you_mean
from ludograph.rules.fingerprint import CannotFingerprint

SIGNS_OF_ALLOCATION = ("NRT required", "Only accept returning of array passed")
"""Numba's message if something needs its runtime."""

ALLOCATES = (
    "it makes an array, a list, a text or the like (rules.copy copies); write into the "
    "arrays that it gets, or mark it with @ludograph.rules.compiled(allocates=True), a rule with "
    "@implements(..., allocates=True)"
)

COLORS = re.compile(r"\x1b\[[0-9;]*m")
"""Escapes in Numba's messages if a program has imported Numba before this package."""

OURS = str(Path(__file__).parents[1])
PLACES = re.compile(
    r'(?:\b(?:at|from) |^File ")([^"\n]*?(?:\.py|>))(?: \(|", line )(\d+)[):]', re.MULTILINE
)
"""Numba's form of a line of a file."""

WRONG_FIELDS = r"In '<class '(?:\w+\.)*(\w+)'>': (.*)"

KINDS = (
    (r"u?int\d+|Literal\[int\]", "a whole number"),
    (r"float\d+", "a float"),
    (r"bool|Literal\[bool\]", "a truth value"),
    (r"unicode_type|Literal\[str\]", "a text"),
    (r"none", "None"),
    (r"readonly array|array|Array", "an array"),
    (r"UniTuple|Tuple", "a tuple"),
    (r"(?:reflected )?list|List", "a list"),
    (r"DictType", "a dictionary"),
    (r"range_", "a range"),
    (r"Function|type\(CPUDispatcher", "a function"),
)
"""The beginnings of the names of Numba's types, and the types in words."""


class CannotCompile(LudographError):
    """A function of an author cannot be compiled; the message has the place and the reason.

    Attributes
    ----------
    line
        The line of the file, from 1.
    reason
        The reason: the sentence without the place.
    """

    def __init__(self, message: object = "", *, line: int = 0, reason: str = "") -> None:
        super().__init__(message)
        self.line = line
        self.reason = reason


class SourceLine(NamedTuple):
    """A line of a source file."""

    file: str
    line: int


def cannot_compile(
    function: Callable[..., Any], error: BaseException, setup_types: Iterable[type] = ()
) -> CannotCompile:
    """Return the sentence for an error of Numba.

    Parameters
    ----------
    function
        The function that Python called; the fault may be in one that it calls.
    error
        Numba's exception.
    setup_types
        Named tuples among the types of its arguments: a misspelled field is compared with theirs.
    """
    text = COLORS.sub("", str(error))
    found = place_of(function, error, text)
    return sentence(function, found, reason_of(text, type(error).__name__, setup_types))


def not_kept(error: CannotFingerprint) -> CannotCompile:
    """Return the sentence for a function that uses something that the digest cannot cover."""
    return sentence(error.function, line_in(error.function), f"it {error.reason}")


def not_a_rule(function: Callable[..., Any]) -> CannotCompile | None:
    """Return the sentence for a rule that is a generator or a coroutine; None for any other.

    Such a function compiles, but a call of it runs nothing, so that a game would have no end.
    """
    code = function.__code__
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        reason = "a rule is a plain function, so write def, not async def"
        return sentence(function, line_in(function), reason)
    if not code.co_flags & inspect.CO_GENERATOR:
        return None
    step = next(each for each in dis.get_instructions(code) if each.opname == "YIELD_VALUE")
    reason = "a rule runs to its end and returns, so it must not yield"
    return sentence(function, line_in(function, step), reason)


def lacks_return(function: Callable[..., Any], purpose: str) -> CannotCompile | None:
    """Return the sentence for a rule that can end without a value; None for any other.

    Machine code of such a rule returns any number.

    Parameters
    ----------
    purpose
        What the rule has to return: ``legal_moves returns the number of moves``.
    """
    steps = list(dis.get_instructions(function))
    for before, step in pairwise([*steps[:1], *steps]):
        bare = step.opname == "RETURN_CONST" and step.argval is None
        implied = before.opname == "LOAD_CONST" and before.argval is None
        if bare or (step.opname == "RETURN_VALUE" and implied):
            reason = f"it can end here without a return; {purpose}"
            return sentence(function, line_in(function, step), reason)
    return None


def unfit_setup(function: Callable[..., Any], setup: Any) -> CannotCompile | None:
    """Return the sentence for a Setup with a field that machine code cannot have, if it has one."""
    for name, value in zip(setup._fields, setup, strict=True):
        if not is_fit(value):
            kind = type(value).__name__
            if isinstance(value, np.ndarray):
                kind = f"array of type {value.dtype}"
            reason = (
                f"the field {name} of {type(setup).__name__} is of type {kind}; a Setup holds "
                "numbers, arrays of numbers, and tuples of these"
            )
            return sentence(function, line_in(function), reason)
    return None


def is_fit(value: object) -> bool:
    """Tell whether machine code can have a value in a Setup."""
    if isinstance(value, tuple):
        return all(map(is_fit, value))
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "biufcV"
    return isinstance(value, bool | int | float | np.number | np.bool_)


def has_wrong_fields(error: BaseException) -> bool:
    """Tell whether an error is Numba's for a named tuple with wrong fields."""
    return isinstance(error, TypeError) and re.match(WRONG_FIELDS, str(error)) is not None


def is_of_missing_name(error: BaseException) -> bool:
    """Tell whether an error is the compiler's for a missing name, without its place."""
    if isinstance(error, AttributeError):
        return isinstance(error.obj, ModuleType)
    return "NameError: name" in str(error)


def missing_name(functions: Iterable[Callable[..., Any]]) -> CannotCompile | None:
    """Return the sentence for the first missing name in functions; None if there is none."""
    for function in functions:
        space = function.__globals__
        for before, after in pairwise(dis.get_instructions(function)):
            if before.opname != "LOAD_GLOBAL":
                continue
            reason = None
            if before.argval not in space and not hasattr(builtins, before.argval):
                reason = f"name {before.argval!r} is not defined"
            elif after.opname in {"LOAD_ATTR", "LOAD_METHOD"}:
                reason = missing_attribute(space.get(before.argval), after.argval)
            if reason is not None:
                return sentence(function, line_in(function, before), reason)
    return None


def missing_attribute(owner: object, name: str) -> str | None:
    """Return the missing attribute of a module; None if it has it, or is no module."""
    if not isinstance(owner, ModuleType) or hasattr(owner, name):
        return None
    return f"{owner.__name__} has no {name}{did_you_mean(name, dir(owner))}"


def line_in(function: Callable[..., Any], step: dis.Instruction | None = None) -> SourceLine:
    """Return the line of an instruction of a function; without one, the function's first line."""
    line = step and step.positions and step.positions.lineno
    return SourceLine(function.__code__.co_filename, line or function.__code__.co_firstlineno)


def sentence(function: Callable[..., Any], place: SourceLine, reason: str) -> CannotCompile:
    """Return the error for a place and a reason."""
    name = function_at(place) or function.__name__
    message = f"{place.file}, line {place.line}: {name} cannot be compiled: {reason}"
    return CannotCompile(message, line=place.line, reason=reason)


def place_of(function: Callable[..., Any], error: BaseException, text: str) -> SourceLine:
    """Return the innermost place in the author's files that cannot be compiled.

    Numba's files do not count; Ludograph's own count only if there are no others.
    """
    found = [SourceLine(os.path.abspath(file), int(line)) for file, line in PLACES.findall(text)]
    if (named := getattr(error, "loc", None)) is not None:
        found.append(SourceLine(named.filename, named.line))
    found = [each for each in found if "/numba/" not in each.file]
    found.append(line_in(function))
    return next((each for each in found if not each.file.startswith(OURS)), found[0])


def function_at(place: SourceLine) -> str | None:
    """Return the name of the function that a line belongs to; None if its file cannot be read."""
    source = "".join(linecache.getlines(place.file))
    try:
        nodes = ast.walk(ast.parse(source))
    except SyntaxError:
        return None
    around = [
        node
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and min([node.lineno, *(each.lineno for each in node.decorator_list)]) <= place.line
        and place.line <= (node.end_lineno or 0)
    ]
    return max(around, key=operator.attrgetter("lineno")).name if around else None


def reason_of(text: str, kind: str, setup_types: Iterable[type]) -> str:
    """Return the reason in one sentence.

    Parameters
    ----------
    text, kind
        Numba's message, and the name of its type.
    """
    if any(sign in text for sign in SIGNS_OF_ALLOCATION):
        return ALLOCATES
    for pattern, say in REASONS:
        if found := re.search(pattern, text, re.MULTILINE):
            return say(*found.groups())
    if found := re.search(r"Unknown attribute '(\w+)' of type (.*)", text):
        owner = in_words(found[2])
        fields = {kind.__name__: getattr(kind, "_fields", ()) for kind in setup_types}
        return f"{owner} has no {found[1]}{did_you_mean(found[1], fields.get(owner, ()))}"
    lines = [each.strip() for each in text.splitlines() if each.strip()]
    said = [each for each in lines if not each.startswith("Failed in nopython mode")]
    return re.sub(r"\.*\s*Raised from .*", "", said[0]) if said else kind


def no_compiled_form(call: str) -> str:
    """Return why a call such as ``add(Literal[str](a), int64)`` cannot be compiled."""
    name, _, rest = call.partition("(")
    kinds = [in_words(each) for each in split(rest[: rest.rindex(")")])]
    if name == "setitem" and rest.startswith("readonly array"):
        return "it writes into an array that is a global or a view that is read-only"
    if name == "setitem":
        return f"{kinds[-1]} cannot be stored in {kinds[0]}"
    return f"there is no compiled form of {name}({', '.join(kinds)})"


def split(arguments: str) -> Iterator[str]:
    """Yield the parts between the commas outside of brackets."""
    depth, begin = 0, 0
    for at, letter in enumerate(arguments):
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            yield arguments[begin:at].strip()
            begin = at + 1
    if arguments[begin:].strip():
        yield arguments[begin:].strip()


def in_words(kind: str) -> str:
    """Return one of Numba's types in words; a Setup type has its own name."""
    named = (said for pattern, said in KINDS if re.match(rf"(?:{pattern})(?!\w)", kind))
    return next(named, re.sub(r"\(.*", "", kind))


def not_one_kind(one: str, other: str, name: str) -> str:
    """Return why a variable with values of two kinds cannot be compiled."""
    plain = name.partition(".")[0]
    which = "what it returns" if plain.startswith("$") else plain
    return f"{which} is {in_words(one)} in one place and {in_words(other)} in another"


def returns_kinds(kinds: str) -> str:
    """Return why a function that returns values of different kinds cannot be compiled."""
    one, other, *_ = split(kinds)
    return not_one_kind(one, other, "$")


REASONS: Sequence[tuple[str, Callable[..., str]]] = (
    (
        r"Untyped global name '(\w+)'.*<class 'function'>",
        lambda name: f"mark the function {name} with @ludograph.rules.compiled",
    ),
    (
        r"Untyped global name '(\w+)'.*<class '([\w.]+)'>",
        lambda name, kind: (
            f"{name} is of type {kind}; globals can be numbers, texts, tuples, arrays"
        ),
    ),
    (
        r"Unsupported array index type (\w+)",
        lambda kind: f"an index must be a whole number, not {in_words(kind)} (// gives whole ones)",
    ),
    (r"found for signature:\s*>>> (.*)", no_compiled_form),
    (
        r"Cannot bind .* due to \"TypeError: (.*)\"",
        lambda what: f"a call has wrong arguments: {what}",
    ),
    (WRONG_FIELDS, lambda kind, what: f"{kind} is made of wrong fields: {what}"),
    (r"Cannot unify (.*) and (.*) for '(\S+)', defined", not_one_kind),
    (r"Can't unify return type from the following types: (.*)", returns_kinds),
    (
        r"unsupported opcode \(IMPORT_NAME\)",
        lambda: "import at the top of the file, not in a function",
    ),
)
"""Numba's messages, as regular expressions, and the sentence for an author."""
