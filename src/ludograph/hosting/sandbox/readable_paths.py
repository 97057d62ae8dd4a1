"""The paths that a player may read: the system, Python, Ludograph, and what the player was given.

The other folders in which Python and the loader search are not shown: the current folder, or one
with other players, may be among them. Files that this process writes during games are withheld, in
any folder: a store contains the secret of all chance events, and a record shows the chance events
of the other game of a pair.

A player also reads two folders of kernels: that of compiled rules, and one of its own, whose name
contains a digest of its sources.
"""

from __future__ import annotations

import ast
import csv
import functools
import glob
import hashlib
import json
import os
import re
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ludograph.errors import InvalidInput
from ludograph.hosting import ROOT

if TYPE_CHECKING:  # what forks processes for C players imports no game
    from ludograph.players.spec import PlayerSpec

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")
SYSTEM_FILES = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/ssl/openssl.cnf",
)
SYSTEM_PATTERNS = ("/etc/java-*",)
"""Patterns of folders with versions in their names, where Debian has files that Java needs to
start."""

PYTHON = (
    *("bin", "include", "lib", "lib32", "lib64", "libexec", "pyvenv.cfg"),
    *("share/terminfo", "share/zoneinfo"),
)
"""The parts of an interpreter's folder; other files may be there, too, such as a whole project."""

PYTHON_PATTERN = "*-linux-gnu"
"""The folders in which an interpreter of conda has compilers."""

FEW_LIBRARIES = 16
"""A folder of ``LD_LIBRARY_PATH`` with more libraries, and nothing else, is shown as a whole."""

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


def readable_paths(spec: PlayerSpec, others: Iterable[str] = ()) -> list[str]:
    """Return the folders and files of a player, without symbolic links on the way.

    For a file they are its folder, and the file itself if it is a link to another folder; for a C
    source also the folder of its library. For a program they are its folder, and those of the files
    in its command line.

    Parameters
    ----------
    others
        Other folders and files that it may read, such as :func:`system`.

    Raises
    ------
    InvalidInput
        If there are too many other files beside withheld ones.
    """
    return without_all_withheld([*places(spec), *others], spec.label)


def without_all_withheld(paths: Iterable[str], label: str) -> list[str]:
    """Return folders and files, none inside another, and none withheld.

    A folder with withheld files is replaced by all its other contents, and by the folder with a
    slash at its end: it can only be listed.

    Parameters
    ----------
    label
        What will see them, for an error's sentence.

    Raises
    ------
    InvalidInput
        If there are too many.
    """
    whole = outermost(paths)
    found = [path for place in whole for path in without_withheld(place)]
    if len(json.dumps(found)) > PATHS_LIMIT:
        for hidden in WITHHELD:
            if any(hidden.startswith(f"{place}/") for place in whole):
                raise InvalidInput(
                    f"{hidden}: it is written during the game, so {label} must not see it, and too "
                    "many files lie beside it: write it to another folder"
                )
        raise InvalidInput(f"{label}: it has too many folders and files to be isolated")
    return found


def system() -> list[str]:
    """Return what all players see: the system, this Python with what is installed, Ludograph."""
    bases = (sys.prefix, sys.base_prefix, sys.exec_prefix)
    found = [*interpreter(bases, tuple(map(os.path.realpath, sys.path)))]
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if os.path.isabs(folder):
            found += libraries(os.path.realpath(folder))
    return outermost(found)


