"""Arithmetic with the same bits on every processor, for all that boards are drawn from.

Libraries choose their code by the processor: BLAS and LAPACK the order of their sums, the C library
and numpy their sines. Another last bit in an eigenvector, and a symmetric graph is drawn another
way round. Only ``+``, ``-``, ``*``, ``/`` and the square root are rounded the same way everywhere;
numpy computes each by itself and adds in a fixed order, and all functions here are made of these.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer]

_BITS = 160
_ONE = 1 << _BITS

_GOLDEN_ANGLE = 2.399963
"""In radians: directions that are this far from each other spread evenly."""

_RING = 610
"""A Fibonacci number: the sum of this number of golden angles is almost a whole number of turns."""


def unit_vectors(angles: npt.ArrayLike) -> Floats:
    """Return the cosine and the sine of each angle, correctly rounded: float64[..., 2].

    Parameters
    ----------
    angles : float64[...]
        In radians, from -2 pi to 2 pi. Each takes some 30 microseconds.
    """
    array = np.asarray(angles, dtype=np.float64)
    pairs = [_cosine_and_sine(angle) for angle in array.ravel().tolist()]
    return np.array(pairs).reshape(*array.shape, 2)


def _cosine_and_sine(angle: float) -> tuple[float, float]:
    """Add up Taylor's series in whole numbers, so that only the last division rounds."""
    numerator, denominator = angle.as_integer_ratio()
    x = numerator * _ONE // denominator
    square = x * x >> _BITS
    cosine = sine = _ONE
    for k in range(60, 0, -2):
        cosine = _ONE - (square * cosine >> _BITS) // (k * (k - 1))
        sine = _ONE - (square * sine >> _BITS) // (k * (k + 1))
    return cosine / _ONE, (x * sine >> _BITS) / _ONE


def golden_directions(numbers: Ints) -> Floats:
    """Return a direction for each number, far from that of the next one: float64[..., 2]."""
    return np.asarray(_ring()[numbers % _RING])


@cache
def _ring() -> Floats:
    return unit_vectors(np.arange(_RING) * _GOLDEN_ANGLE % (2 * np.pi))


def lengths(vectors: npt.ArrayLike) -> Floats:
    """Return the length of each vector of the plane: float64[...] of float64[..., 2]."""
    x, y = np.moveaxis(np.asarray(vectors, dtype=np.float64), -1, 0)
    return np.asarray(np.sqrt(x * x + y * y))


def product(rows: npt.ArrayLike, columns: npt.ArrayLike) -> Floats:
    """Return the product of two matrices; memory for one more of the size of the first."""
    left = np.asarray(rows, dtype=np.float64)
    columns = np.asarray(columns, dtype=np.float64).T
    sums = [np.multiply(left, column, order="C").sum(axis=1) for column in columns]
    return np.stack(sums, axis=1)


def inverse(matrix: Floats) -> Floats:
    """Return the inverse of a symmetric, positive definite matrix, by Gauss and Jordan."""
    out = matrix.copy()
    for k in range(len(out)):
        pivot = out[k, k]
        row, column = out[k] / pivot, out[:, k].copy()
        out -= column[:, None] * row
        out[k] = row
        out[:, k] = column / -pivot
        out[k, k] = 1.0 / pivot
    return out
