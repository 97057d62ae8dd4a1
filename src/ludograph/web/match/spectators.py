"""Spectators of a match: its latest events, sent to each browser (server-sent events)."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from ludograph.web.positions.serializers import Data

KEPT_EVENTS = 64
"""The number of last events stored for a browser that connects again."""


@dataclass
class Spectator:
    """A page that shows the match: ``wake`` is called when there are new events."""

    wake: Callable[[], None]
    seats: frozenset[int] = frozenset()


@dataclass
class PushedEvent:
    """An event, encoded once for all spectators; with a ``seat``, it is for that person only."""

    number: int
    text: bytes
    seat: int | None = None


class Spectators:
    """The spectators of one match, and its last events.

    Attributes
    ----------
    lock
        The lock for changes of spectators and events; the match uses it for its own state too.
    changed
        Notified when a spectator comes or leaves, and when all are woken.
    on_presence
        Called with the seats whose pages are connected, when they have changed.
    alone_since
        The time when the last spectator left, by ``time.monotonic``; None while there is one.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self._listeners: list[Spectator] = []
        self._events: deque[PushedEvent] = deque(maxlen=KEPT_EVENTS)
        self._next = 0
        self.alone_since: float | None = time.monotonic()
        self.on_presence: Callable[[frozenset[int]], None] = lambda _: None

    def listen(self, listener: Spectator) -> None:
        """Add a spectator."""
        with self.lock:
            before = self.seats()
            self._listeners.append(listener)
            self.changed.notify_all()
            self.alone_since = None
            self._compare(before)

    def leave(self, listener: Spectator) -> None:
        """Remove a spectator."""
        with self.lock:
            before = self.seats()
            self._listeners.remove(listener)
            self.changed.notify_all()
            if not self._listeners:
                self.alone_since = time.monotonic()
            self._compare(before)

    def _compare(self, before: frozenset[int]) -> None:
        now = self.seats()
        if now != before:
            self.on_presence(now)

    def seats(self) -> frozenset[int]:
        """Return the seats of the people whose pages are connected."""
        with self.lock:
            return frozenset(seat for listener in self._listeners for seat in listener.seats)

    def wake(self) -> None:
        """Wake all spectators."""
        with self.lock:
            for listener in self._listeners:
                listener.wake()
            self.changed.notify_all()

    def tell(self, data: Data, seat: int | None = None) -> None:
        """Send an event to all spectators, or only to the player of a seat."""
        with self.lock:
            self._events.append(PushedEvent(self._next, msgspec.json.encode(data), seat))
            self._next += 1
            self.wake()

    def since(
        self, number: int | None, listener: Spectator, whole: Callable[[Spectator], Data]
    ) -> list[tuple[int, bytes]]:
        """Return the events from a number on, each with the number of the next one.

        A spectator without a number, or with one too old, gets the ``whole`` match in one event.
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
