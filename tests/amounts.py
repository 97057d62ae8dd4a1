"""How much random tests try: all of it in ``make test-all``, a share of it in ``make test``."""

from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager, nullcontext

import pytest
from _pytest.mark import ParameterSet

SHARE = 8
everything = False
"""Set by ``--all`` before test modules are imported."""


def plain_in_make_test() -> AbstractContextManager[None]:
    """Run kernels as plain Python in ``make test``, as machine code in ``make test-all``.

    For tests that would compile much for little: what they alone need.
    """
    from ludograph.rules import interpreted

    return nullcontext() if everything else interpreted()


def amount(full: int) -> int:
    """Return how many of so many games to play now, at least one."""
    return full if everything else max(1, full // SHARE)


def slow_but(quick: Collection[object], values: Iterable[object]) -> list[ParameterSet]:
    """Return parameters of a test, those to leave to ``make test-all`` marked."""
    return [
        pytest.param(
            *(one if isinstance(one, tuple) else (one,)),
            marks=() if one in quick else pytest.mark.slow,
        )
        for one in values
    ]


def few(now: int, full: int) -> int:
    """Return how much of something to try now, where a share would be too much or too little."""
    return full if everything else now
