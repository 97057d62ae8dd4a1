"""The compiler of this process: what its machine code depends on beside the sources of kernels."""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import event

from ludograph.rules import precompiled


@functools.cache
def compiler_digest() -> str:
    """Return a digest of how kernels are compiled: by which versions, with which options."""
    here = Path(__file__).parent
    files = [here.parent / "compilation.py", here.parent / "cache.py", *sorted(here.glob("*.py"))]
    made_by = (
        *(sys.implementation.name, sys.version_info[:2]),
        *(numba.__version__, llvmlite.__version__, llvm.llvm_version_info),
        np.__version__.split(".")[:2],  # Numba follows its rules for the types of results
        numba.config.BOUNDSCHECK,  # see indexing.py
        getattr(numba.config, "USING_SVML", False),  # then kernels call Intel's library
    )
    return hashlib.sha256(
        repr(made_by).encode() + b"".join(file.read_bytes() for file in files)
    ).hexdigest()


def made_by(target: precompiled.Target) -> str:
    """Return what decides, beside the sources, whether code for a processor can be used."""
    return f"{target.name} {compiler_digest()}"


def can_use_precompiled() -> bool:
    """Tell whether code that came with the package is for this processor and this compiler."""
    architecture = llvm.get_process_triple().partition("-")[0]
    target = precompiled.target_for(architecture, llvm.get_host_cpu_features().flatten())
    file = precompiled.FOLDER / precompiled.MADE_BY
    if target is None or not file.is_file():
        return False
    return file.read_text(encoding="utf-8") == made_by(target)


@contextmanager
def compilations() -> Iterator[Callable[[], tuple[int, int]]]:
    """Yield a function that counts the compilations in this block: begun, and finished ones.

    Functions that a player's own code compiles count, too.
    """
    recorder = event.RecordingListener()

    def count() -> tuple[int, int]:
        begun = [one.is_start for _, one in recorder.buffer]
        return sum(begun), len(begun) - sum(begun)

    with event.install_listener("numba:compile", recorder):
        yield count
