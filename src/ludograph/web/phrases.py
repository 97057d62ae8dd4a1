"""Phrases that the people of a match say to each other: a fixed list, without free text."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludograph.web.consent import RequestRefused
from ludograph.web.rate_limits import RateLimit, RateLimiter

PHRASES = (
    "Hello",
    "Good luck",
    "Well played",
    "One moment",
    "Thank you",
    "Good game",
    "Sorry",
    "Your move",
    "Another game?",
)
"""The texts of the phrases, by number; a new one goes to the end."""

OFTEN = RateLimit(3, 0.1)
"""The rate limit of one person in one match."""

KEPT = 8
"""The number of last phrases that a page gets when it connects."""


class SaidPhrase(NamedTuple):
    """A phrase that the person on a seat has said, by its number."""

    seat: int
    number: int


class Phrases:
    """The last phrases said in one match.

    It has no lock: only one thread at a time may call it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._said: deque[SaidPhrase] = deque(maxlen=KEPT)
        self._limiter = RateLimiter(clock)

    @property
    def said(self) -> Sequence[SaidPhrase]:
        """The last phrases, the latest at the end."""
        return list(self._said)

    def say(self, seat: int, number: int) -> SaidPhrase:
        """Let the person on a seat say a phrase.

        Raises
        ------
        RequestRefused
            If there is no such phrase, or that person has just said several.
        """
        if number not in range(len(PHRASES)):
            raise RequestRefused("there is no such phrase")
        if not self._limiter.allow("phrase", str(seat), OFTEN):
            raise RequestRefused("you have just sent a phrase; wait a moment")
        phrase = SaidPhrase(seat, number)
        self._said.append(phrase)
        return phrase
