"""The error of the conformance suite, and its sentences."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from ludograph.errors import LudographError
from ludograph.search.plain_games import WrongIndex, failure, is_of_a_game


class ConformanceError(AssertionError):
    """A game breaks the contract; the message gives the clause, with seed and ply."""


def require(condition: object, message: str) -> None:
    """Raise ConformanceError unless a condition holds; not an ``assert``, which ``-O`` removes."""
    if not condition:
        raise ConformanceError(message)


@contextlib.contextmanager
def named(where: Callable[[], str]) -> Iterator[None]:
    """Turn an error that the code of a game should not raise into a ConformanceError.

    Parameters
    ----------
    where
        Returns the beginning of the sentence, such as ``seed 3, ply 5``.
    """
    try:
        yield
    except WrongIndex as error:
        raise ConformanceError(f"{where()}: {error}") from error
    except (ConformanceError, LudographError):
        raise
    except Exception as error:
        if not is_of_a_game(error):
            raise
        raise ConformanceError(f"{where()}: {failure(error)}") from error
