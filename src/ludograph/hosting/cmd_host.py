"""A program that speaks Ludograph's own protocol, and its host.

The protocol has one JSON object a line, see `docs/programs.md`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from ludograph.errors import InvalidInput
from ludograph.hosting.channel import Answer
from ludograph.hosting.program import LINE_LIMIT, Program, ProgramFault, shown
from ludograph.quoting import described, one_line


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
    """Return the JSON object of a line; raise ProgramFault if it is anything else.

    Examples
    --------
    >>> answer_of(b'{"move": "c5"}')
    {'move': 'c5'}
    """
    try:
        text = line.decode("utf-8-sig")
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


VERSIONS = (1,)
"""The supported versions of the protocol."""

ANSWER_LENGTH = 1000
"""The number of characters of a move sent to the referee: every move is shorter."""

SEED_BITS = 31
"""The bits of a program's seed: it fits into the integers of any language."""


class CmdRunner:
    """One game played by one program."""

    def __init__(self) -> None:
        self.program: CmdProgram
        self.analysis: Any = None

    def prepare(self, needed: str) -> None:
        """Do nothing: only the program itself is needed."""

    def share(self, memory: Any) -> None:
        """Do nothing: a program's errors contain their place."""

    def start(self, order: dict[str, Any]) -> Answer:
        """Start the program, agree on a version, and hand the game over."""
        try:
            self.program = CmdProgram(order["path"])
        except OSError as error:
            raise InvalidInput(f"{error.filename}: {error.strerror}") from None
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