@functools.cache
def interpreter(prefixes: tuple[str, ...], searched: tuple[str, ...]) -> list[str]:
    """Return the same without the libraries of a user; it stays while this process runs.

    Parameters
    ----------
    prefixes
        The folders of this Python.
    searched
        The folders in which Python looks for modules, without symbolic links on the way.
    """
    bases = set(map(os.path.realpath, prefixes))
    found = [f"{base}/{part}" for base in bases for part in PYTHON]
    found += [os.path.realpath(path) for path in found]  # a part may be a link, as ``lib64``
    found += [path for base in bases for path in glob.glob(f"{glob.escape(base)}/{PYTHON_PATTERN}")]
    found += [path for pattern in SYSTEM_PATTERNS for path in glob.glob(pattern)]
    own = os.path.realpath(ROOT)
    found = outermost([*SYSTEM, *SYSTEM_FILES, *found, f"{own}/", f"{own}/ludograph"])
    for folder in searched:
        if not any(folder.startswith(f"{path}/") for path in found):
            found += installed(folder)
    return outermost(found)


@functools.cache
def installed(folder: str) -> list[str]:
    """Return the packages and modules that an installer has put into a folder.

    That is the folder itself where nothing else is in it; otherwise it can be listed, because
    Python finds modules by a list of their folder.
    """
    names: set[str] = set()
    for record in glob.glob(f"{glob.escape(folder)}/*.dist-info/RECORD"):
        with (
            suppress(OSError),  # a player cannot read it, either
            open(record, encoding="utf-8", errors="surrogateescape", newline="") as file,
        ):
            names.update(row[0].partition("/")[0] for row in csv.reader(file) if row)
    names -= {"", ".", ".."}
    if not names:
        return []
    if {*os.listdir(folder)} <= {*names, "__pycache__"}:
        return [folder]
    found = {os.path.realpath(f"{folder}/{name}") for name in names}
    return [f"{folder}/", *sorted(filter(os.path.exists, found))]


def libraries(folder: str) -> list[str]:
    """Return the shared libraries of a folder, or the folder if it has many and nothing else."""
    found = [*filter(os.path.isfile, glob.glob(f"{glob.escape(folder)}/lib*.so*"))]
    if len(found) > FEW_LIBRARIES and len(found) == len(os.listdir(folder)):
        return [folder]
    return [*found, *map(os.path.realpath, found)]


def modules_of(home: str) -> list[str]:
    """Return the package or file of an imported module, and those imported from beside it.

    Parameters
    ----------
    home
        The module's name; nothing is returned for an empty one.
    """
    if not home:
        return []
    modules = {name: one for name, one in [*sys.modules.items()] if "." not in name}
    modules.pop("__main__", None)
    places = {name: files_of(one) for name, one in modules.items()}
    folders = {os.path.dirname(path) for path in places.get(home.partition(".")[0], [])}
    found = [path for paths in places.values() for path in paths]
    return [os.path.realpath(path) for path in found if os.path.dirname(path) in folders]


def files_of(module: ModuleType) -> list[str]:
    """Return the folders of a package, the file of another module, or the archive with either."""
    places = getattr(module, "__path__", None) or filter(None, [getattr(module, "__file__", None)])
    found = []
    for place in map(Path, places):
        archives = (one for one in place.parents if one.is_file())
        found.append(place if place.exists() else next(archives, None))
    return [os.path.abspath(one) for one in found if one is not None]


def outermost(paths: Iterable[str]) -> list[str]:
    """Return paths without duplicates, and without those inside others.

    Examples
    --------
    >>> outermost(["/usr/lib", "/home/a", "/usr", "/home/a"])
    ['/home/a', '/usr']
    >>> outermost(["/usr", "/usr2"])
    ['/usr', '/usr2']
    """
    unique = dict.fromkeys(paths)
    return [
        path
        for path in unique
        if not any(path[:at] in unique for at, letter in enumerate(path) if letter == "/")
    ]


def places(spec: PlayerSpec) -> list[str]:
    """Return the folders and files of a player, including withheld ones."""
    from ludograph.players.spec import PROGRAMS

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


def place(file: str) -> str:
    """Return the path at which a player finds its file: as given, unless a link is on the way."""
    folder, name = os.path.split(os.path.abspath(file))
    real = os.path.realpath(folder)
    return file if folder == real else os.path.join(real, name)


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
    shared = kernel_folder() if spec.kind == "python" else ""
    if not shared:
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
