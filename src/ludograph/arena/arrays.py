"""Numbers for the rows and values of arrays, without ``np.unique``: it imports masked arrays."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

Floats = NDArray[np.float64]

Bools = NDArray[np.bool_]

Number = TypeVar("Number", np.int64, np.float64)

LARGEST = 1 << 62


def labels(rows: Ints) -> Ints:
    """Return a number for each row, the same for equal rows, from 0 without gaps."""
    numbers, count = np.zeros(len(rows), np.int64), 1
    for column in rows.T:
        values = int(column.max(initial=0)) + 1
        if count * values >= LARGEST or column.min(initial=0) < 0:
            column, numbers = _dense(column), _dense(numbers)  # noqa: PLW2901
            count, values = len(rows), len(rows)
        numbers, count = numbers * values + column, count * values
    return _dense(numbers)


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """Return the different values in order.

    A stable sort is quick if the values are nearly in order, as those of games mostly are.
    """
    ordered = np.sort(values, kind="stable")
    return ordered[_begins(ordered)]


def first_places(values: Ints, count: int) -> Ints:
    """Return int64[count]: the first place of each number below `count`; past the end if none."""
    first = np.full(count, len(values))
    first[values[::-1]] = np.arange(len(values))[::-1]
    return first


def _dense(values: Ints) -> Ints:
    """Return the number of each value among the different ones, the least being 0."""
    order = np.argsort(values, kind="stable")
    numbers = np.empty(len(values), np.int64)
    numbers[order] = np.cumsum(_begins(values[order])) - 1
    return numbers


def _begins(ordered: NDArray[Any]) -> NDArray[np.bool_]:
    """Return for each value whether it differs from the one before it."""
    begins = np.ones(len(ordered), np.bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    return begins
