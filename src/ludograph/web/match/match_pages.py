"""Pages of matches: the board, its stream of events, what players ask for, and lists of matches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from ludograph.arena.ladder.people import Role
from ludograph.errors import NotFound
from ludograph.web.boards.uploaded_boards import OWN
from ludograph.web.match.consent import NextMatch
from ludograph.web.match.human_players import ALONE, PlayerRequest
from ludograph.web.match.live_match import LiveMatch
from ludograph.web.match.match_manager import MatchManager, ServerFull
from ludograph.web.match.match_records import RecordSummary
from ludograph.web.match.spectators import Spectator
from ludograph.web.replay.replay_pages import title_of
from ludograph.web.replay.replays import HERE
from ludograph.web.server import limits
from ludograph.web.server.context import AppContext, context_of
from ludograph.web.server.limits import Identity
from ludograph.web.server.responses import (
    error_response,
    json_response,
    page,
    sent_data,
)
from ludograph.web.server.tokens import may


async def match(request: Request) -> Response:
    """Answer with the page of a match: its board, its seats, its moves."""
    context, number = context_of(request), request.path_params["number"]
    live_match = context.match_manager.match(number)
    key = request.query_params.get("key", "")
    if live_match is None or not live_match.running:
        title = await title_of(request, HERE, number)
        if not title.ended:
            return page(request, "suspended_match.html", title=title, number=number, key=key)
        if live_match is None:
            return RedirectResponse(f"/replay/here/{number}", 303)
    seats = live_match.seats_of(key)
    links = live_match.plan.seat_keys.links(f"{request.url.replace(query='')}/join", key)
    start = live_match.plan.start
    game, own_board = start.game, live_match.plan.form.get(OWN, "")
    if own_board:  # for a change of the board, and for another game on it
        context.uploaded_boards.keep(own_board, start.board)
    return page(
        request,
        "match.html",
        match=live_match,
        game=game,
        declared=game.declaration,
        key=key,
        links=links,
        own=seats,
        own_board=own_board,
        asks_regions=bool(game.presentation.regions(start)),
    )


ANSWER_TIMEOUT = 30.0
"""Seconds for the answer to a request: a hint takes one, and more if it compiles first."""

Number = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]


class MatchMessage(msgspec.Struct, forbid_unknown_fields=True):
    """A request of a page for a match."""

    kind: Literal[
        "move",
        "type",
        "hint",
        "undo",
        "resign",
        "why",
        "where",
        "stop",
        "accept",
        "decline",
        "name",
        "rematch",
    ]
    key: str = ""
    ply: Number = 0
    value: Number | str | list[Number] | None = None


VALUES = {
    "move": int,
    "type": str,
    "why": list,
    "where": list,
    "accept": int,
    "decline": int,
    "name": str,
}
"""The type of the value, for kinds that have one: that of an answer is the proposal's number."""

NUMBERS = {"why": range(1, 10_000), "where": range(2, 3)}
"""The allowed lengths of a list."""


def match_of(request: Request) -> LiveMatch:
    """Return the match of a path, if it is running or has just ended; else raise NotFound."""
    match = context_of(request).match_manager.match(request.path_params["number"])
    if match is None:
        raise NotFound("There is no such match")
    return match


async def match_events(request: Request) -> Response:
    """Answer with the stream of a match's events."""
    context = context_of(request)
    match = match_of(request)
    if len(context.listeners) >= limits.LISTENERS:
        return error_response(request, "Too many spectators are connected already.", 429)
    person = request.state.person
    if sum(map(person.is_same, context.listeners)) >= limits.EACH_LISTENS:
        return error_response(request, "You have too many pages of matches open.", 429)
    if sum(map(person.is_near, context.listeners)) >= limits.ADDRESS_LISTENS:
        return error_response(request, "Too many pages of matches are open at your address.", 429)
    last = request.headers.get("last-event-id", "")
    number = int(last) if last.isascii() and last.isdecimal() and len(last) < 16 else None
    return StreamingResponse(
        _counted(context, person, match, request.query_params.get("key", ""), number),
        media_type="text/event-stream",
        headers={"x-accel-buffering": "no"},
    )


async def _counted(
    context: AppContext, person: Identity, match: LiveMatch, key: str, number: int | None
) -> AsyncIterator[bytes]:
    context.listeners.append(person)
    try:
        async for text in events(match, key, number, lambda: context.closing):
            yield text
    finally:
        context.listeners.remove(person)


async def wish(request: Request) -> Response:
    """Carry out a request of a match's page."""
    match = match_of(request)
    sent: MatchMessage = await sent_data(request, MatchMessage)
    value_is_right = isinstance(sent.value, VALUES.get(sent.kind, type(None)))
    if isinstance(sent.value, list):
        value_is_right = len(sent.value) in NUMBERS.get(sent.kind, ())
    if not value_is_right:
        return error_response(request, f"The value of {sent.kind} has a wrong type.", 400)
    seats = match.seats_of(sent.key)
    if sent.kind == "stop":
        return pause(request, match, seats)
    if not seats:
        return error_response(request, "You are a spectator; only a player can do that.", 403)
    try:
        return json_response(await answer(request, match, sent, seats))
    except TimeoutError:
        return error_response(request, "There was no answer in time.", 503)


