"""Clocks: the limits of a match, a player's clock as it runs down, and the time of a turn."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, field
from decimal import Decimal
from threading import get_native_id

from ludograph.errors import InvalidInput
from ludograph.formatting import described
from ludograph.games import TimeLeft
from ludograph.hosting.kernel_counts import counts_in, opened

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}

LONGEST = 1e6

START = "start="

DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)")


@dataclass(frozen=True, slots=True)
class Clock:
    """Limits in seconds; None where there is none.

    Attributes
    ----------
    move
        For each move.
    game
        For all moves of a player together.
    increment
        Added to a player's ``game`` after each of its moves.
    start
        For loading a player in a process of its own and for its ``start`` or ``initialize``; if
        None, :data:`~ludograph.hosting.foreign_player.START_SECONDS`.
    text
        The text of the clock, for reports and files.
    """

    move: float | None = None
    game: float | None = None
    increment: float = 0.0
    start: float | None = None
    text: str = field(default="", init=False, compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> Clock:
        """Parse ``1s`` (each move), ``60s+1s`` (game and increment) and ``start=10s``.

        Commas separate several of them.

        Raises
        ------
        InvalidInput

        Examples
        --------
        >>> Clock.parse("500ms")
        Clock(move=0.5, game=None, increment=0.0, start=None)
        >>> Clock.parse("2m+1s,10s,start=30s")
        Clock(move=10.0, game=120.0, increment=1.0, start=30.0)
        """
        move = game = start = None
        increment = 0.0
        for part in text.replace(" ", "").split(","):
            total, plus, more = part.partition("+")
            if part.startswith(START) and start is None:
                start = _seconds(part.removeprefix(START), text)
            elif plus and game is None:
                game, increment = _seconds(total, text), _seconds(more, text, zero=True)
            elif not plus and move is None:
                move = _seconds(total, text)
            else:
                raise _wrong(text)
        clock = cls(move, game, increment, start)
        object.__setattr__(clock, "text", text)
        return clock

    def __post_init__(self) -> None:
        """Check the limits; raise InvalidInput."""
        limits = (("move", self.move), ("game", self.game), ("start", self.start))
        for name, seconds in limits:
            if seconds is not None and not 0 < seconds <= LONGEST:
                raise InvalidInput(f"clock: {name} must be above 0 and at most {LONGEST:g} seconds")
        if not 0 <= self.increment <= LONGEST:
            raise InvalidInput(f"clock: increment must be 0 to {LONGEST:g} seconds")
        if self.increment and self.game is None:
            raise InvalidInput("clock: an increment needs the time of a game")
        object.__setattr__(self, "text", str(self))

    def __str__(self) -> str:
        """Return the text that :meth:`parse` reads; an empty one if there is no limit."""
        parts = []
        if self.game is not None:
            parts.append(f"{_plain(self.game)}s+{_plain(self.increment)}s")
        if self.move is not None:
            parts.append(f"{_plain(self.move)}s")
        if self.start is not None:
            parts.append(f"{START}{_plain(self.start)}s")
        return ",".join(parts)

    @property
    def in_words(self) -> str:
        """The limits in words; an empty text if there is none.

        Examples
        --------
        >>> Clock.parse("2m+1s,10s,start=30s").in_words
        '120 s for a game and 1 s more after each move, 10 s a move, 30 s to start'
        """
        parts = []
        if self.game is not None:
            more = f" and {_plain(self.increment)} s more after each move" if self.increment else ""
            parts.append(f"{_plain(self.game)} s for a game{more}")
        if self.move is not None:
            parts.append(f"{_plain(self.move)} s a move")
        if self.start is not None:
            parts.append(f"{_plain(self.start)} s to start")
        return ", ".join(parts)


def _plain(seconds: float) -> str:
    """Return the text of a number without an exponent, which parses to the same number."""
    text = format(Decimal(repr(float(seconds))), "f")
    return text.removesuffix(".0")


def _seconds(text: str, whole: str, *, zero: bool = False) -> float:
    found = DURATION.fullmatch(text)
    if not found:
        raise _wrong(whole)
    seconds = float(found.group(1)) * UNITS[found.group(2)]
    if seconds > LONGEST or (seconds <= 0 and not zero):
        raise _wrong(whole)
    return seconds


def _wrong(text: str) -> InvalidInput:
    return InvalidInput(
        f"clock {text[:40]!r}: write 1s for each move, 60s+1s for a game and its increment, "
        "start=10s for the start of a player, or several with commas; units are ms, s, m and h"
    )


def as_clock(name: str, clock: object) -> Clock | None:
    """Return the clock of an argument with this name; raise InvalidInput if it is none."""
    if isinstance(clock, str):
        return Clock.parse(clock)
    if clock is None or isinstance(clock, Clock):
        return clock
    raise InvalidInput(f"{name} must be a text such as '2s' or '5m+1s', got {described(clock)}")


class RunningClock:
    """The clock of one player in one game."""

    def __init__(self, clock: Clock | None) -> None:
        self.rule = clock or Clock()
        self.game = self.rule.game

    def left(self) -> TimeLeft:
        """Return the time that the player has for its next move."""
        return TimeLeft(self.rule.move, self.game, self.rule.increment)

    def run(self, seconds: float) -> None:
        """Subtract time without a move, such as the time before a move taken back."""
        if self.game is not None:
            self.game = max(0.0, self.game - seconds)

    def spend(self, seconds: float) -> None:
        """Subtract a move's time, then add the increment."""
        if self.game is not None:
            self.game = max(0.0, self.game - seconds) + self.rule.increment


class Stopwatch:
    """Measures one move after the other, in any thread."""

    def __init__(self) -> None:
        self._file, self._thread = -1, 0
        self._counts = False
        self._began = self._used = self._waited = 0.0

    def begin(self, *, counts: bool) -> None:
        """Begin a move; without a clock, only wall-clock time is measured."""
        self._counts = counts
        if counts:
            self._waited = self._in_queue()
            self._used = time.process_time()
        self._began = time.perf_counter()

    def spent(self, *, computes: bool) -> float:
        """Return the seconds of the move, less what this thread has waited for a processor.

        Parameters
        ----------
        computes
            Whether the player only computes: then its time is at most the CPU time of this
            process, which does not run while the process is stopped.
        """
        passed = time.perf_counter() - self._began
        if not self._counts:
            return passed
        used = time.process_time() - self._used
        seconds = max(0.0, passed - (self._in_queue() - self._waited))
        return min(seconds, used) if computes else seconds

    def _in_queue(self) -> float:
        """Return the seconds that this thread has waited so far; 0 if the kernel has no count."""
        if self._thread != get_native_id():
            self.close()
            self._file, self._thread = opened("/proc/thread-self/schedstat"), get_native_id()
        return counts_in(self._file).waited if self._file >= 0 else 0.0

    def close(self) -> None:
        """End the measurements."""
        if self._file >= 0:
            os.close(self._file)
        self._file, self._thread = -1, 0
