"""Products of matrices a few rows at a time: what NumPy finds, in machine code and without."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph import rules
from ludograph.rules import compiled
from ludograph.rules.compile_errors import CannotCompile
from ludograph.rules.products import LANES, ROWS, add_products


@compiled
def add_once(sums, source, rows, first, by, weights):
    add_products(sums, source, rows, first, by, weights)


def small(rng, *shape):
    """Return numbers of which no sum here is rounded."""
    return rng.integers(-8, 9, shape).astype(np.float32)


@settings(deadline=None)
@given(depth=st.integers(1, 40), strips=st.integers(1, 3), seed=st.integers(0, 2**32 - 1))
@pytest.mark.parametrize("interpreted", [False, True], ids=["machine code", "plain Python"])
def test_sums_grow_by_products(interpreted, depth, strips, seed):
    rng = np.random.default_rng(seed)
    source, weights = small(rng, 50, depth), small(rng, depth, strips * LANES)
    sums = small(rng, ROWS, strips * LANES)
    first, by = int(rng.integers(5)), int(rng.integers(-10, 11))
    rows = rng.integers(10, 40, 5 + ROWS).astype(np.int32)
    wanted = sums + source[rows[first : first + ROWS] + by] @ weights
    if interpreted:
        with rules.interpreted():
            add_once(sums, source, rows, first, by, weights)
    else:
        add_once(sums, source, rows, first, by, weights)
    assert np.array_equal(sums, wanted)


def test_other_numbers_are_not_compiled():
    rng = np.random.default_rng(1)
    source, weights, rows = small(rng, 9, 4), small(rng, 4, LANES), np.arange(ROWS, dtype=np.int32)
    sums = small(rng, ROWS, LANES)
    with pytest.raises(CannotCompile):
        add_once(sums.astype(float), source, rows, 0, 0, weights)
    with pytest.raises(CannotCompile):
        add_once(sums, source, rows, 0, 0, np.asfortranarray(weights))
    with pytest.raises(CannotCompile):
        add_once(sums, source, rows.astype(np.int64), 0, 0, weights)
