"""The lobby: listed matches with free seats, which any visitor can take."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ludograph.web.server.limits import Identity

RESERVED = 60.0
"""Seconds for which a seat is reserved for a visitor who has not opened the page yet."""


@dataclass
class OpenSeats:
    """The seats of other people in one listed match.

    Only one thread at a time may call :meth:`take`.

    Parameters
    ----------
    people
        The seats of each person except the owner; none for a match that is not listed.
    """

    people: Sequence[frozenset[int]] = ()
    _until: dict[frozenset[int], float] = field(default_factory=dict)
    _takers: dict[frozenset[int], Identity] = field(default_factory=dict)

    def see(self, seats: Collection[int]) -> None:
        """Note the seats whose pages are connected: these are no longer free."""
        for person in self.people:
            if person <= set(seats):
                self._until[person] = math.inf

    def free(self) -> list[frozenset[int]]:
        """Return the seats that can be taken, by person."""
        now = time.monotonic()
        return [person for person in self.people if self._until.get(person, now) <= now]

    def take(self, visitor: Identity) -> frozenset[int] | None:
        """Reserve and return the first free seats for this visitor; None if none are free."""
        free = self.free()
        if not free:
            return None
        self._until[free[0]] = time.monotonic() + RESERVED
        self._takers[free[0]] = visitor
        return free[0]

    def is_taken_by(self, visitor: Identity) -> bool:
        """Tell whether a visitor has taken seats here."""
        return visitor in self._takers.values()

    def is_taken_from(self, address: str) -> bool:
        """Tell whether a visitor of an address, without a token, has taken seats here."""
        return any(taker.address == address for taker in self._takers.values())
