"""Searches that stop on time, without a clock in their kernels.

A search stores its whole progress in arrays. Its kernel advances it by a given amount of work and
returns; Python reads the clock between two such chunks and sizes the next one. What the first move
would wait for is loaded before any clock runs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from ludograph.rules import Setup
from ludograph.rules.answers import fresh_state, moves_at, play_at, scores_at

CHUNK_SECONDS = 0.0005
"""Seconds of one chunk: long compared with a call, short compared with a move."""

UNTIMED_SECONDS = 0.02
"""The same without a deadline: Ctrl-C still works."""


ROUNDS = 8
"""How often two kinds of work take turns in a search ..."""

ROUND_SECONDS = 0.01
"""... if each turn is as long as this."""


def now() -> float:
    """Return the reading of the clock that deadlines are on."""
    return time.perf_counter()


def deadline_after(seconds: float | None) -> float | None:
    """Return what ``time.perf_counter`` will read in some seconds; None: never."""
    return None if seconds is None else time.perf_counter() + seconds


def is_over(deadline: float | None) -> bool:
    """Tell whether a deadline has come."""
    return deadline is not None and now() >= deadline


def chunks(deadline: float | None, total: int | None = None, first: int = 1) -> Iterator[int]:
    """Yield amounts of work, sized by how long each took, until time or work is used up.

    The first amount comes even when the deadline has passed, so that there is always an answer.

    Parameters
    ----------
    deadline
        A reading of ``time.perf_counter``; None: only ``total`` or the caller ends the iteration.
    total
        The sum of what is yielded, at most; None: only the deadline ends it.
    first
        The first amount, from which the sizes grow.
    """
    aim = UNTIMED_SECONDS if deadline is None else CHUNK_SECONDS
    size = float(first)
    left = total
    now = time.perf_counter()
    while left is None or left > 0:
        amount = max(1, int(size)) if left is None else min(max(1, int(size)), left)
        yield amount
        if left is not None:
            left -= amount
        before, now = now, time.perf_counter()
        seconds_each = max(now - before, 1e-7) / amount
        wanted = aim
        if deadline is not None:
            if now >= deadline:
                return
            wanted = min(aim, deadline - now)
        size = max(1.0, min(wanted / seconds_each, 4.0 * amount))


def rounds(deadline: float | None, total: int | None) -> Iterator[tuple[float | None, int | None]]:
    """Yield the deadlines and the amounts of the rounds in which two kinds of work take turns.

    There are ``ROUNDS`` of them, fewer if each would take less than ``ROUND_SECONDS``. A total is
    divided among the rounds, and each may take all of the time that is left.

    Parameters
    ----------
    deadline, total
        As in :func:`chunks`.
    """
    began = now()
    count = ROUNDS
    if deadline is not None and total is None:
        count = max(1, min(ROUNDS, int((deadline - began) / ROUND_SECONDS)))
    for turn in range(1, count + 1):
        if turn > 1 and is_over(deadline):
            return
        end = deadline
        if deadline is not None and total is None:
            end = began + (deadline - began) * turn / count
        amount = None if total is None else total * turn // count - total * (turn - 1) // count
        if amount != 0:
            yield end, amount


def load_rules(setup: Setup) -> None:
    """Load, or compile, the rules that searches call from Python, one position at a time.

    A match has done so for the game's Setup, but not for a different Setup of the searches.
    """
    state = fresh_state(setup)
    for move in moves_at(setup, state)[:1].tolist():
        play_at(setup, state, move)
    scores_at(setup, state)
