"""A first game as plain Python, where wrong indices are found that machine code does not check."""

from __future__ import annotations

import ast
import contextlib
import linecache
import signal
import sys
import threading
from collections.abc import Iterator
from itertools import islice
from types import CodeType, FrameType
from typing import Any, TypeVar

import numpy as np

from ludograph import rules
from ludograph.conformance.fault import ConformanceError, failure, guarded, place_of, require
from ludograph.errors import is_whole
from ludograph.rules import CHANCE, OVER, PLY, TURN, ObservationInfo, Setup
from ludograph.rules.dispatch import Generic

T = TypeVar("T")

SECONDS = 20.0
"""A rule that needs more than this to return, as plain Python, is taken for an endless loop."""

FOR_THE_COMPILER = (AttributeError, ImportError, NameError, NotImplementedError, TypeError)
"""Errors of rules that the compiler refuses, too: its sentence is better."""


class Strict(np.ndarray[Any, Any]):
    """An array that refuses each index that machine code would not check.

    Machine code reads and writes beyond the end of an array. It reads before its beginning if a
    computed index is negative: only a constant index such as ``a[-1]`` counts from the end.

    Attributes
    ----------
    title
        The name of the array in messages.
    """

    title: str = ""

    def __array_finalize__(self, source: object) -> None:
        self.title = getattr(source, "title", "")

    def __getitem__(self, index: Any) -> Any:
        self._check(index, sys._getframe(1))
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index, sys._getframe(1))
        super().__setitem__(index, value)

    def _check(self, index: Any, frame: FrameType) -> None:
        indices = index if isinstance(index, tuple) else (index,)
        for place, (each, size) in enumerate(zip(indices, self.shape, strict=False)):
            if not is_whole(each):
                continue
            if not -size <= each < size:
                raise IndexError(f"{self.title} has no index {each}, its size is {size}")
            if each < 0 and not is_constant(frame, place):
                raise IndexError(
                    f"{self.title} has the index {each}; in machine code only a constant index "
                    "such as -1 counts from the end"
                )


def is_constant(frame: FrameType, place: int) -> bool:
    """Tell whether an index has no local name in the expression that a frame is at.

    Parameters
    ----------
    place
        The number of the index, if there are several.
    """
    positions = islice(frame.f_code.co_positions(), frame.f_lasti // 2, None)
    line, last, begin, end = next(positions)
    if line is None or last != line:
        return True
    text = linecache.getline(frame.f_code.co_filename, line).encode()[begin:end].decode()
    try:
        found = ast.parse(text, mode="eval").body
    except SyntaxError:
        return True
    if not isinstance(found, ast.Subscript):
        return True
    index = found.slice
    part = index.elts[place] if isinstance(index, ast.Tuple) else index
    return not any(isinstance(n, ast.Name) and n.id in frame.f_locals for n in ast.walk(part))


def strict(array: Any, title: str) -> Any:
    """Return a view of an array that checks all indices."""
    found = array.view(Strict)
    found.title = title
    return found


def strict_setup(setup: T, title: str = "setup") -> T:
    """Return a Setup with the same arrays, which check all indices."""
    fields = getattr(setup, "_fields", None)
    if isinstance(setup, np.ndarray):
        found: Any = strict(setup, title)
    elif fields is not None:
        parts = zip(fields, setup, strict=True)  # type: ignore[call-overload]
        found = type(setup)(*(strict_setup(value, f"{title}.{name}") for name, value in parts))
    else:
        found = setup
    return found


class PlainGame:
    """Random games of one Setup, as plain Python with strict arrays."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.setup = strict_setup(setup)
        self.info = rules.info(self.setup)
        self.rng = rules.random_state(seed, 1)
        self.where = f"seed {seed}"
        self.seen = ObservationInfo(*rules.observation(self.setup))
        self.state = self._array(self.info.state_size, np.int32, "state")

    def play(self) -> None:
        """Play a game, then one in which a seat is eliminated, and a playout."""
        rules.start(self.setup, self.state)
        start = self.state.copy()
        self._play_on()
        if self.state[TURN] != OVER:
            return  # a playout might have no end
        if self.info.seats > 2:
            self.state[:] = start
            rules.drop(self.setup, self.state, int(self.state[TURN] == 0))
            self._play_on()
        self.state[:] = start
        out = self._array(self.info.seats, np.float64, "out")
        rules.playout(self.setup, self.state, self.rng, out)

    def _play_on(self) -> None:
        """Play at random to the end, or to a state that other checks refuse."""
        codes = self._array(self.info.move_capacity, np.int32, "out")
        for _ in range(self.info.ply_bound):
            if self.state[TURN] == OVER:
                break
            if self.state[TURN] != CHANCE and not 0 <= self.state[TURN] < self.info.seats:
                return
            count = rules.legal_moves(self.setup, self.state, codes)
            require(
                is_whole(count),
                f"{self.where}: legal_moves must return the number of moves, not "
                f"{type(count).__name__}",
            )
            if not 1 <= count <= codes.size:
                return
            self._look(codes[:count])
            move = rules.sample_move(self.setup, self.state, self.rng)
            require(
                is_whole(move),
                f"{self.where}: sample_move must return the code of a move, not "
                f"{type(move).__name__}",
            )
            if move not in codes[:count]:
                return
            rules.play(self.setup, self.state, int(move))
        rules.scores(self.setup, self.state, self._array(self.info.seats, np.float64, "out"))

    def _look(self, moves: Any) -> None:
        """Call all rules that look at a state."""
        setup, state, seen = self.setup, self.state, self.seen
        rules.key(setup, state)
        for rule in (rules.scores, rules.evaluate):
            rule(setup, state, self._array(self.info.seats, np.float64, "out"))
        size = seen.vertices * seen.vertex_features
        vertices = self._array(size, np.float32, "vertices")
        vertices = vertices.reshape(seen.vertices, seen.vertex_features)
        game = self._array(seen.game_features, np.float32, "game")
        rules.observe(setup, state, max(0, int(state[TURN])), vertices, game)
        if state[TURN] == CHANCE:
            out = self._array(moves.size, np.float64, "out")
            rules.weights(setup, state, moves, out)
        else:
            kinds = self._array(moves.size, np.int32, "kinds")
            ends = self._array(moves.size, np.int32, "ends")
            touched = self._array(seen.touched, np.int32, "vertices")
            rules.touch(setup, state, moves, kinds, ends, touched)

    @staticmethod
    def _array(size: int, kind: Any, title: str) -> Any:
        return strict(guarded(size, kind)[0], title)


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
            game = PlainGame(setup, seed)
            game.play()
    except ConformanceError:
        raise
    except Exception as error:
        if (place := place_of(error)) is None:
            raise
        at = f"seed {seed}" if game is None else f"seed {seed}, ply {max(0, game.state[PLY])}"
        fault = ConformanceError(f"{at}: {failure(error, place)}")
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
    seen: FrameType | None = None

    def look(_number: int, frame: FrameType | None) -> None:
        nonlocal seen
        before, seen = seen, None
        while frame is not None:
            if frame.f_code in codes:
                seen = frame
            frame = frame.f_back
        if seen is not None and seen is before:
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
