"""The folders of kernels that a player reads: that of compiled rules, and one of its own.

The name of its own one contains a digest of its sources.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.players.spec import PlayerSpec

COMPILES = re.compile(rb"\b(ludograph|numba)\b")
"""Words in the sources of a player that may have kernels of its own."""

MOST_SOURCES = 200


def kernel_folder() -> str:
    """Return the folder of compiled rules if this process has loaded any, or an empty text.

    Raises
    ------
    InvalidInput
        If the current folder, or the user's home, is that folder or in it: players would see it.
    """
    cache: Any = sys.modules.get("ludograph.rules.cache")
    if cache is None:
        return ""
    folder = os.path.realpath(cache.folder())
    if not os.path.isdir(folder):
        return ""
    for inside in filter(os.path.isdir, (".", os.path.expanduser("~"))):
        if os.path.commonpath([folder, os.path.realpath(inside)]) == folder:
            raise InvalidInput(
                f"{cache.VARIABLE}={folder}: players see the folder of compiled rules, so it must "
                f"not hold {os.path.realpath(inside)}: name another one"
            )
    return folder


def own_kernel_folder(spec: PlayerSpec) -> str:
    """Return the folder of the kernels compiled for one player alone; it may not exist.

    Its name contains a digest of the file's path and one of its sources: no other code writes
    there, and kernels of other sources of the player are not found. Empty for a player without
    kernels, and if this process has no folder of compiled rules.
    """
    shared = kernel_folder()
    if spec.kind != "python" or not shared:
        return ""
    found = sources(spec.target)
    if not any(COMPILES.search(content) for content in found.values()):
        return ""
    where, what = hashlib.sha256(os.path.realpath(spec.target).encode()), hashlib.sha256()
    for path, content in sorted(found.items()):
        what.update(hashlib.sha256(os.fsencode(path)).digest() + hashlib.sha256(content).digest())
    return f"{shared}-of-players/{where.hexdigest()[:24]}-{what.hexdigest()[:24]}"


def sources(file: str) -> Mapping[str, bytes]:
    """Return the content of a Python file, and of the modules beside it that it imports, by path.

    Modules that these import are included, but not those found only at run time.
    """
    top = os.path.dirname(os.path.abspath(file))
    found: dict[str, bytes] = {}
    waiting = [os.path.abspath(file)]
    while waiting and len(found) < MOST_SOURCES:
        path = waiting.pop()
        if path in found or not os.path.isfile(path):
            continue
        try:
            found[path] = Path(path).read_bytes()
        except OSError:
            continue  # the player cannot import it, either
        for level, name in imported(found[path]):
            above = Path(path).parents
            if level > len(above):
                continue
            base = str(above[level - 1]) if level else top
            module = os.path.join(base, *name.split("."))
            waiting += [f"{module}.py", os.path.join(module, "__init__.py")]
    return found


@functools.lru_cache(maxsize=256)
def imported(source: bytes) -> tuple[tuple[int, str], ...]:
    """Return the imports of a source, as levels of folders upwards and names with dots.

    Nothing for a source that is not valid Python.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(dict.fromkeys(_imports(tree)))


def _imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            inside = f"{node.module}." if node.module else ""
            if node.module:
                yield node.level, node.module
            yield from ((node.level, inside + alias.name) for alias in node.names)
