"""The error of the conformance suite, its sentences, and the traps that it sets."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from traceback import FrameSummary
from typing import Any

import numpy as np

from ludograph import games
from ludograph.errors import LudographError
from ludograph.search.plain_games import WrongIndex

GUARD = 16
CANARY = -0x5A5A5A5B
"""The guard number around every array that a kernel may write to: machine code checks no bounds."""

PACKAGE = Path(games.__file__).parents[1]
GAMES = Path(games.__file__).parent
LIBRARIES = {"llvmlite", "numba", "numpy"}
"""Folders of libraries that rules call."""


class ConformanceError(AssertionError):
    """A game breaks the contract; the message gives the clause, with seed and ply."""


def require(condition: object, message: str) -> None:
    """Raise ConformanceError unless a condition holds; not an ``assert``, which ``-O`` removes."""
    if not condition:
        raise ConformanceError(message)


def place_of(error: BaseException) -> FrameSummary | None:
    """Return the innermost line of a game's code in the traceback of an error, if there is one."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame for frame in reversed(frames) if is_of_a_game(frame)), None)


def is_of_a_game(frame: FrameSummary) -> bool:
    """Tell whether a line is not of Ludograph itself: a game in the package has a folder."""
    path = Path(frame.filename)
    if PACKAGE not in path.parents:
        return path.exists() and not LIBRARIES & set(path.parts)
    return GAMES in path.parents and path.parent != GAMES


def failure(error: BaseException, place: FrameSummary) -> str:
    """Return where the code of a game fails, and how."""
    kind = "" if isinstance(error, IndexError | TimeoutError) else f"{type(error).__name__}: "
    return f"{place.filename}, line {place.lineno}: {place.name} fails: {kind}{error}"


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
        if (place := place_of(error)) is None:
            raise
        raise ConformanceError(f"{where()}: {failure(error, place)}") from error


def guarded(size: int, kind: Any, canary: int = CANARY) -> tuple[Any, Callable[[], bool]]:
    """Return an array with guards on both sides, and a function that checks the guards."""
    whole = np.full(size + 2 * GUARD, canary, kind)

    def stands() -> bool:
        return bool((whole[:GUARD] == canary).all() and (whole[-GUARD:] == canary).all())

    return whole[GUARD : GUARD + size], stands
