"""The error of the conformance suite."""

from __future__ import annotations


class ConformanceError(AssertionError):
    """A game breaks the contract; the message says which clause, with seed and ply."""


def require(condition: object, message: str) -> None:
    """Raise ConformanceError unless a condition holds; not an ``assert``, which ``-O`` removes."""
    if not condition:
        raise ConformanceError(message)
