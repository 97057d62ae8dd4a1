"""A board looks the same on every processor: its records, pages and pictures carry the drawing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.boards import arithmetic
from tests.boards.drawings import EVERY, SMALL, digests
from tests.processors import OLD, blas_kernels


@cache
def drawn_here() -> dict[str, str]:
    return digests(EVERY)


def drawn_by(graphs: str, changed: dict[str, str]) -> dict[str, str]:
    """Return the digests that a process finds in a changed environment."""
    code = (
        "import json; from tests.boards import drawings;"
        f" print(json.dumps(drawings.digests(drawings.{graphs})))"
    )
    environment = {name: value for name, value in os.environ.items() if name not in OLD} | changed
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(found.stdout)


def test_boards_are_drawn_alike_on_an_old_processor() -> None:
    assert drawn_by("SMALL", OLD) == digests(SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("kind", blas_kernels())
def test_boards_are_drawn_alike_with_the_kernels_of_each_processor(kind: str) -> None:
    assert drawn_by("EVERY", {"OPENBLAS_CORETYPE": kind}) == drawn_here()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(OLD.keys() - {"OPENBLAS_CORETYPE"}))
def test_boards_are_drawn_alike_whatever_library_knows_the_processor(name: str) -> None:
    assert drawn_by("EVERY", {name: OLD[name]}) == drawn_here()


@given(st.floats(-2 * np.pi, 2 * np.pi))
def test_unit_vectors_are_cosines_and_sines(angle: float) -> None:
    found = arithmetic.unit_vectors(angle)
    assert np.allclose(found, (np.cos(angle), np.sin(angle)), rtol=4e-16, atol=1e-40)


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_products_and_inverses_are_those_of_algebra(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix, columns = rng.normal(size=(n, n)), rng.normal(size=(n, 3))
    assert np.allclose(arithmetic.product(matrix, columns), matrix @ columns)
    definite = matrix @ matrix.T + np.eye(n)
    assert np.allclose(arithmetic.inverse(definite) @ definite, np.eye(n))
