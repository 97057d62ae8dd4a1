"""Hosting of foreign code: players in processes of their own, isolated and timed."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[2])
"""The folder of the package ``ludograph``, for processes without an installed one."""

BOOTSTRAP = str(Path(__file__).with_name("bootstrap.py"))


def script(module: str, *arguments: str) -> list[str]:
    """Return the command of a process that calls ``main`` of a module of this package."""
    return [sys.executable, "-P", BOOTSTRAP, ROOT, module, *arguments]
