"""A terminal in which the program is played with: what it shows is read, then keys are pressed."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable

from tests.cli.forked import Forked
from tests.cli.run import PROGRAM, plain

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
ENTER, TAB, ESC, BACKSPACE, CTRL_C, CTRL_D, CTRL_Z = (
    "\r",
    "\t",
    "\x1b",
    "\x7f",
    "\x03",
    "\x04",
    "\x1a",
)
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"

PATIENCE = 180.0

CONTROL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
SCRIPT = 'set -m; "$@"; echo "stopped $?"; sleep 0.3; fg; echo "ended $?"'


class Terminal:
    """The program in a terminal of its own, which it controls: Ctrl-C and Ctrl-Z work there."""

    def __init__(
        self,
        *arguments: object,
        columns: int = 80,
        lines: int = 24,
        shell: bool = False,
        **variables: str,
    ):
        environment = {k: v for k, v in os.environ.items() if k not in SET_BY_SHELLS}
        environment |= {"TERM": "xterm-256color", **variables}
        words = [str(argument) for argument in arguments]
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self.columns, self.lines = columns, lines

        self.process: Forked | subprocess.Popen[bytes]
        if shell:
            self.process = subprocess.Popen(
                [sys.executable, "-c", CONTROL, "bash", "-c", SCRIPT, "bash", *PROGRAM, *words],
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env=environment,
                start_new_session=True,
            )
        else:
            self.process = Forked(words, [theirs] * 3, env=environment, controls=True)
        self.theirs = theirs  # kept open: what is read from it does not end before we end
        self.text = ""
        self._bytes = b""

    def __enter__(self):
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def resize(self, columns: int, lines: int) -> None:
        """Give the terminal another size."""
        self.columns, self.lines = columns, lines
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    @property
    def screen(self) -> str:
        """The last picture that is there as a whole, without escape codes."""
        return plain(self.text.rpartition(END)[0].rpartition(BEGIN)[2])

    @property
    def prompt(self) -> str:
        """The last line of the last picture."""
        return self.screen.rpartition("\n")[2]

    @property
    def drawing(self) -> str:
        """The last picture with its codes."""
        return self.text.rpartition(END)[0].rpartition(BEGIN)[2]

    @property
    def ply(self) -> int:
        """The ply that the last picture tells of; 0 at the start."""
        found = re.findall(r"(?:^|to )ply (\d+)", self.screen, re.MULTILINE)
        return int(found[-1]) if found else 0

    def read(self) -> bool:
        """Read what there is; tell whether more may come."""
        if select.select([self.ours], [], [], 0.05)[0]:
            self._bytes += os.read(self.ours, 65536)
            self.text = self._bytes.decode("utf-8", "ignore")
        return self.process.poll() is None

    def drain(self) -> None:
        """Read what a program that has ended has left."""
        before = -1
        while before != len(self._bytes):
            before = len(self._bytes)
            self.read()

    def wait(self, seen: Callable[[], object], *, what: str = "") -> None:
        """Read until something is seen."""
        end = time.monotonic() + PATIENCE
        while not seen():
            more = self.read()
            if not more:
                self.drain()
                assert seen(), f"it has ended without {what}:\n{plain(self.text)[-3000:]}"
            assert time.monotonic() < end, (
                f"never seen: {what}\n{self.screen}\n{self.text[-300:]!r}"
            )

    def wait_for(self, text: str) -> None:
        """Read until the last picture holds a text."""
        self.wait(lambda: text in self.screen, what=text)

    @property
    def is_asking(self) -> bool:
        """Tell whether a person is asked, and has typed nothing yet."""
        return re.search("^seat .*> $", self.prompt) is not None

    def asked(self, ply: int) -> None:
        """Read until a person is asked after so many plies."""
        self.wait(lambda: self.ply == ply and self.is_asking, what=f"ply {ply}?")

    def press(self, *keys: str, sees: str | None = None) -> None:
        """Press keys; each is obeyed before the next one, if ``sees`` tells what is shown then."""
        for key in keys:
            os.write(self.ours, key.encode())
        if sees is not None:
            self.wait_for(sees)

    def end(self) -> int:
        """Read until the program has ended; return its exit code. The terminal is as it was."""
        end = time.monotonic() + PATIENCE
        while self.read():
            assert time.monotonic() < end, f"it does not end:\n{self.screen}"
        while select.select([self.ours], [], [], 0)[0]:
            self.read()
        assert self.is_restored()
        return self.process.wait()

    @property
    def after(self) -> str:
        """What stands on the terminal when the second screen was left for the last time."""
        return plain(self.text.rpartition("\x1b[?1049l")[2])

    def is_restored(self) -> bool:
        """Tell whether the terminal is as it was: screen, cursor, keyboard."""
        now = termios.tcgetattr(self.theirs)
        shown = self.text.rfind("\x1b[?25h") >= self.text.rfind("\x1b[?25l")
        screens = self.text.count("\x1b[?1049h") == self.text.count("\x1b[?1049l")
        return now == self.before and shown and screens


SET_BY_SHELLS = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "COLORTERM")
