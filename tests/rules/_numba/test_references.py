"""Kernels get named tuples of arrays by their address; they mean what they mean in Python."""

import subprocess
import sys
from typing import NamedTuple

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


@compiled(allocates=True)
def steps_of(outer):
    for number in outer.inner.numbers:
        yield number + outer.inner.factor


@compiled(allocates=True)
def parts_of(outer):
    return outer, [outer.inner], outer[1:3]


def test_what_outlives_a_call_is_a_value() -> None:
    given = outer()
    assert list(steps_of(given)) == [105, 106, 107, 108, 109]
    whole, (inner,), (table, flag) = parts_of(given)
    assert isinstance(whole, Outer)
    assert isinstance(inner, Inner)
    assert whole.inner.numbers is inner.numbers is given.inner.numbers
    assert table is whole.table is given.table
    assert (inner.factor, flag, whole.flag, whole.pair) == (100, True, True, (1, 2))


class Views(NamedTuple):
    words: np.ndarray
    octets: np.ndarray
    count: int


@compiled
def rewritten(views):
    total = 0
    for index in range(views.count):
        views.octets[8 * index] = views.words[index] + 1
        total = 3 * total + views.words[index]
        views.words[index] += views.octets[8 * index]
    return total


def test_arrays_of_a_tuple_can_overlap() -> None:
    results = []
    for run in (rewritten, rewritten.python):
        words = np.arange(5, 13)
        found = run(Views(words, words.view(np.int8), 8))
        results.append((int(found), words.tolist()))
    assert results[0] == results[1]


class Even(NamedTuple):
    first: np.ndarray
    second: np.ndarray


@compiled
def over_all(even, number):
    total = even[number][0]
    for array in even:
        total = 10 * total + array[1]
    return total


def test_a_tuple_of_one_type_can_be_iterated_over() -> None:
    even = Even(np.arange(3), np.arange(5, 8))
    assert over_all(even, 1) == over_all.python(even, 1) == 516


FOR_OTHERS = """
import sys
import numba
import numpy as np
from tests.rules._numba.test_references import Inner, mixed, outer

@numba.njit
def total(inners):
    found = 0
    for inner in inners:
        found = 100 * found + inner.numbers[0] + inner.factor
    return found

@numba.njit
def same(inner):
    return inner

def used():
    inners = [Inner(np.arange(k, 2 * k), k) for k in (1, 2, 3)]
    kept = numba.typed.List()
    for inner in inners:
        kept.append(inner)
    return int(total(inners)), int(total(kept)), same(inners[0]).numbers is inners[0].numbers

if sys.argv[1] == "before":
    print(used())
print(mixed(outer()) == mixed.python(outer()))
print(used())
"""


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_functions_of_others_are_as_ever(when) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FOR_OTHERS, when], capture_output=True, text=True, check=True
    )
    used = "(20406, 20406, True)\n"
    assert done.stdout == (used if when == "before" else "") + "True\n" + used
