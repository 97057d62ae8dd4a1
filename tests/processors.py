"""The environment of a process that does without some abilities of this processor.

BLAS, the C library, numpy and Numba choose their code by the processor. Each can be made to take
the code of another one, as long as this processor can run it.
"""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np

OLD = {
    "OPENBLAS_CORETYPE": "Prescott",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
    "NPY_DISABLE_CPU_FEATURES": " ".join(
        np.show_config(mode="dicts")["SIMD Extensions"].get("found", ())  # type: ignore[index, call-overload]
    ),
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
}
"""The environment of a processor of 2005; for one of another architecture it changes less."""

_NEEDED = {
    "Prescott": "pni",
    "Nehalem": "sse4_2",
    "Sandybridge": "avx",
    "Haswell": "avx2",
    "Zen": "avx2",
    "SkylakeX": "avx512f",
}
"""Kinds of processors that OpenBLAS knows, and what Linux calls the newest ability they need."""


def blas_kernels() -> list[str]:
    """Return the kinds of processors whose BLAS kernels run on this one; none but on x86-64."""
    if platform.machine() != "x86_64":
        return []
    abilities = set(Path("/proc/cpuinfo").read_text().split())
    return [kind for kind, ability in _NEEDED.items() if ability in abilities]
