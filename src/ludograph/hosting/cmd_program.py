"""A program that speaks Ludograph's own protocol: a JSON object a line, see `docs/programs.md`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from ludograph.hosting.program import LINE_LIMIT, Program, ProgramFault, shown


class CmdProgram(Program):
    """Asks a program message by message; each but the last has one answer."""

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a message and return the answer.

        Raises
        ------
        ProgramFault
            If it is no answer, or the program has ended.
        """
        self.send(msgspec.json.encode(message))
        line = self._line()
        if self._buffer.strip():
            raise ProgramFault(
                "protocol", f"gave two answers, {shown(line)} and {self._shown()}: one is due"
            )
        return answer_of(line)

    def end(self, message: Mapping[str, Any]) -> None:
        """Send the last message, which has no answer, and wait a little for the program's end."""
        self.quit(msgspec.json.encode(message))

    def _line(self) -> bytes:
        """Return the next line that is not blank."""
        while True:
            self._buffer = self._buffer.lstrip()
            end = self._buffer.find(b"\n")
            if max(end, len(self._buffer) if end < 0 else 0) > LINE_LIMIT:
                raise ProgramFault(
                    "protocol", f"answered a line of more than {LINE_LIMIT} bytes: {self._shown()}"
                )
            if end >= 0:
                line, self._buffer = self._buffer[:end], self._buffer[end + 1 :]
                return line
            self._take(wait=True)


def answer_of(line: bytes) -> dict[str, Any]:
    """Return the object that a line holds; raise ProgramFault if it holds anything else.

    Examples
    --------
    >>> answer_of(b'{"move": "c5"}')
    {'move': 'c5'}
    """
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise ProgramFault("protocol", f"answered {shown(line)}, which is not UTF-8") from None
    try:
        answer = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        if is_twofold(text):
            what = f"gave two answers on one line, {shown(line)}: one is due"
            raise ProgramFault("protocol", what) from None
        raise ProgramFault("protocol", f"answered {shown(line)}, which is not JSON") from None
    if not isinstance(answer, dict):
        raise ProgramFault("protocol", f"answered {shown(line)}, which is JSON but no object")
    return answer


def is_twofold(text: str) -> bool:
    """Tell whether a text begins with a JSON object, and goes on with another."""
    try:
        first, end = json.JSONDecoder().raw_decode(text.strip())
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and text.strip()[end:].lstrip().startswith("{")
