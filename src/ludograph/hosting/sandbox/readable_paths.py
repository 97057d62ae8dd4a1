"""The paths that a player may read: its own folder, and compiled rules.

Files that this process writes during games are withheld, in any folder: a store contains the secret
of all chance events, and a record shows the chance events of the other game of a pair.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.players.spec import PROGRAMS, PlayerSpec

COMPILES = re.compile(rb"\b(ludograph|numba)\b")
"""Words in the sources of a player that may have kernels of its own."""

MOST_SOURCES = 200

PATHS_LIMIT = 3 << 14
"""The greatest length of a player's paths as JSON: they are sent in one message, with a little
more."""

WITHHELD: Counter[str] = Counter()
"""Files and folders that no player sees, without symbolic links on the way."""


def withhold(*paths: str | Path) -> None:
    """Hide files or folders from the players that this process starts from now on."""
    WITHHELD.update(os.path.realpath(path) for path in paths)


@contextmanager
def withheld(*paths: str | Path) -> Iterator[None]:
    """Hide files or folders from players within a block."""
    found = [os.path.realpath(path) for path in paths]
    WITHHELD.update(found)
    try:
        yield
    finally:
        for path in found:
            WITHHELD[path] -= 1
            if not WITHHELD[path]:
                del WITHHELD[path]


def readable_paths(spec: PlayerSpec) -> list[str]:
    """Return the folders and files of a player, without symbolic links on the way.

    For a file they are its folder, and the file itself if it is a link to another folder; for a C
    source also the folder of its library. For a program they are its folder, and those of the files
    in its command line. A folder with withheld files is replaced by all its other contents, and by
    the folder with a slash at its end: it can only be listed.

    Raises
    ------
    InvalidInput
        If there are too many other files beside withheld ones.
    """
    found = [path for place in places(spec) for path in without_withheld(place)]
    if len(json.dumps(found)) > PATHS_LIMIT:
        hidden = next(
            path for path in WITHHELD if any(path.startswith(f"{place}/") for place in places(spec))
        )
        raise InvalidInput(
            f"{hidden}: it is written during the game, so {spec.label} must not see it, and too "
            "many files lie beside it: write it to another folder"
        )
    return found


def places(spec: PlayerSpec) -> list[str]:
    """Return the folders and files of a player, including withheld ones."""
    if spec.kind not in PROGRAMS:
        own = around(spec.target)
        return sorted({*own, *around(spec.library)}) if spec.library else own
    program, *arguments = shlex.split(spec.target)
    found = around(shutil.which(program) or program)
    for argument in filter(os.path.exists, arguments):
        is_folder = os.path.isdir(argument)
        found += [os.path.realpath(argument)] if is_folder else around(argument)
    return sorted(set(found))


def without_withheld(path: str) -> list[str]:
    """Return a file or folder, or all other contents of a folder with withheld files.

    Symbolic links out of such a folder are left out.
    """
    if path in WITHHELD:
        return []
    if not os.path.isdir(path) or not any(other.startswith(f"{path}/") for other in WITHHELD):
        return [path]
    found = [f"{path}/"]
    with os.scandir(path) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            real = os.path.realpath(entry.path)
            if not entry.is_symlink():
                found += without_withheld(entry.path)
            elif real.startswith(f"{path}/") and without_withheld(real) == [real]:
                found.append(entry.path)
    return found


def around(file: str) -> list[str]:
    """Return a file's folder, and the file if it is in another one.

    The user's home, or a folder that contains it, is no player's own folder: for a file in there,
    the result is only the file.
    """
    folder = os.path.realpath(os.path.dirname(os.path.abspath(file)))
    real = os.path.realpath(file)
    home = os.path.realpath(os.path.expanduser("~"))
    if os.path.commonpath([folder, home]) == folder:
        return [real]
    return [folder] if os.path.dirname(real) == folder else [folder, real]


def kernel_folder() -> str:
    """Return the folder of compiled rules if this process has loaded any, or an empty text."""
    cache: Any = sys.modules.get("ludograph.rules.cache")
    if cache is None:
        return ""
    folder = os.path.realpath(cache.folder())
    return folder if os.path.isdir(folder) else ""


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


def place(file: str) -> str:
    """Return the path at which a player finds its file: as given, unless a link is on the way."""
    folder, name = os.path.split(os.path.abspath(file))
    real = os.path.realpath(folder)
    return file if folder == real else os.path.join(real, name)
