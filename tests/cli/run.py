"""Runs the program: in this process, as a process with pipes, in a terminal of its own."""

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
from collections.abc import Iterable
from dataclasses import dataclass

from click.testing import CliRunner, Result

from ludograph.cli.main import cli
from tests.cli.forked import Forked, with_pipes

PROGRAM = (sys.executable, "-m", "ludograph")


def invoke(*arguments: object, entered: str | None = None) -> Result:
    """Run a command in this process, with a text as its standard input."""
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(cli, words, input=entered, prog_name="ludograph")


def succeed(*arguments: object) -> str:
    """Run a command in this process, which must end well; return its standard output."""
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def refuse(*arguments: object) -> str:
    """Run a command in this process, which must refuse with one sentence; return that."""
    result = invoke(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    said = re.sub(r"(?m)^preparing .*\n", "", result.stderr)
    assert said.startswith("ludograph: ")
    assert said.count("\n") == 1
    assert "Traceback" not in said
    return said.removeprefix("ludograph: ").rstrip("\n")


def spawn(*arguments: object, **settings) -> Forked:
    """Start the program with pipes."""
    return with_pipes([str(argument) for argument in arguments], **settings)


def run(*arguments: object, input: str | None = None, **settings) -> subprocess.CompletedProcess:
    """Run the program with pipes; ``input`` is what it reads."""
    if input is not None:
        settings["stdin"] = subprocess.PIPE
    process = spawn(*arguments, **settings)
    try:
        output, errors = process.communicate(input)
    finally:
        process.kill()
    return subprocess.CompletedProcess(PROGRAM, process.returncode, output, errors)


@dataclass
class InTerminal:
    """What a program wrote to its terminal, its exit code, whether keys are shown afterwards."""

    text: str
    code: int
    echoes: bool

    @property
    def frames(self) -> list[str]:
        """What was drawn in place, picture by picture, without escape codes."""
        pictures = re.findall("\x1b\\[\\?2026h(.*?)\x1b\\[\\?2026l", self.text, re.DOTALL)
        return [plain(picture) for picture in pictures]

    @property
    def after(self) -> str:
        """What stands on the terminal in the end."""
        return plain(self.text.rpartition("\x1b[?1049l")[2])


def plain(text: str) -> str:
    """Leave out the escape codes of a text."""
    return re.sub("\x1b\\[[?0-9;]*[A-Za-z]", "", text).replace("\r", "")


def in_terminal(
    *arguments: object,
    columns: int = 80,
    lines: int = 30,
    stop_after: str = "",
    keys: Iterable[tuple[str, str]] = (),
    **variables: str,
) -> InTerminal:
    """Run the program in a terminal; send SIGINT when it has written ``stop_after``.

    SIGINT is sent once more if nothing happens for half a minute, as a person would: Python drops
    a KeyboardInterrupt that is raised within a finalizer.

    Of each of the ``keys`` the first text is what must be written before it is pressed, after the
    key before it; the second is what the terminal then sends.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in _SET_BY_SHELLS}
    environment |= {"TERM": "xterm-256color", **variables}
    words = [str(argument) for argument in arguments]
    process = Forked(words, [theirs] * 3, env=environment, session=True)
    os.close(theirs)
    written, answered = b"", 0
    waiting = list(keys)
    end, again = time.monotonic() + 300, float("inf")
    while time.monotonic() < end:
        if time.monotonic() > again:
            process.send_signal(signal.SIGINT)
            again = float("inf")
        if select.select([ours], [], [], 0.1)[0]:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            written += chunk
            if stop_after and stop_after.encode() in written:
                process.send_signal(signal.SIGINT)
                stop_after, again = "", time.monotonic() + 30
        if waiting and waiting[0][0].encode() in written[answered:]:
            answered = len(written)
            os.write(ours, waiting.pop(0)[1].encode())
    code = process.wait(60)
    echoes = bool(termios.tcgetattr(ours)[3] & termios.ECHO)
    os.close(ours)
    return InTerminal(written.decode(), code, echoes)


_SET_BY_SHELLS = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "COLORTERM")
