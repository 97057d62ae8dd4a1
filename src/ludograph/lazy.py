"""Packages whose names are looked up when they are first used, so that importing them is quick."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def look_up(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package that hands on what its modules define.

    Parameters
    ----------
    homes
        The module of each name, as seen from the package.

    Examples
    --------
    >>> look_up("ludograph", {"InvalidInput": "errors"})("InvalidInput")
    <class 'ludograph.errors.InvalidInput'>
    """

    def attribute(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.{homes[name]}"), name)

    return attribute
