"""Kernels get named tuples of arrays by their address; they mean what they mean in Python."""

import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest

from ludograph.rules import compiled


class Inner(NamedTuple):
    numbers: np.ndarray
    factor: int


class Outer(NamedTuple):
    inner: Inner
    table: np.ndarray
    flag: bool
    pair: tuple[int, int]


def outer() -> Outer:
    inner = Inner(np.arange(5, 10), 100)
    return Outer(inner, np.arange(6.0).reshape(2, 3), True, (1, 2))


@compiled
def mixed(outer):
    inner, table, flag, pair = outer
    numbers, factor = inner
    total = numbers[0] + outer.inner.numbers[1] + factor + outer[0][1] + pair[1] + len(outer)
    return total + table[0, 1] + table.shape[0] + table[1].size + (1000 if flag else 0)


@compiled(allocates=True)
def with_copies(outer):
    return (outer.table * 2).sum() + mixed(outer)


@compiled(allocates=True)
def table_of(outer):
    return outer.table


@compiled
def move_all(outer, count):
    for index in range(outer.inner.numbers.size):
        outer.inner.numbers[index] += count
    return outer.inner.numbers[0]


def test_fields_are_what_they_are_in_python() -> None:
    given = outer()
    strided = given._replace(table=np.arange(12.0).reshape(2, 6)[:, ::2])
    for each in (given, strided):
        assert mixed(each) == mixed.python(each)
        assert with_copies(each) == (each.table * 2).sum() + mixed.python(each)


def test_arrays_can_be_changed_and_handed_back() -> None:
    given = outer()
    assert move_all(given, 10) == 15
    assert given.inner.numbers.tolist() == [15, 16, 17, 18, 19]
    assert table_of(given) is given.table


def test_no_references_are_lost() -> None:
    given = outer()
    with_copies(given)
    before = sys.getrefcount(given.table), sys.getrefcount(given.inner.numbers)
    for _ in range(50):
        with_copies(given)
        table_of(given)
    assert (sys.getrefcount(given.table), sys.getrefcount(given.inner.numbers)) == before


def test_what_is_no_array_is_refused() -> None:
    given = outer()
    mixed(given)
    with pytest.raises(TypeError, match="no array in Outer"):
        mixed.code_for(given)(given._replace(table=3))


@pytest.mark.slow
def test_functions_of_others_can_read_the_same_tuples() -> None:
    given = outer()
    mixed(given)
    theirs = numba.njit(lambda outer: outer.inner.numbers.sum() + outer[1].sum())
    assert theirs(given) == given.inner.numbers.sum() + given.table.sum()
