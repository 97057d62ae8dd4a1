"""The output of a foreign player: read while it may print; its beginning and end are stored."""

from __future__ import annotations

import contextlib
import os
import re
from collections import deque
from collections.abc import Callable

LEGEND = re.compile(
    r"^Shadow bytes around the buggy address:\n(?:(?:  |=>)[^\n]*\n|Shadow byte legend[^\n]*\n)*",
    re.MULTILINE,
)
"""The bytes around an address, and their legend: two thirds of a report, and of no use here."""

TELLING = re.compile(
    r"(?:ERROR|WARNING|SUMMARY): \w+Sanitizer|: runtime error: |^==\d+== *(?:Invalid|ERROR)"
)
"""The words in the lines with a finding."""

FRAMES = 4
"""The number of lines kept after a finding: its place."""


def without_legend(text: str) -> str:
    """Return a text without the shadow bytes of reports.

    Examples
    --------
    >>> without_legend("Shadow bytes around the buggy address:\\n  0x0: fa\\n==1==ABORTING\\n")
    '==1==ABORTING\\n'
    """
    return LEGEND.sub("", text)


def excerpt(log: str, head: int, tail: int) -> list[str]:
    """Return the lines of a log to show: the first, the last, and a sanitizer's findings.

    A count replaces the lines that are left out.
    """
    lines = without_legend(log).strip("\n").splitlines()
    kept = {*range(min(head, len(lines))), *range(max(0, len(lines) - tail), len(lines))}
    for number, line in enumerate(lines):
        if TELLING.search(line):
            frames = 0 if "SUMMARY" in line else FRAMES
            kept.update(range(number, min(number + frames + 1, len(lines))))
        if len(kept) > 3 * (head + tail):
            break
    shown: list[str] = []
    before = -1
    for number in sorted(kept):
        if number > before + 1:
            count = number - before - 1
            shown.append(f"[{count} {'line' if count == 1 else 'lines'} left out]")
        shown.append(lines[number])
        before = number
    return shown


HEAD = 2048
TAIL = 6144
"""The stored bytes of the end: more than the report of a sanitizer, which ends its process."""
CHUNK = 1 << 16
PIPE_LIMIT = 1 << 20


class Log:
    """The reading end of a player's standard output and error.

    Code that waits for the player calls :meth:`drain` when the descriptor is readable, so that a
    player never blocks on printing while its clock runs.

    Attributes
    ----------
    size
        Bytes printed so far.
    listener
        Called with each line as soon as it is complete; None for no listener.
    """

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.size = 0
        self.listener: Callable[[str], None] | None = None
        self._lines = LineBuffer()
        self._head = b""
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._open = True

    def drain(self) -> bool:
        """Read some of the available output; return False when no more can come."""
        try:
            chunk = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return True
        self._keep(chunk)
        return bool(chunk)

    def hear(self) -> None:
        """Read the available output now if there is a listener: at most a pipe's content."""
        if self.listener is None or not self._open:
            return
        self._read_up()

    def _read_up(self) -> None:
        end = self.size + PIPE_LIMIT
        with contextlib.suppress(BlockingIOError):
            while self.size < end and (chunk := os.read(self.descriptor, CHUNK)):
                self._keep(chunk)

    def _keep(self, chunk: bytes) -> None:
        if self.listener is not None:
            for line in self._lines.add(chunk):
                self.listener(line)
        self.size += len(chunk)
        room = HEAD - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if chunk:
            self._tail.append(chunk[-TAIL:])
            self._tail_size += len(self._tail[-1])
            while self._tail_size - len(self._tail[0]) >= TAIL:
                self._tail_size -= len(self._tail.popleft())

    def close(self) -> None:
        """Read the rest, at most a pipe's content, and close."""
        if not self._open:
            return
        self._open = False
        self._read_up()
        if self.listener is not None:
            for line in self._lines.rest():
                self.listener(line)
        os.close(self.descriptor)

    def text(self) -> str:
        """Return head and tail, without the legend of a sanitizer's report."""
        left_out = self.size - HEAD - TAIL
        between = f"\n[... {left_out} bytes left out ...]\n" if left_out > 0 else ""
        tail = b"".join(self._tail)[-TAIL:]
        return without_legend(f"{decoded(self._head)}{between}{decoded(tail)}")


def decoded(text: bytes) -> str:
    """Return bytes as text, with marks for invalid UTF-8."""
    return text.decode("utf-8", "replace")


class LineBuffer:
    """Joins pieces of output into lines; long lines are broken, and their number is limited."""

    LENGTH = 4096
    LIMIT = 1 << 20
    """The total limit in bytes: more than a person reads, and fast to show."""

    def __init__(self) -> None:
        self._begun = b""
        self._size = 0

    def add(self, chunk: bytes) -> list[str]:
        """Return the lines that are complete now."""
        if self._size > self.LIMIT:
            return []
        self._size += len(chunk)
        *whole, self._begun = (self._begun + chunk).split(b"\n")
        if len(self._begun) > self.LENGTH:
            whole, self._begun = [*whole, self._begun], b""
        lines = [decoded(line[: self.LENGTH]) for line in whole]
        if self._size > self.LIMIT:
            self._begun = b""
            lines.append(f"[... more than {self.LIMIT} bytes: the rest is not shown ...]")
        return lines

    def rest(self) -> list[str]:
        """Return the unfinished last line, if there is one."""
        rest, self._begun = self._begun, b""
        return [decoded(rest)] if rest else []
