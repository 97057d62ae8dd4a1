"""A program that speaks HTP, at the other end of two pipes."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import time
from contextlib import suppress

from ludograph.players.endings import ending
from ludograph.quoting import described, one_line

LINE_LIMIT = 1 << 16
"""Bytes of the longest response."""

CHUNK = 1 << 16
QUIT_SECONDS = 0.3
END_SECONDS = 0.25


class ProgramFault(Exception):
    """The program broke the protocol, or is gone.

    Attributes
    ----------
    reason
        ``crash`` or ``protocol``.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Refusal(Exception):
    """The program answered ``?``; the message is its own."""


class Program:
    """Runs a program; what it writes to standard error goes where this process's goes.

    No deadline is kept here: the referee ends this process, and the program with it.
    """

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout.fileno()
        self._buffer = b""

    def ask(self, command: str) -> str:
        """Send a command and return the text of the response.

        Raises
        ------
        Refusal
            If the answer begins with ``?``.
        ProgramFault
            If it is no answer, or the program has ended.
        """
        if self._is_waiting() or self._buffer.strip():
            self._take()
            raise ProgramFault("protocol", f"wrote {self._shown()}, which nobody had asked for")
        try:
            self._input.write(command.encode() + b"\n")
        except OSError:
            raise self._gone() from None
        return self._response(command)

    def quit(self) -> None:
        """Ask the program to end, and wait a little."""
        with suppress(OSError):
            self._input.write(b"quit\n")
            self._input.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(QUIT_SECONDS)

    def _response(self, command: str) -> str:
        end = -1
        while end < 0:
            self._buffer = self._buffer.replace(b"\r", b"").lstrip(b"\n")
            first = self._buffer.lstrip(b" \t")[:1]
            if first and first not in b"=?":
                raise ProgramFault(
                    "protocol", f"answered {self._shown()} to {command!r}, neither = nor ?"
                )
            end = self._buffer.find(b"\n\n")
            if end < 0:
                if len(self._buffer) > LINE_LIMIT:
                    raise ProgramFault(
                        "protocol",
                        f"answered more than {LINE_LIMIT} bytes to {command!r}: {self._shown()}",
                    )
                self._take(wait=True)
        raw, self._buffer = self._buffer[:end].strip(), self._buffer[end + 2 :]
        text = raw[1:].decode("utf-8", "backslashreplace").strip()
        if raw.startswith(b"?"):
            raise Refusal(one_line(text, 200) or "no reason given")
        return text

    def _is_waiting(self) -> bool:
        return bool(select.select([self._output], [], [], 0)[0])

    def _take(self, *, wait: bool = False) -> None:
        """Read some of what there is; wait for it if so wished."""
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
        return described(self._buffer.strip()[:80].decode("utf-8", "backslashreplace"))
