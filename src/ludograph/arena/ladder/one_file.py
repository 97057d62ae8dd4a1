"""Advice for authors whose player needs other files: a player of a ladder is one file."""

from __future__ import annotations

import re

MODULE = re.compile(r"No module named '([\w.]+)'")
FILE = re.compile(r"No such file or directory|cannot open shared object file")


def one_file_advice(fault: str) -> str:
    """Return what to do about a fault, in sentences; empty unless a file or a module is missing.

    Examples
    --------
    >>> one_file_advice("fatal error: list.h: No such file or directory")[-32:]
    'ours: put into it what it needs.'
    >>> one_file_advice("ModuleNotFoundError: No module named 'torch'")[-56:]
    "If 'torch' is a package, ask the operator to install it."
    >>> one_file_advice("ZeroDivisionError: division by zero")
    ''
    """
    module = MODULE.search(fault)
    if not module and not FILE.search(fault):
        return ""
    advice = (
        "A player of a ladder is one file, which sees no other files of yours: "
        "put into it what it needs."
    )
    if module:
        advice += f" If {module[1]!r} is a package, ask the operator to install it."
    return advice
