"""What happens in a match, pushed to a page: server-sent events that go on where they broke off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from ludograph.web.audience import Listener
from ludograph.web.live import LiveMatch

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

    listener = Listener(wake, match.seats_of(key))
    match.audience.listen(listener)
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
        match.audience.leave(listener)
