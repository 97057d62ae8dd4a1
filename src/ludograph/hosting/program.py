"""A program at the other end of two pipes, with any protocol."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import time
from contextlib import suppress

from ludograph.errors import HostFailure, InvalidInput, shortage
from ludograph.formatting import described
from ludograph.hosting.exit_status import ending

LINE_LIMIT = 1 << 16
"""Bytes of the longest answer."""

CHUNK = 1 << 16
QUIT_SECONDS = 0.3
END_SECONDS = 0.25


class ProgramFault(Exception):
    """The program broke the protocol, or is gone.

    Attributes
    ----------
    reason
        ``crash``, ``protocol``, or ``resign`` if it resigned.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Program:
    """Runs a program; its standard error is that of this process.

    This class has no deadlines: the referee ends this process, and the program with it. The classes
    of the protocols separate questions and answers.

    Raises
    ------
    InvalidInput
        If it cannot be started.
    HostFailure
        If this machine lacks processes, files or memory for it.
    """

    def __init__(self, command: str) -> None:
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except OSError as error:
            kind = InvalidInput if shortage(error) is None else HostFailure
            raise kind(f"{error.filename or command}: {error.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout.fileno()
        self._buffer = b""

    def send(self, line: bytes) -> None:
        """Write a line, without its end.

        Raises
        ------
        ProgramFault
            If the program has written without a question, or reads no more.
        """
        if self._is_waiting() or self._buffer.strip():
            self._take()
            if self._buffer.strip():
                raise ProgramFault("protocol", f"wrote {self._shown()}, which nobody had asked for")
        rest = memoryview(line + b"\n")
        try:
            while rest:
                rest = rest[os.write(self._input.fileno(), rest) :]
        except OSError:
            raise self._gone() from None

    def quit(self, last: bytes) -> None:
        """Send the last line, and wait a little for the program's end."""
        with suppress(OSError):
            self._input.write(last + b"\n")
            self._input.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)

    def _is_waiting(self) -> bool:
        return bool(select.select([self._output], [], [], 0)[0])

    def _take(self, *, wait: bool = False) -> None:
        """Read some of the available output; wait for it if ``wait``."""
        if not wait and not self._is_waiting():
            return
        chunk = os.read(self._output, CHUNK)
        if not chunk:
            raise self._gone()
        self._buffer += chunk

    def _gone(self) -> ProgramFault:
        """Return the fault of a program that reads or writes no more."""
        end = time.monotonic() + END_SECONDS
        while time.monotonic() < end:
            code = self._process.poll()
            if code is not None:
                return ProgramFault("crash", ending(code))
            time.sleep(0.002)
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGKILL)
        return ProgramFault("crash", "closed its standard output or input")

    def _shown(self) -> str:
        return shown(self._buffer)


def shown(written: bytes) -> str:
    """Return the beginning of what a program wrote, safe to show."""
    return described(written.strip()[:80].decode("utf-8", "backslashreplace"))
