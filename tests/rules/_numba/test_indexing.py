"""Kernels take an index as it is: an upgrade of Numba that ends that is noticed here."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.rules import compiled
from ludograph.rules._numba import insides


@compiled
def entry(numbers, index):
    return numbers[index]


@compiled
def last_of(numbers, table, row):
    return numbers[-1] + 10 * numbers[-2] + 100 * table[row, -1] + 1000 * table[-1, 0]


@compiled(allocates=True)
def entry_by_numba(numbers, index):
    return numbers[index]


@pytest.mark.slow
def test_no_index_counts_from_the_end() -> None:
    numbers = np.arange(8)
    upper = numbers[4:]
    assert [entry(upper, index) for index in range(4)] == [4, 5, 6, 7]
    assert entry(upper, -1) == 3  # what lies before, where Python and Numba have the last one
    assert entry_by_numba(upper, -1) == upper[-1] == 7
    assert [entry(numbers[4::2], index) for index in (-1, 0, 1)] == [2, 4, 6]


def test_the_last_ones_are_what_they_are_everywhere() -> None:
    numbers = np.arange(5)
    assert last_of(numbers, np.arange(6).reshape(2, 3), 0) == 4 + 30 + 200 + 3000


@compiled
def visit(table, row, column, value, out):
    """Read, write and change elements by all forms of an index."""
    out[0] = table[row, column]
    table[row, column] = value
    table[row][column] += table[-1, column]
    line = table[row]
    for index in range(line.size):
        out[1] = 3 * out[1] + line[np.uint8(index)]
    out[2] = table[row, -1]


def tables() -> dict[str, np.ndarray]:
    """Return tables of all layouts and types of numbers; the same ones at each call."""
    plain = np.arange(24).reshape(4, 6) % 7
    record = np.zeros((4, 3), np.dtype([("flag", np.int8), ("number", np.int32)], align=True))
    packed = np.zeros((4, 3), np.dtype([("flag", np.int8), ("number", np.int32)]))
    return {
        **{str(kind): plain.astype(kind) for kind in ("int8", "uint32", "float32", "bool")},
        "columns first": np.asfortranarray(plain),
        "backwards": plain[::-1, ::-2],
        "part": plain[1:, 2:],
        "fields": record["number"],
        "not aligned": packed["number"],
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", list(tables()))
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_elements_are_what_they_are_in_python(name, data) -> None:
    rows, columns = tables()[name].shape
    row, column = (data.draw(st.integers(0, size - 1)) for size in (rows, columns))
    value = data.draw(st.integers(0, 50))
    results = []
    for run in (visit, visit.python):
        table, out = tables()[name], np.zeros(3)
        run(table, row, column, value, out)
        results.append((table.tolist(), out.tolist()))
    assert results[0] == results[1]


@compiled
def only_one(numbers):
    numbers[()] += 1
    return numbers[()]


def test_an_array_without_axes_has_one_element() -> None:
    assert only_one(np.array(3)) == 4
    assert insides.are_usable()


@pytest.mark.slow
def test_code_of_others_in_this_process_is_as_ever() -> None:
    def by_index(numbers, index):
        return numbers[index]

    upper = np.arange(8)[4:]
    assert entry(upper, -1) == 3
    for options in ({}, {"_nrt": False}, {"_nrt": False, "error_model": "numpy"}):
        theirs = numba.njit(**options)(by_index)
        assert theirs(upper, -1) == 7
        assert theirs(upper, -4) == 4
    assert entry(upper, -1) == 3


CHECKED = """
import sys
import numpy as np
from tests.rules._numba.test_indexing import entry
try:
    entry(np.arange(4), int(sys.argv[1]))
except IndexError:
    print("refused")
"""


@pytest.mark.slow
def test_indices_can_be_checked() -> None:
    env = dict(os.environ, NUMBA_BOUNDSCHECK="1")
    for index, said in ((3, ""), (-1, "refused"), (4, "refused")):
        command = [sys.executable, "-c", CHECKED, str(index)]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == said
