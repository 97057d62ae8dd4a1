"""Forfeits: the reasons for which a player loses a game that the rules have not ended."""

from __future__ import annotations

import os
import traceback
from enum import StrEnum
from types import TracebackType

from ludograph.formatting import MESSAGE_LIMIT, VALUE_LIMIT, one_line, printable

LOG_LIMIT = 9216
"""The stored characters of a log: its head, its tail, a sanitizer's report."""


class Reason(StrEnum):
    """The reason for which a player lost a game that the rules had not ended."""

    ILLEGAL_MOVE = "illegal-move"
    TIMEOUT = "timeout"
    CRASH = "crash"
    NO_START = "no-start"
    PROTOCOL = "protocol"
    MEMORY = "memory"
    RESIGN = "resign"
    """The player resigned, as programs may."""


class PlayerFault(Exception):
    """A player's fault, never the referee's.

    Attributes
    ----------
    reason
        One of :class:`Reason`.
    message
        One sentence.
    log
        The head and the tail of the player's output, if it ran in a process of its own; the
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


def check_time(
    seconds: float,
    allowed: float | None,
    *,
    sentence: str = "",
    more: str = "",
) -> None:
    """Decide whether a move came in time; raise PlayerFault with the reason ``timeout`` if not.

    Parameters
    ----------
    allowed
        The seconds that it had; None: it had no limit.
    sentence
        The message; by default that of an answer that came too late.
    more
        The end of the message.
    """
    if allowed is not None and seconds > allowed:
        raise PlayerFault(Reason.TIMEOUT, (sentence or too_late(seconds, allowed)) + more)


def too_late(seconds: float, allowed: float) -> str:
    """Return the sentence on an answer that took too long; its two numbers differ.

    Examples
    --------
    >>> too_late(2.71828, 2.0)
    'answered after 2.72 s, too late: it had 2 s'
    >>> too_late(2.00042, 2.0)
    'answered after 2.0004 s, too late: it had 2 s'
    """
    digits = next((n for n in range(3, 12) if f"{seconds:.{n}g}" != f"{allowed:.{n}g}"), 12)
    return f"answered after {seconds:.{digits}g} s, too late: it had {allowed:.{digits}g} s"


def error_text(error: BaseException) -> str:
    """Return ``TypeError: its text`` for an exception of a player's code; never raises."""
    try:
        text = str(error)[:MESSAGE_LIMIT]
    except Exception:  # noqa: BLE001  (a player's own code)
        text = "(an error that cannot be printed)"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


OURS = (f"{os.path.dirname(os.path.dirname(__file__))}/", "<frozen ")
"""The beginnings of the names of this package's files and of the interpreter's."""


def own_part(error: BaseException) -> TracebackType | None:
    """Return the traceback from the first call of a player's own code on; None without one."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(OURS):
        trace = trace.tb_next
    return trace


def raised(error: BaseException, reason: Reason) -> PlayerFault:
    """Return the fault of a player whose code in this process raised an exception."""
    kept = own_part(error) or error.__traceback__
    try:
        trace = "".join(traceback.format_exception(type(error), error, kept, limit=-20))
    except Exception:  # noqa: BLE001  (a player's own exception)
        trace = ""
    return PlayerFault(reason, f"raised {error_text(error)}", trace)
