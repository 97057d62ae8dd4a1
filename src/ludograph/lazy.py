"""Imports that wait until they are needed, so that ``ludograph --help`` comes at once.

There are two ways. A package looks up the names of its modules when they are first used: see
:func:`look_up`. And a module that declares a command imports at its top only the modules for its
help; code that plays, searches or reads a store is imported when the command runs. This code is in
a module beside it, which has its imports at the top (``play/command.py`` and ``play/match.py``), or
in the same one, whose functions import what they need. Modules for few commands (``rich``, a
cluster) are imported where they are used. Ruff's rule PLC0415 checks this; pyproject.toml lists the
modules that may.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def look_up(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package that finds names in its modules.

    Parameters
    ----------
    homes
        The module of each name, relative to the package.

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
