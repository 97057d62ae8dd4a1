"""Everybody who watches a match: events kept for latecomers, sent as server-sent events."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from ludograph.web.serializers import Data

if TYPE_CHECKING:
    from ludograph.web.live_match import LiveMatch

KEPT_EVENTS = 64
"""The last events that are sent again to a browser that had lost its connection."""


@dataclass
class Spectator:
    """Somebody who looks: ``wake`` is called when there is something new."""

    wake: Callable[[], None]
    seats: frozenset[int] = frozenset()


@dataclass
class PushedEvent:
    """An event, encoded once for all spectators; with a ``seat``, only that person gets it."""

    number: int
    text: bytes
    seat: int | None = None


class Spectators:
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
        self._listeners: list[Spectator] = []
        self._events: deque[PushedEvent] = deque(maxlen=KEPT_EVENTS)
        self._next = 0
        self.alone_since: float | None = time.monotonic()

    def listen(self, listener: Spectator) -> None:
        """Wake somebody from now on."""
        with self.lock:
            self._listeners.append(listener)
            self.changed.notify_all()
            self.alone_since = None

    def leave(self, listener: Spectator) -> None:
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
            self._events.append(PushedEvent(self._next, msgspec.json.encode(data), seat))
            self._next += 1
            self.wake()

    def since(
        self, number: int | None, listener: Spectator, whole: Callable[[Spectator], Data]
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


ALIVE = 20.0
"""Seconds without news after which a sign of life is sent: it finds out who has gone."""


async def events(
    match: LiveMatch, key: str, number: int | None, is_closing: Callable[[], bool]
) -> AsyncIterator[bytes]:
    """Yield what happens, from the event of a number on; all that matters first if it is None."""
    loop = asyncio.get_running_loop()
    news = asyncio.Event()

    def wake() -> None:  # called in other threads, perhaps after the loop has ended
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(news.set)

    listener = Spectator(wake, match.seats_of(key))
    match.spectators.listen(listener)
    try:
        while not is_closing():
            news.clear()
            running = match.running  # if it has ended by now, its end is among what follows
            told = match.since(number, listener)
            if told:  # at once, so that a page draws all of it in one frame
                number = told[-1][0]
                yield b"".join(b"id: %d\ndata: %b\n\n" % each for each in told)
            if not running:
                yield b"event: close\ndata: {}\n\n"
                return
            try:
                await asyncio.wait_for(news.wait(), ALIVE)
            except TimeoutError:
                yield b": alive\n\n"
    finally:
        match.spectators.leave(listener)