def pause(request: Request, match: LiveMatch, seats: frozenset[int]) -> Response:
    """Pause a match without other people, or one that still waits for them."""
    if match.people and not seats:
        return error_response(request, "Only a player can pause the game.", 403)
    if not seats and not may(request, Role.PLAY):
        return error_response(request, "Only visitors who may play can pause this game.", 403)
    if len(match.people) > 1 and match.begun:
        return error_response(request, ALONE["quit"], 409)
    match.stop()
    return json_response({})


async def answer(
    request: Request, match: LiveMatch, sent: MatchMessage, seats: frozenset[int]
) -> dict[str, Any]:
    """Return the data of the answer to a player's request.

    Raises
    ------
    LudographError
        If it is refused.
    TimeoutError
        If the match does not answer.
    """
    match_manager, number = context_of(request).match_manager, match.plan.number
    if sent.kind == "name":
        text = str(sent.value)
        name = await run_in_threadpool(match_manager.name_person, number, sent.key, text)
        return {"name": name}
    if not match.running:
        person = request.state.person
        return await run_in_threadpool(rematch, match_manager, match, sent, seats, person)
    wished = PlayerRequest(sent.kind, sent.value, seats, sent.ply)
    match.front.send(wished)
    return await asyncio.wait_for(asyncio.wrap_future(wished.answer), ANSWER_TIMEOUT)


def rematch(
    match_manager: MatchManager,
    match: LiveMatch,
    sent: MatchMessage,
    seats: frozenset[int],
    person: Identity,
) -> dict[str, Any]:
    """Handle a request after the end of a match; begin its rematch when all people agree."""

    def begin() -> NextMatch:
        try:
            return match_manager.begin_rematch(match, person)
        except ServerFull as error:
            match.say(f"There is no rematch: {error}.")
            raise

    return match.rematch.request(sent.kind, sent.value, seats, begin)


async def invitation(request: Request) -> Response:
    """Answer with the page of a person who has got the link of a seat."""
    number, key = request.path_params["number"], request.query_params.get("key", "")
    live_match = context_of(request).match_manager.match(number)
    if live_match is None or not live_match.running or not live_match.seats_of(key):
        return RedirectResponse(f"/match/{number}?{urlencode({'key': key})}", 303)
    return page(request, "invitation.html", match=live_match, key=key)


async def join(request: Request) -> Response:
    """Take a free seat of a match in the lobby."""
    number = request.path_params["number"]
    key = context_of(request).match_manager.join(number, request.state.person)
    return RedirectResponse(f"/match/{number}?{urlencode({'key': key})}", 303)


async def state(request: Request) -> Response:
    """Answer whether a match is running, for pages that wait until it goes on."""
    match = context_of(request).match_manager.match(request.path_params["number"])
    return json_response({"running": match is not None and match.running})


async def go_on(request: Request) -> Response:
    """Go on with a suspended match."""
    number, key = request.path_params["number"], request.query_params.get("key", "")
    match_manager = context_of(request).match_manager
    if not match_manager.records.seat_keys(number).opens(key):
        return error_response(request, "Only the players of this game can continue it.", 403)
    await run_in_threadpool(match_manager.go_on, number, request.state.person)
    return RedirectResponse(f"/match/{number}?{urlencode({'key': key})}", 303)


ALIVE = 20.0
"""Seconds without events after which a comment is sent, to detect closed connections."""


async def events(
    match: LiveMatch, key: str, number: int | None, is_closing: Callable[[], bool]
) -> AsyncIterator[bytes]:
    """Yield the events of a match from a number on; without one, the whole match first."""
    loop = asyncio.get_running_loop()
    news = asyncio.Event()

    def wake() -> None:  # called in other threads, possibly after the loop has ended
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(news.set)

    listener = Spectator(wake, match.seats_of(key))
    match.spectators.listen(listener)
    try:
        while not is_closing():
            news.clear()
            listening = match.listening  # if no events follow, the news contain the end
            news_events = match.since(number, listener)
            if news_events:  # at once, so that a page draws all of it in one frame
                number = news_events[-1][0]
                yield b"".join(b"id: %d\ndata: %b\n\n" % each for each in news_events)
            if not listening:
                yield b"event: close\ndata: {}\n\n"
                return
            try:
                await asyncio.wait_for(news.wait(), ALIVE)
            except TimeoutError:
                yield b": alive\n\n"
    finally:
        match.spectators.leave(listener)


async def lobby(request: Request) -> Response:
    """Answer with the list of open challenges, a part of the home page."""
    return page(request, "lobby.html", challenges=context_of(request).match_manager.challenges())


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
        seat_keys = manager.records.seat_keys(number)
        seats = sorted(seat_keys.seats_of(key))
        match = manager.match(number) if seats else None
        if match is not None and match.running:
            found.append(OwnGame(key, seats, match, None))
        elif seats:
            record = manager.records.summary(number)
            if record is not None and (record.can_go_on or seat_keys.is_private):
                found.append(OwnGame(key, seats, None, record))
    return sorted(found, key=lambda each: each.match is None)[:SHOWN]


async def mine(request: Request) -> Response:
    """Answer with the list of the games whose keys a browser sends."""
    keys, manager = await sent_data(request, _Keys), context_of(request).match_manager
    return page(request, "mine.html", games=await run_in_threadpool(own_games, manager, keys))
