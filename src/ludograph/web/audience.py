"""All who look at a match: what happens is told to each of them once, and to who comes later."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from ludograph.web.encoding import Data

KEPT_EVENTS = 64
"""So many of the last events can be told again to who has lost the connection."""


@dataclass
class Listener:
    """Somebody who looks: ``wake`` is called when there is something new."""

    wake: Callable[[], None]
    seats: frozenset[int] = frozenset()


@dataclass
class Event:
    """Something that has happened, encoded once for all; ``seat`` alone is told, if it is one."""

    number: int
    text: bytes
    seat: int | None = None


class Audience:
    """Listeners, and the last events.

    Attributes
    ----------
    lock
        Held while anything of it is read or changed; by others to tell what they change meanwhile.
    changed
        Notified when somebody comes or goes, and when all are woken.
    alone_since
        When the last listener has left, by ``time.monotonic``; None while there is one.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self._listeners: list[Listener] = []
        self._events: deque[Event] = deque(maxlen=KEPT_EVENTS)
        self._next = 0
        self.alone_since: float | None = time.monotonic()

    def listen(self, listener: Listener) -> None:
        """Wake somebody from now on."""
        with self.lock:
            self._listeners.append(listener)
            self.changed.notify_all()
            self.alone_since = None

    def leave(self, listener: Listener) -> None:
        """Wake somebody no more."""
        with self.lock:
            self._listeners.remove(listener)
            self.changed.notify_all()
            if not self._listeners:
                self.alone_since = time.monotonic()

    def seats(self) -> frozenset[int]:
        """Return the seats for which somebody looks."""
        with self.lock:
            return frozenset(seat for listener in self._listeners for seat in listener.seats)

    def wake(self) -> None:
        """Wake all who look."""
        with self.lock:
            for listener in self._listeners:
                listener.wake()
            self.changed.notify_all()

    def tell(self, data: Data, seat: int | None = None) -> None:
        """Tell all who look, or those who speak for a seat."""
        with self.lock:
            self._events.append(Event(self._next, msgspec.json.encode(data), seat))
            self._next += 1
            self.wake()

    def since(
        self, number: int | None, listener: Listener, whole: Callable[[Listener], Data]
    ) -> list[tuple[int, bytes]]:
        """Return what is new from the event of a number on, each with the number of the next one.

        Who has seen nothing, or too little, is told the ``whole`` in one event.
        """
        with self.lock:
            first = self._next - len(self._events)
            if number is None or not first <= number <= self._next:
                return [(self._next, msgspec.json.encode(whole(listener)))]
            return [
                (event.number + 1, event.text)
                for event in self._events
                if event.number >= number and (event.seat is None or event.seat in listener.seats)
            ]
