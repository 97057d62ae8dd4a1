"""Machine code in the package, so that a first game does not wait for the compiler.

A wheel for a platform contains it; a checkout and the wheel for all platforms do not.
``scripts/build-wheel`` makes it for a common processor, for the kernels that Python calls: their
machine code contains all kernels that they call.

Its files have the names that they would have in the user's folder on such a processor, see
:mod:`ludograph.rules.cache`. So a file is found only if everything that it was made from is the
same: each function that it reaches, and the versions of Python, Numba, LLVM and NumPy. Otherwise
kernels are compiled as usual.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "precompiled"

MADE_BY = "made-by"
"""The file there that identifies the target of the code, see
:func:`ludograph.rules._numba.compiler.made_by`."""


class Target(NamedTuple):
    """A common processor.

    Attributes
    ----------
    name
        Its name in LLVM.
    features
        The features that a processor needs to run the code, with LLVM's names.
    """

    name: str
    features: frozenset[str]


TARGETS = {
    "x86_64": Target(
        "x86-64-v3",
        frozenset(
            (
                *("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt"),
                *("sahf", "sse3", "ssse3", "sse4.1", "sse4.2", "xsave"),
            )
        ),
    ),
    "aarch64": Target("generic", frozenset()),
}
"""By architecture, as LLVM names it: the x86-64 processors since 2013 to 2015, and all of ARM's.

Every program for Linux on ``aarch64`` uses what ``generic`` needs. LLVM reads the features there
from ``/proc/cpuinfo``, which shows another processor's in an emulator, and so none of ARM's.
"""


def target_for(architecture: str, features: str) -> Target | None:
    """Return the target whose code a processor can run; None if there is none.

    Parameters
    ----------
    architecture
        As LLVM names it: ``x86_64``.
    features
        The processor's features by LLVM: ``+avx2,-avx512f``.
    """
    target = TARGETS.get(architecture)
    present = {each[1:] for each in features.split(",") if each.startswith("+")}
    return target if target is not None and target.features <= present else None
