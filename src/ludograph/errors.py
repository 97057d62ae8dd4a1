"""The errors of Ludograph: few, all ``ValueError``, each with one sentence for its reader."""

from __future__ import annotations

import difflib
import errno
import numbers
from collections.abc import Iterable
from typing import TypeGuard

from ludograph.formatting import printable


class LudographError(ValueError):
    """Base of all errors that a user can cause; the message is one complete sentence.

    Whatever it quotes, the message is one line of `MESSAGE_LIMIT` printable characters at most.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(printable(str(message)).replace("\n", " "))


class InvalidInput(LudographError):
    """A file, option, player name or record from outside is wrong; the message has the place."""


class SourceFault(InvalidInput):
    """A fault in a player's file, which the message may quote; ``public`` is for everybody."""

    def __init__(self, message: object, public: str) -> None:
        super().__init__(message)
        self.public = public


class DamagedData(InvalidInput):
    """What this program has written itself cannot be read any more, so no request is at fault."""


class NotFound(InvalidInput):
    """Something that was asked for by its name or number does not exist, or not any more."""


class GameFault(LudographError, TypeError):
    """The code of a game does not keep its contract with Ludograph: its author must mend it."""


class IllegalMove(LudographError):
    """A move that the rules do not allow, or a text that is no move."""


OUT_OF_FILES = frozenset({errno.EMFILE, errno.ENFILE})
"""Too many open files, in this process or on this machine."""

OUT_OF_ROOM = frozenset({errno.ENOMEM, errno.EAGAIN, errno.ETOOMANYREFS, errno.ENOBUFS})
"""No more memory, processes, or files that are passed between processes."""

OF_MACHINE = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, *OUT_OF_FILES, *OUT_OF_ROOM}
)
"""Errors of a machine that lacks something, not of the input."""


def shortage(error: BaseException) -> OSError | None:
    """Return the error of a machine without files, memory or processes that led to an error.

    A file that cannot be opened is wrong input only if another process could not open it either.
    ``EAGAIN`` counts only by itself: behind a refusal it is a lock that another process holds.
    """
    first, behind = error, OUT_OF_FILES | OUT_OF_ROOM - {errno.EAGAIN}
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, OSError) and (found.errno in behind or found is first):
            return found if found.errno in OUT_OF_FILES | OUT_OF_ROOM else None
        found = found.__cause__ or found.__context__
    return None


class HostFailure(RuntimeError):
    """The referee's own fault: a host process did not start; no player is to blame."""


class MachineBusy(HostFailure):
    """A move took too long because other processes used the processors: the game is void."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question for the end of a sentence that refuses a word; empty if none is similar.

    Examples
    --------
    >>> did_you_mean("gredy", ["greedy", "random"])
    '; did you mean greedy?'
    >>> did_you_mean("chess", ["greedy", "random"])
    ''
    """
    near = difflib.get_close_matches(word.lower(), list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""


def is_whole(value: object) -> TypeGuard[int]:
    """Tell whether a value is a whole number: Python's or NumPy's, no truth value.

    Examples
    --------
    >>> [is_whole(value) for value in (3, 3.0, True, "3")]
    [True, False, False, False]
    """
    if type(value) is int:  # the usual case, asked for thousands of moves
        return True
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)
