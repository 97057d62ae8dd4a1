"""Errors that the code of a game raises in the suite, as sentences for its author."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from traceback import FrameSummary

from ludograph import games
from ludograph.conformance.fault import ConformanceError
from ludograph.errors import LudographError

PACKAGE = Path(games.__file__).parents[1]
GAMES = Path(games.__file__).parent
LIBRARIES = {"llvmlite", "numba", "numpy"}
"""Folders of libraries that rules call."""


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
    except (ConformanceError, LudographError):
        raise
    except Exception as error:
        if (place := place_of(error)) is None:
            raise
        raise ConformanceError(f"{where()}: {failure(error, place)}") from error
