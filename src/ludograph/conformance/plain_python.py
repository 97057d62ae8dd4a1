"""A first game as plain Python, where wrong indices are found that machine code does not check."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import ConformanceError
from ludograph.rules import PLY, Setup
from ludograph.rules.dispatch import Generic
from ludograph.search.plain_games import PACKAGE, NotAMove, PlainGame, failure, is_of_a_game

SECONDS = 20.0
"""A rule that needs more than this to return, as plain Python, is taken for an endless loop."""

FOR_THE_COMPILER = (AttributeError, ImportError, NameError, NotImplementedError, TypeError)
"""Errors of rules that the compiler refuses, too: its sentence is better."""

LOOKS = 16
"""The number of plies of a long game at which hints and evaluations are called: these may play
whole games."""


def check_plain(setup: Setup, seed: int) -> Exception | None:
    """Play games as plain Python, before machine code runs that a wrong index could crash.

    Returns
    -------
    Exception, optional
        An error about which the compiler should speak first.

    Raises
    ------
    ConformanceError
        If a rule fails, or does not return: with its name, file and line.
    """
    game = None
    try:
        with rules.interpreted(), np.errstate(divide="raise"), watched(type(setup)):
            game = PlainGame(setup, seed, looks=LOOKS)
            game.play()
    except NotAMove as error:
        raise ConformanceError(str(error)) from None
    except Exception as error:
        if not is_of_a_game(error):
            raise
        at = f"seed {seed}" if game is None else f"seed {seed}, ply {max(0, game.state[PLY])}"
        fault = ConformanceError(f"{at}: {failure(error)}")
        fault.__cause__ = error
        if isinstance(error, FOR_THE_COMPILER):
            return fault
        raise fault from error
    return None


@contextlib.contextmanager
def watched(setup_type: type) -> Iterator[None]:
    """Raise TimeoutError in a rule of a Setup type that does not return within some seconds.

    Only the main thread can be interrupted; in others an endless loop stays one.
    """
    if threading.current_thread() is not threading.main_thread() or any(
        signal.getitimer(signal.ITIMER_REAL)
    ):
        yield
        return
    codes = set(codes_of(setup_type))
    own = {PACKAGE, *(Path(code.co_filename).parent for code in codes)}
    seen: FrameType | None = None

    def look(_number: int, frame: FrameType | None) -> None:
        nonlocal seen
        before, seen = seen, None
        # An error in a library or a tool, such as one of coverage, could leave a lock there closed.
        elsewhere = frame is None or own.isdisjoint(Path(frame.f_code.co_filename).parents)
        while frame is not None:
            if frame.f_code in codes:
                seen = frame
            frame = frame.f_back
        if seen is not None and seen is before and not elsewhere:
            raise TimeoutError(f"{seen.f_code.co_name} has not returned for {SECONDS:g} s")

    old = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def codes_of(setup_type: type) -> Iterator[CodeType]:
    """Yield the code of each rule of a Setup type, except a playout, which is a whole game."""
    for function in vars(rules).values():
        if isinstance(function, Generic) and function is not rules.playout:
            kernel = function.kernels.get(setup_type)
            if kernel is not None:
                yield kernel.python.__code__
