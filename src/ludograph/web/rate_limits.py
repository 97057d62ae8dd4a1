"""Rate limits: the number of requests of a visitor in a time."""

from __future__ import annotations

import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

VISITORS = 4096
"""The most visitors whose requests of a kind are counted."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of a person for limits.

    A token belongs to one person, but anybody can have a browser forget its name, and get another
    one: so there are also limits for all of an address together.

    Attributes
    ----------
    name
        Equal for requests of one person; empty for somebody without limits.
    address
        The address for whose limits the person counts, too; empty if the name proves who it is.
    """

    name: str
    address: str = field(default="", compare=False)

    @property
    def is_limited(self) -> bool:
        """Whether limits of one person count."""
        return self.name != ""


ANYBODY = Identity("")
"""Somebody without limits, such as the operator."""


class RateLimit(NamedTuple):
    """A rate limit: a number of requests at once, and a number each second."""

    burst: float
    each_second: float


class RateLimiter:
    """Counts the requests of the latest visitors."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: defaultdict[str, OrderedDict[str, tuple[float, float]]] = defaultdict(
            OrderedDict
        )

    def allow(self, kind: str, who: str, rate: RateLimit) -> bool:
        """Tell whether a visitor may send a request now, and count it."""
        now, visitors = self._clock(), self._left[kind]
        left, when = visitors.pop(who, (rate.burst, now))
        left = min(rate.burst, left + (now - when) * rate.each_second)
        allowed = left >= 1
        visitors[who] = (left - 1 if allowed else left), now
        while len(visitors) > VISITORS:
            visitors.popitem(last=False)
        return allowed
