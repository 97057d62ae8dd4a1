"""A rematch: the same people play the same start again, each on the seat before its own.

It begins when all people agree, after the end of their game.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ludograph.web.match.consent import Consent, RequestRefused

REMATCH = "rematch"

Each = TypeVar("Each")


@dataclass(frozen=True)
class NextMatch:
    """The match that is a rematch: its number, and the new keys by the seats of the old match."""

    number: str
    keys: Mapping[int, str]

    def data_for(self, seats: Collection[int]) -> dict[str, Any]:
        """Return the data for a page that plays these seats of the old match."""
        key = next((self.keys[seat] for seat in sorted(seats) if seat in self.keys), "")
        return {"number": self.number, "key": key}


@dataclass
class Rematch:
    """The agreement of the people of one match on a rematch.

    Parameters
    ----------
    on_begun
        Called with the rematch when it has begun.

    Attributes
    ----------
    open
        Whether they can agree: the game is over, and no rematch has begun.
    begun
        The rematch; None before.
    """

    consent: Consent
    on_begun: Callable[[NextMatch], None]
    open: bool = False
    begun: NextMatch | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def request(
        self, kind: str, value: object, seats: frozenset[int], begin: Callable[[], NextMatch]
    ) -> dict[str, Any]:
        """Handle a proposal or an answer of one person; ``begin`` the rematch when all agree.

        Raises
        ------
        RequestRefused
            If the request cannot be granted.
        ServerFull
            If there is no room for the rematch.
        """
        with self._lock:
            if not self.open:
                raise RequestRefused("the game is over")
            if kind == REMATCH:
                return {"proposal": self.consent.propose(REMATCH, min(seats))}
            if kind == "decline":
                self.consent.decline(value, seats)
            elif kind != "accept":
                raise RequestRefused("the game is over")
            elif self.consent.accept(value, seats) is not None:
                self.begun = begin()
                self.on_begun(self.begun)
                self.open = False  # last, because pages stay connected until then
            return {}


def exchanged(each: Sequence[Each]) -> list[Each]:
    """Return the values of each seat, moved to the seats of the rematch.

    Examples
    --------
    >>> exchanged(["ann", "bob", "eve"])
    ['bob', 'eve', 'ann']
    """
    return [*each[1:], *each[:1]]


def exchanged_form(form: Mapping[str, str], seats: int) -> dict[str, str]:
    """Return the form of a match as that of its rematch, which is not open to others.

    Examples
    --------
    >>> exchanged_form({"player0": "human", "player1": "guest", "size": "5", "listed": "true"}, 2)
    {'size': '5', 'player0': 'guest', 'player1': 'human'}
    """
    names = [f"{name}{seat}" for name in ("player", "time") for seat in range(seats)]
    again = {name: value for name, value in form.items() if name not in (*names, "listed")}
    for name in ("player", "time"):
        values = exchanged([form.get(f"{name}{seat}") for seat in range(seats)])
        given = {f"{name}{seat}": value for seat, value in enumerate(values)}
        again |= {field: value for field, value in given.items() if value is not None}
    return again
