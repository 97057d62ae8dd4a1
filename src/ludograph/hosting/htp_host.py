"""A program that speaks HTP, and the host that passes the referee's messages to it.

HTP consists of commands of one line, and answers that end with an empty line.
"""

from __future__ import annotations

import re
from typing import Any

from ludograph.errors import InvalidInput
from ludograph.formatting import one_line
from ludograph.hosting.channel import Answer
from ludograph.hosting.program import LINE_LIMIT, Program, ProgramFault


class Refusal(Exception):
    """The program answered ``?``; the message is its own."""


class HtpProgram(Program):
    """Sends commands to a program, one by one."""

    def ask(self, command: str) -> str:
        """Send a command and return the text of the response.

        Raises
        ------
        Refusal
            If the answer begins with ``?``.
        ProgramFault
            If it is no answer, or the program has ended.
        """
        self.send(command.encode())
        return self._response(command)

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


ABOUT_NUMBERS = re.compile(r"argument|parameter|number of|syntax|usage", re.IGNORECASE)
"""The words in the refusal of a program that wants one number, or two."""

ANSWER_LENGTH = 1000
"""The number of characters of an answer sent to the referee: every move is shorter."""


class HtpRunner:
    """One game played by one program.

    Attributes
    ----------
    known
        The commands that the program lists.
    """

    def __init__(self) -> None:
        self.program: HtpProgram
        self.known: set[str] = set()

    def prepare(self, needed: str) -> None:
        """Do nothing: only the program itself is needed."""

    def share(self, memory: Any) -> None:
        """Do nothing: a program's errors contain their place."""

    def start(self, order: dict[str, Any]) -> Answer:
        """Start the program and set up its board."""
        self.program = HtpProgram(order["path"])
        try:
            self.known = set(self.optional("list_commands").split())
            name = self.optional("name")
            self.configure(order["commands"])
            self.resize(order["size"])
            self.program.ask("clear_board")
        except Refusal as refusal:
            raise InvalidInput(f"refused clear_board: {refusal}") from None
        except ProgramFault as fault:
            raise InvalidInput(str(fault)) from None
        return Answer(started=True, name=name)

    def optional(self, command: str) -> str:
        """Send an optional command; return the answer, or an empty text if it is unknown."""
        try:
            return self.program.ask(command)
        except Refusal:
            return ""

    def resize(self, size: int) -> None:
        """Set the size of the board; some programs want one number, some two."""
        refusals = []
        for numbers in (f"{size} {size}", f"{size}"):
            try:
                self.program.ask(f"boardsize {numbers}")
            except Refusal as refusal:
                refusals.append(str(refusal))
            else:
                return
        matters = (refusal for refusal in refusals if not ABOUT_NUMBERS.search(refusal))
        why = next(matters, refusals[0])
        raise InvalidInput(f"does not play on {size} x {size}: {why}")

    def configure(self, commands: list[str]) -> None:
        """Send the commands given after the program's name."""
        for command in commands:
            try:
                self.program.ask(command)
            except Refusal as refusal:
                raise InvalidInput(f"refused {command!r}: {refusal}") from None

    def play(self, question: list[tuple[str, bool]]) -> Answer:
        """Send commands, each with whether the program must obey; return the last answer."""
        said = ""
        try:
            for command, needed in question:
                if needed:
                    said = self.program.ask(command)
                elif command.split()[0] in self.known:
                    self.optional(command)
        except Refusal as refusal:
            return Answer(fault="protocol", text=f"refused a command: ? {refusal}")
        except ProgramFault as fault:
            return Answer(fault=fault.reason, text=str(fault))
        return Answer(said=said[:ANSWER_LENGTH])

    def thoughts(self) -> Answer:
        """Return nothing: the protocol has no analysis."""
        return Answer()

    def finish(self, result: Any) -> None:  # noqa: ARG002
        """End the program."""
        self.program.quit(b"quit")
