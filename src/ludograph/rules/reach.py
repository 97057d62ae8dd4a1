"""The kernels that plain Python code calls, found in its code without running it."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any

from ludograph.rules.compilation import Kernel
from ludograph.rules.dispatch import Generic


def used_by(thing: Any, packages: tuple[str, ...]) -> list[Kernel | Generic]:
    """Return the kernels and generic functions that a function or a class may call.

    Parameters
    ----------
    packages
        The code of functions and classes of these packages is searched, no other.
    """
    found: list[Kernel | Generic] = []
    seen: set[int] = set()
    waiting = [thing]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, Kernel | Generic):
            found.append(each)
        else:
            waiting.extend(_inside(each, packages))
    return found


def _inside(thing: Any, packages: tuple[str, ...]) -> Iterator[Any]:
    """Yield the objects that a function or a class names."""
    if isinstance(thing, functools.partial):
        yield thing.func
        return
    if isinstance(thing, classmethod | staticmethod | functools.cached_property):
        yield thing.func if isinstance(thing, functools.cached_property) else thing.__func__
        return
    if isinstance(thing, property):
        yield thing.fget
        return
    module = getattr(thing, "__module__", None) or ""
    if not any(module == name or module.startswith(f"{name}.") for name in packages):
        return
    if isinstance(thing, type):
        yield from thing.__mro__[1:]
        yield from vars(thing).values()
        return
    function = inspect.unwrap(thing)
    if isinstance(function, types.FunctionType):
        for name in names_in(function.__code__):
            yield function.__globals__.get(name)


def names_in(code: types.CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes in a function, and in those within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_in(constant)
