"""What a player can do wrong: each fault is a forfeit with its reason."""

from __future__ import annotations

import traceback
from enum import StrEnum
from typing import Any

MESSAGE_LIMIT = 4096
"""Characters of a fault's message that are kept."""

LOG_LIMIT = 9216
"""Characters of a log that are kept: its head, its tail, a sanitizer's report."""

NAME_LIMIT = 60

VALUE_LIMIT = 200


class Reason(StrEnum):
    """Why a player lost a game that the rules had not ended."""

    ILLEGAL_MOVE = "illegal-move"
    TIMEOUT = "timeout"
    CRASH = "crash"
    NO_START = "no-start"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    RESIGN = "resign"
    """It gave the game up, as programs that speak HTP may."""


class PlayerFault(Exception):
    """A player's fault, never the referee's.

    Attributes
    ----------
    reason
        One of :class:`Reason`.
    message
        One sentence.
    log
        The head and the tail of what the player printed, if it ran in a process of its own; the
        traceback otherwise.
    answer
        The text of an illegal move.
    """

    def __init__(self, reason: Reason, message: str, log: str = "", answer: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.message = printable(message)
        self.log = printable(log, LOG_LIMIT)
        self.answer = one_line(answer, VALUE_LIMIT)


def printable(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """Return a text that is safe to show and to store: bounded, without control characters."""
    if len(text) > limit:
        text = text[: limit // 2] + f" [... {len(text) - limit} more ...] " + text[-limit // 2 :]
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)


def one_line(text: str, limit: int = NAME_LIMIT) -> str:
    r"""Return a text for a place in a line, such as a player's own name.

    Examples
    --------
    >>> one_line("my\\n bot\\a")
    'my bot\\\\x07'
    >>> len(one_line("x" * 10_000))
    60
    """
    line = printable(" ".join(text[: 8 * limit].split()), 8 * limit)
    return line if len(line) <= limit else line[: limit - 3] + "..."


def described(value: Any) -> str:
    """Return a short text for anything that a player answered; it never raises."""
    if isinstance(value, str | bytes):
        value = value[: 2 * VALUE_LIMIT]
    elif isinstance(value, int) and value.bit_length() > 64:
        return f"an integer of {value.bit_length()} bits"
    elif isinstance(value, list | tuple | set | frozenset | dict) and len(value) > 20:
        return f"a {type(value).__name__} of {len(value)}"
    try:
        return one_line(repr(value), VALUE_LIMIT)
    except Exception:  # noqa: BLE001  (a player's own code)
        return f"a {one_line(type(value).__name__)}"


def told(error: BaseException) -> str:
    """Return ``TypeError: its text`` for what a player's code raised; it never raises."""
    try:
        text = str(error)[:MESSAGE_LIMIT]
    except Exception:  # noqa: BLE001  (a player's own code)
        text = "(an error that cannot be printed)"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def raised(error: BaseException, reason: Reason) -> PlayerFault:
    """Return the fault of a player whose code in this process raised something."""
    try:
        trace = "".join(traceback.format_exception(error, limit=-20))
    except Exception:  # noqa: BLE001  (a player's own exception)
        trace = ""
    return PlayerFault(reason, f"raised {told(error)}", trace)
