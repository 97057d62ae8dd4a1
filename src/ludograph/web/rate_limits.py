"""Rate limits: the number of requests of a visitor in a time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, Self

VISITORS = 4096
"""The most visitors whose requests are counted, by kind of request."""


class Identity(str):
    """The identity of a person for limits, with the address if it does not prove who that is.

    A token belongs to one person, but anybody can have a browser forget its name, and get another
    one: so there are also limits for all of an address together.
    """

    address: str

    def __new__(cls, name: str, address: str = "") -> Self:
        """Return an identity; without an address, no limit of an address counts."""
        made = super().__new__(cls, name)
        made.address = address
        return made


def address_of(person: str) -> str:
    """Return the address for whose limits a person counts; empty for none."""
    return person.address if isinstance(person, Identity) else ""


class RateLimit(NamedTuple):
    """A rate limit: a number of requests at once, and a number each second."""

    burst: float
    each_second: float


class RateLimiter:
    """Counts the requests of the latest visitors."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def allow(self, kind: str, who: str, rate: RateLimit) -> bool:
        """Tell whether a visitor may send a request now, and count it."""
        now = self._clock()
        left, when = self._left.pop((kind, who), (rate.burst, now))
        left = min(rate.burst, left + (now - when) * rate.each_second)
        allowed = left >= 1
        self._left[kind, who] = (left - 1 if allowed else left), now
        while len(self._left) > VISITORS:
            self._left.popitem(last=False)
        return allowed
