"""What a player can do wrong: each fault is a forfeit with its reason."""

from __future__ import annotations

from enum import StrEnum

MESSAGE_LIMIT = 4096
"""Characters of a fault's message, and of a log's tail, that are kept."""


class Reason(StrEnum):
    """Why a player lost a game that the rules had not ended."""

    ILLEGAL_MOVE = "illegal-move"
    TIMEOUT = "timeout"
    CRASH = "crash"
    NO_START = "no-start"
    PROTOCOL = "protocol"
    MEMORY = "memory"


class PlayerFault(Exception):
    """A player's fault, never the referee's.

    Attributes
    ----------
    reason
        One of :class:`Reason`.
    message
        One sentence.
    log
        The end of what the player printed, if it ran in a process of its own.
    """

    def __init__(self, reason: Reason, message: str, log: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.message = printable(message)
        self.log = log


def printable(text: str, limit: int = MESSAGE_LIMIT) -> str:
    """Return a text that is safe to show and to store: bounded, without control characters."""
    if len(text) > limit:
        text = text[: limit // 2] + f" [... {len(text) - limit} more ...] " + text[-limit // 2 :]
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)
