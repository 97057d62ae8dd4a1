"""Large arrays of zeros take memory as it is written to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ludograph.search.records import LARGE, make_zeros

MIB = 1 << 20


def resident() -> int:
    """Return how much memory this process has in use, in bytes."""
    line = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if "VmRSS" in line
    )
    return int(line.split()[1]) * 1024


def test_what_small_arrays_left_is_not_cleared_for_a_large_one() -> None:
    # The C library serves arrays of 16 MiB from its heap once one of them has come and gone, and
    # keeps what is below one that stays.
    for _ in range(2):
        left = [np.empty(16 * MIB, np.uint8) for _ in range(8)]
        stays = left.pop()
        left.clear()
    before = resident()
    zeros = make_zeros((64, MIB), np.uint8)
    assert resident() - before < 4 * MIB
    zeros[3, :2] = 1
    assert zeros.sum() == 2
    assert stays.size


@pytest.mark.parametrize("shape", [3, LARGE, (2, 3), (2, LARGE), 0])
def test_arrays_are_as_those_of_numpy(shape: int | tuple[int, ...]) -> None:
    dtype = np.dtype([("one", np.int32), ("other", np.float64)], align=True)
    zeros, same = make_zeros(shape, dtype), np.zeros(shape, dtype)
    assert (zeros.shape, zeros.dtype, zeros.flags.writeable) == (same.shape, same.dtype, True)
    assert not zeros["one"].any()
    assert not zeros["other"].any()
