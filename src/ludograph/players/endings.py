"""How a player's process ended, in words."""

from __future__ import annotations

import signal

from ludograph.players.blackbox import DEEP, Crash
from ludograph.players.loading import (
    LOADER_EXIT,
    SANITIZED,
    abort_words,
    advised,
    last_words,
)
from ludograph.quoting import one_line


def how_ended(code: int, crash: Crash, log: str) -> str:
    """Return how a process ended, where it was, and what was said about it.

    Parameters
    ----------
    code
        A return code; that of a signal is negative.
    crash
        What its black box tells.
    log
        What it printed.
    """
    if code >= 0:
        crash = crash._replace(line="", deep=False)
    elif crash.signal:
        code = -crash.signal  # not that of the handler's own end
    text = ending(code) + whereabouts(crash)
    words = ""
    if code == LOADER_EXIT and last_words(log):
        words = advised(last_words(log))
    elif code == -signal.SIGABRT:
        words = abort_words(log)
    elif SANITIZED in log:
        words = "it is built with AddressSanitizer, so play it by 'ludograph debug ... --asan'"
    return f"{text}, {words}" if words else text


def whereabouts(crash: Crash) -> str:
    """Return where a process was, as in `` in play (helper, bot.c:12)``; empty if unknown."""
    text = f" in {crash.function}" if crash.function else ""
    if crash.line:
        inside = one_line(crash.inside)
        known = inside in ("", "??", crash.function)
        text += f" ({one_line(crash.line)})" if known else f" ({inside}, {one_line(crash.line)})"
    if crash.deep:
        text += f", more than {DEEP} calls deep"
    return text


def ending(code: int) -> str:
    """Return how a process ended, from its return code, as in ``was killed by SIGSEGV``."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"
