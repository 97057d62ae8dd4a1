"""Programs as players, at the other end of two pipes, and the host that asks them.

There are two protocols: Ludograph's own has one JSON object a line, see ``docs/programs.md``; HTP
consists of commands of one line, and answers that end with an empty line.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import shlex
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from ludograph.errors import HostFailure, InvalidInput, shortage
from ludograph.formatting import described, one_line
from ludograph.hosting.channel import Answer
from ludograph.hosting.exit_status import ending
from ludograph.hosting.host import Runner

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

    This class has no deadlines: the referee ends this process, and the program with it.

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


class CmdProgram(Program):
    """Sends messages to a program; each but the last has one answer."""

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
        end, seen = -1, 0
        while end < 0:
            if not seen:
                self._buffer = self._buffer.lstrip()
            end = self._buffer.find(b"\n", seen)
            seen = len(self._buffer)
            self._check_length(seen if end < 0 else end)
            if end < 0:
                self._take(wait=True)
        line, self._buffer = self._buffer[:end], self._buffer[end + 1 :]
        return line

    def _check_length(self, length: int) -> None:
        if length <= LINE_LIMIT:
            return
        limit = LONGEST if ANALYSIS in self._buffer[:LINE_LIMIT] else LINE_LIMIT
        if length > limit:
            raise ProgramFault(
                "protocol", f"answered a line of more than {limit} bytes: {self._shown()}"
            )


LONGEST = 1 << 22
"""Bytes of the longest answer with an analysis, which is left out if it is too large itself."""

ANALYSIS = b'"thoughts"'
"""The name of the field with an analysis, which is the last one of an answer."""


class Unreadable(NamedTuple):
    """An analysis that cannot be read, with the reason."""

    why: str


def answer_of(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line; raise ProgramFault if it is anything else.

    An error in the analysis is no fault: what stands before it counts.

    Examples
    --------
    >>> answer_of(b'{"move": "c5"}')
    {'move': 'c5'}
    >>> answer_of(b'{"move": "c5", "thoughts": {"value": nan}}')["move"]
    'c5'
    """
    line = line.removeprefix(codecs.BOM_UTF8).strip()
    try:
        return decoded(line)
    except UNREADABLE as error:
        if ANSWERS.search(line):
            what = f"gave two answers on one line, {shown(line)}: one is due"
            raise ProgramFault("protocol", what) from None
        fault = ProgramFault("protocol", f"answered {shown(line)}, which {why(error)}")
        before, is_there, analysis = line.partition(ANALYSIS)
        if not is_there:
            raise fault from None
        try:
            answer = decoded(before.rstrip(b" \t,") + b"}")
        except UNREADABLE:
            raise fault from None
        said = shown(analysis.lstrip(b" \t:").removesuffix(b"}"))
        return {**answer, "thoughts": Unreadable(f"{said} {why(error)}")}


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

ANSWERS = re.compile(rb'\}\s*\{\s*"\w')
"""The end of an answer and the beginning of another one: no JSON has these in a row, nor a text."""


def decoded(text: bytes) -> dict[str, Any]:
    """Return the JSON object of a text; raise an error of `UNREADABLE`, or ProgramFault."""
    answer = msgspec.json.decode(text)
    if not isinstance(answer, dict):
        raise ProgramFault("protocol", f"answered {shown(text)}, which is JSON but no object")
    return answer


def why(error: Exception) -> str:
    """Return the reason why a text cannot be read, as a predicate."""
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    if isinstance(error, msgspec.ValidationError):
        return "has a number that is too large"
    return f"is not JSON: {str(error).removeprefix('JSON is malformed: ')}"


VERSIONS = (1,)
"""The supported versions of the protocol."""

ANSWER_LENGTH = 1000
"""The number of characters of a move sent to the referee: every move is shorter."""

SEED_BITS = 31
"""The bits of a program's seed: it fits into the integers of any language."""


class CmdRunner(Runner):
    """One game played by one program."""

    def __init__(self) -> None:
        self.program: CmdProgram
        self.analysis: Any = None

    def start(self, order: dict[str, Any]) -> Answer:
        """Start the program, agree on a version, and hand the game over."""
        self.program = CmdProgram(order["path"])
        try:
            name = self.greet()
            seed = order["seed"] & ((1 << SEED_BITS) - 1)
            wishes = {"thoughts": True} if order.get("thoughts") else {}
            start = {"type": "start", "seed": seed, **wishes, **order["game"]}
            answer = self.program.ask(start)
            if "refuse" in answer:
                raise InvalidInput(f"refused the game: {shown_value(answer['refuse'])}")
            expect(answer, "start", "ready", True)
            expect(self.program.ask({"type": "ping"}), "ping", "pong", True)
        except ProgramFault as fault:
            raise InvalidInput(str(fault)) from None
        return Answer(started=True, name=name, legal=answer.get("legal") is not False)

    def greet(self) -> str | None:
        """Agree on a version of the protocol; return the program's own name."""
        answer = self.program.ask({"type": "hello", "versions": VERSIONS})
        if "version" not in answer:
            raise InvalidInput(
                f'answered {described(answer)} to "hello", which has no "version"; expected '
                f'{{"version":{VERSIONS[-1]}}}'
            )
        version, name = answer["version"], answer.get("name")
        if version not in VERSIONS or isinstance(version, bool):
            known = " or ".join(map(str, VERSIONS))
            raise InvalidInput(
                f"speaks version {described(version)} of the protocol, this referee {known}"
            )
        return name if isinstance(name, str) else None

    def play(self, question: dict[str, Any]) -> Answer:
        """Ask for a move."""
        try:
            answer = self.program.ask(question)
        except ProgramFault as fault:
            return Answer(fault=fault.reason, text=str(fault))
        if answer.get("resign") is True:
            return Answer(fault="resign", text="it resigned")
        if "move" not in answer:
            return Answer(
                fault="protocol", text=f'answered {described(answer)}, which has no "move"'
            )
        move, self.analysis = answer["move"], answer.get("thoughts")
        if not isinstance(move, str):
            text = f'answered "move": {described(move)}, but a move is a text, as in "legal"'
            return Answer(fault="protocol", text=text)
        return Answer(said=move[:ANSWER_LENGTH])

    def thoughts(self) -> Answer:
        """Return the analysis that the program sent with its last move."""
        if isinstance(self.analysis, Unreadable):
            return Answer(text=self.analysis.why)
        return Answer(thoughts=self.analysis)

    def finish(self, result: dict[str, Any] | None) -> None:
        """Send the result, if there is one, and end the program."""
        self.program.end({"type": "end", **(result or {"ranks": None, "scores": None})})


def expect(answer: dict[str, Any], what: str, key: str, value: object) -> None:
    """Raise InvalidInput unless an answer to a message holds a value."""
    if answer.get(key) is not value:
        due = f'{{"{key}":{str(value).lower()}}}'
        raise InvalidInput(f'answered {described(answer)} to "{what}", but expected {due}')


def shown_value(value: Any) -> str:
    """Return a program's own words, safe to show."""
    return one_line(value, 200) if isinstance(value, str) else described(value)


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


class HtpRunner(Runner):
    """One game played by one program.

    Attributes
    ----------
    known
        The commands that the program lists.
    """

    def __init__(self) -> None:
        self.program: HtpProgram
        self.known: set[str] = set()

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

    def finish(self, result: Any) -> None:  # noqa: ARG002
        """End the program."""
        self.program.quit(b"quit")
