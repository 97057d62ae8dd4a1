"""Machine code that comes with the package, so that a first game need not wait for the compiler.

A wheel for a platform holds it; a checkout and the wheel for all platforms hold none. It is made
by ``scripts/build-wheel``, for a common processor: of the kernels that Python calls, as their
machine code contains all kernels that they call.

Its files have the names that they would have in the user's folder on such a processor, see
:mod:`ludograph.rules.cache`. So a file is found only where all that it was made from is the same:
each function that it reaches, and the versions of Python, Numba, LLVM and NumPy. Otherwise kernels
are compiled as if there were none.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "precompiled"

MADE_BY = "made-by"
"""The file there that says what the code is for, see :func:`ludograph.rules.cache.made_by`."""


class Target(NamedTuple):
    """A common processor.

    Attributes
    ----------
    name
        LLVM's name of it.
    features
        What a processor must have to run the code, as LLVM names it.
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
    "aarch64": Target("generic", frozenset({"neon"})),
}
"""By architecture, as LLVM names it: the x86-64 processors since 2013 to 2015, and all of ARM's."""


def target_for(architecture: str, features: str) -> Target | None:
    """Return the target whose code a processor can run; None if there is none.

    Parameters
    ----------
    architecture
        As LLVM names it: ``x86_64``.
    features
        What LLVM tells of the processor: ``+avx2,-avx512f``.
    """
    target = TARGETS.get(architecture)
    present = {each[1:] for each in features.split(",") if each.startswith("+")}
    return target if target is not None and target.features <= present else None
