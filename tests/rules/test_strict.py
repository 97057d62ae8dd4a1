"""Arrays that check their indices are read in the types of machine code."""

import numpy as np
import pytest

from ludograph.rules.strict import BeyondArray, strict

SMALL = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32]


def of_whole_numbers(values):
    return values[0] - 10, -(values[0] - 4), values[1] * 10**9, values[0] << 40, values[1] - 121


def of_truths(values):
    total = 0
    for value in values:
        total += value + value
    return total, values[0] - values[1], -values[0], ~values[0], ~values[1], values[0] & values[1]


def of_fractions(values):
    return int(values[0] * 10), int(values[0] * 10.0), values[0] + 1


CASES = [
    *((of_whole_numbers, np.array([3, 120], kind)) for kind in SMALL),
    (of_truths, np.array([True, False])),
    (of_truths, np.array([True, True])),
    (of_fractions, np.array([0.7], np.float32)),
]


@pytest.mark.every_case
@pytest.mark.parametrize("kind", SMALL)
def test_small_whole_numbers_do_not_wrap_around(kind) -> None:
    found = of_whole_numbers(strict(np.array([3, 120], kind), "values"))
    assert found == (-7, 1, 120 * 10**9, 3 << 40, -1)


def test_truths_are_numbers() -> None:
    assert of_truths(strict(np.array([True, False]), "values")) == (2, 1, -1, False, True, False)


def test_float32_is_not_rounded_off() -> None:
    """0.7 in float32 is a little less: an index of 6, not of 7."""
    found = of_fractions(strict(np.array([0.7], np.float32), "values"))
    assert found == (6, 6, 1 + float(np.float32(0.7)))


def test_an_index_that_is_negative_in_machine_code_alone_is_refused() -> None:
    kinds, table = strict(np.array([3], np.uint8), "kinds"), strict(np.arange(256), "table")
    place = kinds[0] - 10
    with pytest.raises(BeyondArray, match=r"^table .* -7\b"):
        table[place]


@pytest.mark.slow
@pytest.mark.parametrize(("function", "values"), CASES)
def test_machine_code_reads_the_same(function, values) -> None:
    numba = pytest.importorskip("numba")
    assert function(strict(values, "values")) == numba.njit(function)(values)


def test_hashes_of_uint64_wrap_around() -> None:
    values = strict(np.array([2**63 + 1], np.uint64), "values")
    with np.errstate(over="ignore"):
        assert values[0] * np.uint64(2) == 2
