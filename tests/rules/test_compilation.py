"""Kernels are compiled without Numba's runtime: an internal option of Numba that we rely on."""

from typing import NamedTuple

import numpy as np
import pytest

from ludograph import rules
from ludograph.rules import compiled, implements
from ludograph.rules.compilation import Kernel
from ludograph.rules.compile_errors import ALLOCATES, CannotCompile


@pytest.fixture(autouse=True)
def nothing_is_kept(tmp_path, monkeypatch) -> None:
    """Compile in this process: what is found on disk cannot be looked into."""
    monkeypatch.setenv("LUDOGRAPH_CACHE", str(tmp_path))


class Pair(NamedTuple):
    """A Setup of two arrays."""

    numbers: np.ndarray
    more: np.ndarray


@compiled
def picked(pair, index):
    view = pair.numbers[1:]
    return view[index] + pair.more[0]


@compiled
def handed_on(pair, count):
    total = 0
    for index in range(count):
        total += picked(pair, index)
    return total


@compiled(allocates=True)
def doubled_sum(numbers):
    return (2 * numbers).sum()


@compiled
def calls_one_that_allocates(pair):
    return doubled_sum(pair.numbers) + 1


@compiled
def makes_an_array(count):
    return np.zeros(count).size


@compiled
def copies_an_array(source, target):
    target[:] = source


@implements(rules.info, Pair, allocates=True)
def pair_info(setup):
    return rules.GameInfo(2, np.unique(setup.numbers).size, 1, 1, 0.0, 1.0)


@compiled
def counts_seats(setup):
    return rules.info(setup).seats


@compiled
def plus_one(number):
    return number + 1


@compiled
def plus_one_of(numbers, index):
    return plus_one(numbers[index]) + plus_one(np.int64(1)) + plus_one(7)


PAIR = Pair(np.arange(10, dtype=np.int32), np.array([5]))


def machine_code(kernel: Kernel) -> str:
    """Return the code of everything that a kernel consists of."""
    entries = set(kernel._entries.values())
    return "".join(code for entry in entries for code in entry.inspect_llvm().values())


@pytest.mark.slow
def test_no_references_are_counted() -> None:
    assert handed_on(PAIR, 3) == 1 + 2 + 3 + 15 == handed_on.python(PAIR, 3)
    code = machine_code(handed_on)
    assert "NRT_incref" not in code
    assert "NRT_decref" not in code


@pytest.mark.slow
def test_the_sign_is_there_where_references_are_counted() -> None:
    assert doubled_sum(PAIR.numbers) == 90
    assert "NRT_" in machine_code(doubled_sum)


@pytest.mark.slow
def test_a_kernel_may_call_one_that_allocates() -> None:
    assert calls_one_that_allocates(PAIR) == 91
    assert counts_seats(PAIR) == 10 == rules.info(PAIR).seats


@pytest.mark.parametrize(
    ("kernel", "args"),
    [(makes_an_array, (3,)), (copies_an_array, (np.zeros(3), np.zeros(3)))],
)
def test_an_allocation_is_refused_in_words(kernel, args) -> None:
    with pytest.raises(CannotCompile, match=f": {kernel.__name__} cannot be compiled: ") as caught:
        kernel(*args)
    assert caught.value.reason == ALLOCATES
    assert caught.value.line == kernel.python.__code__.co_firstlineno + 2


def test_one_kind_of_integer_reaches_a_kernel() -> None:
    for numbers in (np.arange(4, dtype=np.int32), np.arange(4, dtype=np.int8)):
        assert plus_one_of(numbers, 2) == 3 + 2 + 8
    assert [str(signature[0]) for signature in plus_one.callee.signatures] == ["int64"]
