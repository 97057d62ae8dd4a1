"""People who type lines: in a pipe, and in terminals that cannot show more."""

from __future__ import annotations

import os
import select
import sys

from ludograph.formatting import printable
from ludograph.players.forfeit import PlayerFault, Reason
from ludograph.players.human.player import Quit, Turn
from ludograph.players.human.words import understand

LONGEST = 4096
"""The most bytes of a line."""


class LineInput:
    """Reads a move per line from standard input, and answers on standard error.

    Parameters
    ----------
    board
        Write the board before each question: for callers who do not show the game.
    """

    def __init__(self, *, board: bool = True) -> None:
        self.board = board
        self.input = Input()

    def ask(self, turn: Turn) -> int:
        """Return a legal move; at the end of the input the player resigns."""
        if self.board:
            tell(f"{turn.position}\n")
        while True:
            if self.input.is_terminal:
                tell(prompt(turn))
            line = self.input.line(turn)
            if line is None and self.input.is_terminal:
                tell("\n")
                raise Quit
            if line is None:
                raise PlayerFault(Reason.RESIGN, "the input has ended")
            answer = understand(turn, line)
            if isinstance(answer, int):
                return answer
            tell("".join(f"{printable(each)}\n" for each in answer))


def prompt(turn: Turn) -> str:
    """Return the prompt before a typed move: seat, color, time."""
    color = turn.position.game.presentation.seat_facts(turn.position, turn.seat).color
    left = turn.seconds_left()
    shown = [f"seat {turn.seat}", *([color] if color else [])]
    shown += [f"{clock_text(left)} left"] if left is not None else []
    return f"{', '.join(shown)}> "


def clock_text(seconds: float) -> str:
    """Return a time in the form of clocks: ``1:05``, and tenths in the last ten seconds."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


def tell(text: str) -> None:
    """Write to standard error, after flushing standard output."""
    sys.stdout.flush()
    sys.stderr.write(text)
    sys.stderr.flush()


class Input:
    """Standard input, line by line, without waiting longer than a clock allows."""

    def __init__(self) -> None:
        self._kept = b""
        self._ended = sys.stdin is None
        self.is_terminal = not self._ended and sys.stdin.isatty()

    def line(self, turn: Turn) -> str | None:
        """Return the next line, None at the end; raise PlayerFault when the time is over.

        In a terminal, Ctrl-D ends a line, too; a line with nothing but blanks is the end then.
        """
        while b"\n" not in self._kept and len(self._kept) < LONGEST and not self._ended:
            left = turn.seconds_left()
            chunk = self._read(left)
            self._ended = chunk == b""
            self._kept += chunk or b""
            if self.is_terminal and chunk and not chunk.endswith(b"\n"):
                break
        if not self._kept.strip(b" \t"):
            return None
        line, _, self._kept = self._kept.partition(b"\n")
        if len(line) >= LONGEST:
            line = line[: LONGEST // 64]  # every move is shorter; the rest is not a move either
        return line.decode("utf-8", "replace").strip()

    def _read(self, seconds: float | None) -> bytes | None:
        """Return some bytes, empty at the end of the input; None if none came in time."""
        try:
            file = sys.stdin.fileno()
        except OSError:  # an object in place of the stream: it has no clock
            return sys.stdin.readline().encode()
        if not select.select([file], [], [], seconds)[0]:
            return None
        return os.read(file, LONGEST)
