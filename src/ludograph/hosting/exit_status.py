"""The exit status of a player's process, in words."""

from __future__ import annotations

import signal

from ludograph.formatting import one_line
from ludograph.hosting.crash_report import DEEP, Crash
from ludograph.hosting.loader_errors import (
    LOADER_EXIT,
    SANITIZED,
    abort_words,
    advised,
    last_words,
    undefined_symbol,
)


def how_ended(code: int, crash: Crash, log: str, place: str = "") -> str:
    """Return how a process ended, its place in the code, and the messages about it.

    Parameters
    ----------
    code
        A return code; that of a signal is negative.
    crash
        Its crash report.
    log
        The output of the process.
    place
        The place in the code that a Python player was killed at, as :func:`whereabouts` writes it.
    """
    if code >= 0:
        crash = crash._replace(line="", deep=False)
    elif crash.signal:
        code = -crash.signal  # the handler may have ended by another signal
    text = ending(code) + place if code < 0 else f"exited with code {code}"
    text += whereabouts(crash)
    words = ""
    if code == LOADER_EXIT and last_words(log):
        words = advised(last_words(log))
        if undefined_symbol(words):
            text = f"needs {undefined_symbol(words)}{whereabouts(crash)}, which no library has"
    elif code == -signal.SIGABRT:
        words = abort_words(log)
    elif SANITIZED in log:
        words = (
            "it is built with AddressSanitizer, so play it by 'ludograph player debug ... --asan'"
        )
    return f"{text}, {words}" if words else text


def whereabouts(crash: Crash) -> str:
    """Return the place of a process, as in `` in play (helper, bot.c:12)``; empty if unknown."""
    text = f" in {crash.function}" if crash.function else ""
    if crash.line:
        inside = one_line(crash.inside)
        known = inside in ("", "??", crash.function)
        text += f" ({one_line(crash.line)})" if known else f" ({inside}, {one_line(crash.line)})"
    if crash.deep:
        text += f", more than {DEEP} calls deep"
    return text


def ending(code: int) -> str:
    """Return how a program ended, from its return code.

    Examples
    --------
    >>> ending(-11)
    'was killed by SIGSEGV'
    >>> ending(-37)
    'was killed by SIGRTMIN+3'
    >>> ending(3)
    'exited with code 3'
    >>> ending(127)
    'exited with code 127: a program or a library that it needs was not found'
    >>> ending(139)
    'exited with code 139: a program that it ran was killed by SIGSEGV'
    """
    if code < 0:
        return f"was killed by {signal_name(-code)}"
    text = f"exited with code {code}"
    if code in MEANINGS:
        return f"{text}: {MEANINGS[code]}"
    if SHELL < code <= SHELL + signal.SIGRTMAX:
        return f"{text}: a program that it ran was killed by {signal_name(code - SHELL)}"
    return text


SHELL = 128
"""Shells add this to the number of the signal that killed a program."""

MEANINGS = {
    126: "a program that it runs cannot be executed",
    LOADER_EXIT: "a program or a library that it needs was not found",
}
"""The meanings of exit codes of shells and loaders."""


def signal_name(number: int) -> str:
    """Return the name of a signal, whatever its number."""
    try:
        return signal.Signals(number).name
    except ValueError:  # Python names the first and the last real-time signal only
        if signal.SIGRTMIN < number < signal.SIGRTMAX:
            return f"SIGRTMIN+{number - signal.SIGRTMIN}"
        return f"signal {number}"
