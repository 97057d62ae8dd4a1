"""The files of kernels, with the interface of Numba's own caches.

:mod:`ludograph.rules.cache` documents the folder and the names of the files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba.core import types
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from ludograph.rules import precompiled
from ludograph.rules._numba.compiler import compiler_digest
from ludograph.rules._numba.insides import NotAsExpected
from ludograph.rules._numba.linking import rebuilt, uses_runtime
from ludograph.rules.announcer import announcer
from ludograph.rules.cache import (
    SUFFIX,
    VARIABLE,
    DamagedKernel,
    can_keep,
    folder,
    own,
    read,
    write,
)
from ludograph.rules.compilation import Kernel
from ludograph.rules.fingerprint import fingerprint
from ludograph.rules.turns import turns

RUNTIME, PLAIN = b"R", b"P"
"""The first byte of a file: whether the kernel uses Numba's runtime, which must be initialized
first. That takes longer than loading a kernel, so it is omitted for all others."""

NOWHERE = b"<dynamic>"
"""Numba's name for the module of a function whose own is not among the imported ones (code in a
namespace by ``exec``): a kernel that refers to it cannot be loaded again, so it is not kept."""


class KernelCache:
    """The files of one kernel, with what Numba's dispatchers ask of its own caches."""

    def __init__(self, kernel: Kernel, options: dict[str, Any]) -> None:
        self.function = kernel.python
        self.options = sorted(options.items())

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(folder())

    def path(self, sig: Any, codegen: Any) -> Path | None:
        """Return the file for arguments of some types; None if it could not be found again.

        The file name contains the names of the types' classes, so these must be importable.
        """
        classes = setup_types(sig)
        if not all(map(is_importable, classes)):
            return None
        return folder() / self.file_name(sig, codegen.magic_tuple())

    def precompiled_path(self, sig: Any, codegen: Any) -> Path | None:
        """Return the file among those of the package; None if this processor can use none."""
        triple, _, features = codegen.magic_tuple()
        target = precompiled.target_for(triple.partition("-")[0], features)
        if target is None or not self.is_entry or not precompiled.FOLDER.is_dir():
            return None
        return precompiled.FOLDER / self.file_name(sig, (triple, target.name, ""))

    @property
    def is_entry(self) -> bool:
        """Whether Python calls the kernel: then its file has machine code, otherwise bitcode."""
        return ("no_cpython_wrapper", False) in self.options

    def file_name(self, sig: Any, processor: tuple[str, str, str]) -> str:
        """Return the name of the file for arguments of some types.

        Parameters
        ----------
        processor
            The target of the machine code: LLVM's triple, the processor and its features.
        """
        classes = setup_types(sig)
        made_from = (
            str(sig),
            [(kind.__module__, kind.__qualname__) for kind in classes],
            processor,
            fingerprint(self.function, classes),
            self.options,
            compiler_digest(),
        )
        digest = hashlib.sha256(repr(made_from).encode()).hexdigest()[:32]
        name = f"{self.function.__module__}.{self.function.__qualname__}".replace("<", "_")
        return f"{name.replace('>', '_')[:100]}-{digest}{SUFFIX}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel if its file exists; else announce its compilation.

        If another process compiles it already, wait for its file.
        """
        path = self.path(sig, target_context.codegen())
        found = None if path is None else self.load(path, target_context)
        if found is None and path is not None and own.folder is not None:
            found = self.load(own.folder / path.name, target_context)
        if found is None and path is not None:
            found = self.load_precompiled(sig, target_context)
        if found is None:
            kept = path is not None and can_keep()
            announcer.begin(kept=kept)
            if path is not None and kept:
                found = self.wait_for(path, target_context)
        return found

    def wait_for(self, path: Path, target_context: Any) -> Any:
        """Return the kernel if another process has compiled it meanwhile; else None."""
        turns.begin(path)
        found = self.load(path, target_context) if path.exists() else None
        if found is not None:
            turns.end()
            announcer.end()
        return found

    def load(self, path: Path, target_context: Any) -> Any:
        """Return the kernel of a file, None if there is none; remove a damaged file."""
        try:
            found = content_of(path, target_context)
        except DamagedKernel:
            announcer.warn(f"{path} is damaged: it is removed and made again")
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        if found is not None:
            with contextlib.suppress(OSError):
                os.utime(path)  # a file in use is not pruned
        return found

    def load_precompiled(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel of a file of the package, None if there is none; write nothing."""
        path = self.precompiled_path(sig, target_context.codegen())
        try:
            return None if path is None else content_of(path, target_context)
        except DamagedKernel:
            announcer.warn_once(f"{path} is damaged: it is not used; install Ludograph again")
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a compiled kernel, or report once why that is impossible."""
        path = self.path(sig, data.codegen)
        try:
            if path is not None:
                parts = dumps(data._replace(type_annotation="")._reduce())  # which nobody reads
                payload = (RUNTIME if uses_runtime(data.library) else PLAIN) + parts
                if NOWHERE in parts:
                    return
                if own.made is None:
                    write(path, payload)
                else:
                    own.keep(path.name, payload)
        except OSError as error:
            announcer.warn_once(
                f"compiled code cannot be kept in {folder()} ({error.strerror}): it will be "
                f"compiled again; {VARIABLE} names another folder"
            )
        finally:
            if path is not None and can_keep():
                turns.end()
            announcer.end()


def content_of(path: Path, target_context: Any) -> Any:
    """Return the compiled kernel of a file; None if there is no file to read.

    Raises
    ------
    DamagedKernel
        If the file is not as it was written.
    NotAsExpected
        If it is, and Numba does not make a kernel of it.
    """
    payload = read(path)
    if payload is None:
        return None
    try:
        if payload[:1] == RUNTIME:
            rtsys.initialize(target_context)
        return rebuilt(target_context, *pickle.loads(payload[1:]))
    except MemoryError:
        raise
    except Exception as error:
        raise NotAsExpected(error) from error


def setup_types(sig: Any) -> list[type]:
    """Return the classes of the named tuples among the types of a call's arguments."""
    return [kind for argument in sig for kind in named_tuples(argument)]


def named_tuples(kind: Any) -> Iterator[type]:
    """Yield the classes of the named tuples within a type of Numba's."""
    if isinstance(kind, types.BaseNamedTuple):
        yield kind.instance_class
    if isinstance(kind, types.BaseTuple):
        for part in kind:
            yield from named_tuples(part)


def is_importable(kind: type) -> bool:
    """Tell whether another process can import a class by its name: not from ``__main__``, say."""
    found: Any = sys.modules.get(kind.__module__)
    if kind.__module__ == "__main__" or found is None:
        return False
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind
