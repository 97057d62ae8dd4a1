"""A program that speaks HTP: commands of one line, answers that end with an empty one."""

from __future__ import annotations

from ludograph.hosting.program import LINE_LIMIT, Program, ProgramFault
from ludograph.quoting import one_line


class Refusal(Exception):
    """The program answered ``?``; the message is its own."""


class HtpProgram(Program):
    """Asks a program command by command."""

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
