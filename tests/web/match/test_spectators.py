"""What is pushed to a page: nothing is lost, whenever it happens."""

import asyncio
from contextlib import aclosing

from ludograph.web.match.match_pages import events


class Ending:
    """A match that ends right after somebody has looked for news."""

    def __init__(self):
        self.listening = True
        self.told = []
        self.spectators = self

    def seats_of(self, key):
        return frozenset()

    def listen(self, listener):
        self.listener = listener

    def leave(self, listener):
        self.listener = None

    def since(self, number, listener):
        found = list(enumerate(self.told, 1))[number or 0 :]
        if self.listening:
            self.told.append(b"the end")
            self.listening = False
            listener.wake()
        return found


def test_an_end_that_comes_between_two_looks_is_told():
    async def heard(match):
        async with aclosing(events(match, "", 0, lambda: False)) as pushed:
            return [text async for text in pushed]

    match = Ending()
    assert asyncio.run(asyncio.wait_for(heard(match), 60)) == [
        b"id: 1\ndata: the end\n\n",
        b"event: close\ndata: {}\n\n",
    ]
    assert match.listener is None
