"""The terminal of a command: requests to stop, keys, and a screen that is drawn as a whole.

SIGINT (Ctrl-C), SIGTERM and SIGHUP (a closed terminal) raise ``KeyboardInterrupt`` in the running
code. While the exception leaves the program, players are ended, records are closed and the terminal
is restored. A signal may come at any time, also while code is loaded or compiled. In three places
the exception would be lost; there it is raised again a moment later: in code that the interpreter
calls by itself (it reports the exception to :data:`sys.unraisablehook`), in code that LLVM calls
back while it makes machine code, and in code that modules written in C call while they are loaded,
because some of them ignore errors there.

SIGTSTP (Ctrl-Z) restores the terminal while the program is stopped. SIGWINCH draws the picture in
the new size of the window at once, also while a player thinks.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import stat
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator
from importlib.machinery import ExtensionFileLoader
from types import FrameType
from typing import Any, Self

from ludograph.cli.streams import silence

REPEAT = 0.5
"""Seconds in which a second signal is ignored, because wrappers may send one, too; a later one ends
the process at once."""

RETRY = 0.005
"""Seconds after which an exception that would be lost is raised again."""

LLVM_PATH = "llvmlite"
"""A part of the path of code that LLVM calls back: no exception may leave this code."""

LOADING = frozenset(
    {ExtensionFileLoader.create_module.__code__, ExtensionFileLoader.exec_module.__code__}
)
"""The code that calls the C code of a module on loading; no exception may pass through it."""

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Turns SIGINT, SIGTERM and SIGHUP into ``KeyboardInterrupt``.

    Attributes
    ----------
    number
        The first signal that came; SIGINT if none came.
    terminal
        The terminal to restore if the process ends at once.
    """

    def __init__(self) -> None:
        self.number = signal.SIGINT
        self.terminal: Terminal | None = None
        self._first: float | None = None

    def watch(self) -> None:
        """Handle the signals from now on, except those that the parent process has ignored."""
        for number in STOPPING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._come)
        signal.signal(signal.SIGALRM, self._raise)
        self._report, sys.unraisablehook = sys.unraisablehook, self._lost

    def exit_code(self) -> int:
        """Return the exit code; from now on the signals are ignored."""
        for number in STOPPING:
            if signal.getsignal(number) == self._come:
                signal.signal(number, signal.SIG_IGN)
        return 128 + self.number

    def _come(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first, self.number = now, signal.Signals(number)
            for stream in (sys.stdout, sys.stderr):
                if number == signal.SIGHUP and is_hung_up(stream):
                    silence(stream)
            self._raise(number, frame)
        elif now - self._first > REPEAT:
            if self.terminal is not None:
                self.terminal.leave()
            os.write(2, b"ludograph: interrupted\n")
            os._exit(128 + self.number)

    def _raise(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        while frame is not None:
            if LLVM_PATH in frame.f_code.co_filename or frame.f_code in LOADING:
                signal.setitimer(signal.ITIMER_REAL, RETRY)
                return
            frame = frame.f_back
        raise KeyboardInterrupt

    def _lost(self, unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, RETRY)
        else:
            self._report(unraisable)


def is_hung_up(stream: Any) -> bool:
    """Tell whether a stream is a terminal that was closed: whatever writes to it fails."""
    return stat.S_ISCHR(os.fstat(stream.fileno()).st_mode) and not stream.isatty()


stop = Stop()

ENTER_SCREEN, LEAVE_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[2J", "\x1b[0m\x1b[?25h\x1b[?1049l"
HOME, REST_OF_LINE, REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"
SHOW_CARET, HIDE_CARET = "\x1b[?25h", "\x1b[?25l"
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
"""A terminal that supports these sequences shows the text between them in one step."""

INPUT, OUTPUT = 0, 1

UP, DOWN, LEFT, RIGHT = "up", "down", "left", "right"
ENTER, TAB, BACK_TAB, ESC = "enter", "tab", "back-tab", "escape"
BACKSPACE, CLEAR, CLEAR_WORD, CLOSED = "backspace", "clear", "clear-word", "closed"
KEYS = {
    b"\x1b[A": UP,
    b"\x1b[B": DOWN,
    b"\x1b[C": RIGHT,
    b"\x1b[D": LEFT,
    b"\x1b[Z": BACK_TAB,
    b"\x1b": ESC,
    b"\r": ENTER,
    b"\n": ENTER,
    b"\t": TAB,
    b"\x7f": BACKSPACE,
    b"\x08": BACKSPACE,
    b"\x15": CLEAR,
    b"\x17": CLEAR_WORD,
    b"\x04": CLOSED,
    b"": CLOSED,
}
"""Keys that are no letters; the last two are Ctrl-D and the end of the input."""

ESCAPE = 0.05
"""Seconds in which the rest of an arrow key must follow its first byte."""

Drawn = tuple[list[str], tuple[int, int] | None]
"""Lines; column and line, from 0, where the terminal's own cursor is shown, if it is."""

Picture = Callable[[], Drawn]
"""A picture, drawn anew whenever it is needed, for the present size of the window."""


class Terminal:
    """The terminal, as long as a command reads keys from it or draws a picture in place.

    A context manager: in its block there is no echo and no line editing, and the second screen of
    the terminal is shown. After it, and while Ctrl-Z stops the program, all is as before.

    Parameters
    ----------
    keys
        Whether keys are read.
    picture
        The picture to show; None: the second screen is not used.
    """

    def __init__(self, *, keys: bool = False, picture: Picture | None = None) -> None:
        self.keys, self.picture = keys, picture
        self._held = self._missed = False
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if self.keys:
            self._mode = termios.tcgetattr(INPUT)
        sys.stdout.flush()
        self._take()
        stop.terminal = self
        if self.picture is not None:
            self._handlers[signal.SIGWINCH] = signal.signal(signal.SIGWINCH, self.draw)
        if (self.keys or self.picture) and signal.getsignal(signal.SIGTSTP) is signal.SIG_DFL:
            self._handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._suspend)
        return self

    def __exit__(self, *raised: object) -> None:
        """Restore the terminal."""
        while self._handlers:
            signal.signal(*self._handlers.popitem())
        stop.terminal = None
        self.leave()

    def _take(self) -> None:
        if self.keys:
            tty.setcbreak(INPUT)
        if self.picture is not None:
            write(ENTER_SCREEN)

    def leave(self) -> None:
        """Restore screen and keyboard; a signal handler may do this at any time."""
        with contextlib.suppress(termios.error):  # of a closed terminal
            if self.picture is not None:
                write(LEAVE_SCREEN)
            if self.keys:
                termios.tcsetattr(INPUT, termios.TCSADRAIN, self._mode)

    def _suspend(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.leave()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)  # the program is stopped here
        signal.signal(signal.SIGTSTP, self._suspend)
        self._take()
        self.draw()

    def draw(self, *signal_and_frame: object) -> None:  # noqa: ARG002
        """Draw the picture; if it is being drawn or held already, draw it again after that."""
        self._missed = True
        if self._held or self.picture is None:
            return
        with self.held():
            while self._missed:
                self._missed = False
                self.paint()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Let no signal draw in a block that changes what is shown; the caller draws after it."""
        self._held = True
        try:
            yield
        finally:
            self._held = False

    def paint(self) -> None:
        """Write the picture over the previous one, at once."""
        if self.picture is None:
            return
        lines, caret = self.picture()
        body = "\r\n".join(f"{line}{REST_OF_LINE}" for line in lines[: size()[1]])
        place = f"\x1b[{caret[1] + 1};{caret[0] + 1}H{SHOW_CARET}" if caret else HIDE_CARET
        write(f"{BEGIN}{HOME}{body}{REST_OF_SCREEN}{place}{END}")

    def forget(self) -> None:
        """Discard the keys that were pressed before a question."""
        termios.tcflush(INPUT, termios.TCIFLUSH)

    def read(self, seconds: float | None = None) -> str | None:
        """Return the next key: a name, a letter, or "" if unknown; None if none came in time."""
        if not comes(seconds):
            return None
        key = more = os.read(INPUT, 1)
        while more and not is_whole(key) and comes(ESCAPE):
            more = os.read(INPUT, 1)
            key += more
        key = key.replace(b"\x1bO", b"\x1b[")  # some terminals send arrows in this mode
        if key in KEYS:
            return KEYS[key]
        text = key.decode("utf-8", "replace")
        return text if len(text) == 1 and text.isprintable() else ""


size = shutil.get_terminal_size
"""Returns columns and lines of the terminal."""


def write(text: str) -> None:
    """Write a text past the buffers of standard output, as signal handlers must."""
    rest = text.encode(sys.stdout.encoding, "replace")
    while rest:
        rest = rest[os.write(OUTPUT, rest) :]


def comes(seconds: float | None) -> bool:
    """Tell whether a byte of a key comes in time."""
    return bool(select.select([INPUT], [], [], seconds)[0])


def is_whole(key: bytes) -> bool:
    """Tell whether the bytes of a key are complete.

    The bytes of an arrow key end with a letter or a tilde. The first byte of a letter beyond ASCII
    gives the number of its bytes.
    """
    if key.startswith(b"\x1b"):
        if len(key) == 2:  # a letter with Alt, or Escape and then a letter
            return key[1:] not in (b"[", b"O")
        return len(key) > 2 and key[-1] >= ord("@")
    first = key[0] if key else 0
    return len(key) >= 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)
