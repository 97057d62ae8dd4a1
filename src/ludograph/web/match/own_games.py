"""The games of one browser, a part of the home page: the browser has the keys of their seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.errors import InvalidInput
from ludograph.web.match.live_match import LiveMatch
from ludograph.web.match.match_manager import MatchManager, RecordSummary
from ludograph.web.server.context import context_of
from ludograph.web.server.responses import json_error, page

SHOWN = 8
"""Games, at most."""

_Text = Annotated[str, msgspec.Meta(max_length=100)]
_Keys = Annotated[list[tuple[_Text, _Text]], msgspec.Meta(max_length=50)]


class OwnGame(NamedTuple):
    """A game in which a browser has a seat.

    Attributes
    ----------
    match
        The match, if it is running; else its record is in `record`.
    seats
        The seats of the browser.
    """

    key: str
    seats: Sequence[int]
    match: LiveMatch | None
    record: RecordSummary | None


def own_games(manager: MatchManager, keys: Sequence[tuple[str, str]]) -> list[OwnGame]:
    """Return the running and suspended games, and the finished ones that no list shows.

    Parameters
    ----------
    keys
        The numbers of matches and the keys of their seats, the latest last. Invalid keys are
        ignored.
    """
    found = []
    for number, key in reversed(keys):
        seat_keys = manager.seat_keys(number)
        seats = sorted(seat_keys.seats_of(key))
        match = manager.match(number) if seats else None
        if match is not None and match.running:
            found.append(OwnGame(key, seats, match, None))
        elif seats:
            record = manager.summary(number)
            if record is not None and (record.can_go_on or seat_keys.is_private):
                found.append(OwnGame(key, seats, None, record))
    return sorted(found, key=lambda each: each.match is None)[:SHOWN]


async def mine(request: Request) -> Response:
    """Answer with the list of the games whose keys a browser sends."""
    try:
        keys = msgspec.json.decode(await request.body(), type=_Keys)
    except (msgspec.MsgspecError, RecursionError):
        return json_error(InvalidInput("these keys do not belong to any seat"), 400)
    manager = context_of(request).match_manager
    return page(request, "mine.html", games=await run_in_threadpool(own_games, manager, keys))
