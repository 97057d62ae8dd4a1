"""The files of kernels behind the interface of Numba's own caches.

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
from numba.core.caching import _Cache
from numba.core.errors import NumbaError
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from ludograph.rules._numba.linking import rebuilt, uses_runtime
from ludograph.rules.announcer import announcer
from ludograph.rules.cache import (
    SUFFIX,
    VARIABLE,
    can_keep,
    compiler_digest,
    folder,
    own,
    read,
    write,
)
from ludograph.rules.fingerprint import HasPython, called, fingerprint, reached
from ludograph.rules.turns import turns

RUNTIME, PLAIN = b"R", b"P"
"""The byte before a kernel that uses Numba's runtime, which has to be there then, and before any
other one: to begin it takes longer than to load a kernel."""

DAMAGE = (pickle.UnpicklingError, EOFError, AttributeError, ImportError, IndexError, TypeError)
"""What unpickling raises where a file is not what it seems, beside ``ValueError``."""


class KernelCache(_Cache):  # type: ignore[misc]
    """The files of one kernel, behind the interface of Numba's own caches."""

    def __init__(self, kernel: HasPython, options: dict[str, Any]) -> None:
        self.kernel = kernel
        self.function = kernel.python
        self.options = sorted(options.items())

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(folder())

    def enable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def disable(self) -> None:
        """Do nothing: the cache is always enabled."""

    def flush(self) -> None:
        """Do nothing: files are whole, or not there."""

    def path(self, sig: Any, codegen: Any) -> Path | None:
        """Return the file for arguments of some types; None if it could not be found again.

        Types are kept by the names of their classes, so these must be those that an import finds.
        """
        classes = setup_types(sig)
        if not all(map(is_importable, classes)):
            return None
        made_from = (
            str(sig),
            [(kind.__module__, kind.__qualname__) for kind in classes],
            codegen.magic_tuple(),
            fingerprint(self.function, classes),
            self.options,
            compiler_digest(),
        )
        digest = hashlib.sha256(repr(made_from).encode()).hexdigest()[:32]
        name = f"{self.function.__module__}.{self.function.__qualname__}".replace("<", "_")
        return folder() / f"{name.replace('>', '_')[:100]}-{digest}{SUFFIX}"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled kernel if it is there; else say that it will be compiled.

        Here, or by another process that was there first: then it is there soon.
        """
        path = self.path(sig, target_context.codegen())
        found = None if path is None else self.load(path, target_context)
        if found is None and path is not None and own.folder is not None:
            found = self.load(own.folder / path.name, target_context)

        def reaches() -> set[str]:
            return reached([self.kernel], setup_types(sig))

        if found is not None:
            announcer.found(reaches)
        else:
            kept = path is not None and can_keep()
            announcer.begin(called(self.function), reaches, kept=kept)
            if path is not None and kept:
                found = self.wait_for(path, target_context)
        return found

    def wait_for(self, path: Path, target_context: Any) -> Any:
        """Return the kernel if another process has made it meanwhile; else it is to be made."""
        turns.begin(path)
        found = self.load(path, target_context) if path.exists() else None
        if found is not None:
            turns.end()
            announcer.end()
        return found

    def load(self, path: Path, target_context: Any) -> Any:
        """Return what a file holds, None if it is not there; a damaged one is removed."""
        try:
            payload = read(path)
            if payload is None:
                return None
            if payload[:1] == RUNTIME:
                rtsys.initialize(target_context)
            found = rebuilt(target_context, *pickle.loads(payload[1:]))
            with contextlib.suppress(OSError):
                os.utime(path)  # it is in use: not to be pruned
            return found
        except (*DAMAGE, ValueError, NumbaError, RuntimeError):
            announcer.warn(f"{path} is damaged: it is removed and made anew")
            with contextlib.suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled kernel, or say once why it cannot be kept."""
        path = self.path(sig, data.codegen)
        try:
            if path is not None:
                parts = dumps(data._reduce())
                payload = (RUNTIME if uses_runtime(data.library) else PLAIN) + parts
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


def setup_types(sig: Any) -> list[type]:
    """Return the classes of the named tuples among the types of a call's arguments."""
    return [kind for argument in sig for kind in named_tuples(argument)]


def named_tuples(kind: Any) -> Iterator[type]:
    """Yield the classes of the named tuples that a type of Numba's consists of."""
    if isinstance(kind, types.BaseNamedTuple):
        yield kind.instance_class
    if isinstance(kind, types.BaseTuple):
        for part in kind:
            yield from named_tuples(part)


def is_importable(kind: type) -> bool:
    """Tell whether another process finds a class by its name: not in ``__main__``, say."""
    found: Any = sys.modules.get(kind.__module__)
    if kind.__module__ == "__main__" or found is None:
        return False
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind
