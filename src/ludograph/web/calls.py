"""What the scripts of pages call: events and wishes of a match, moments of a replay, pictures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from operator import attrgetter
from typing import Any, Literal
from urllib.parse import quote, urlencode

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from ludograph.errors import LudographError
from ludograph.web import limits, replays, thinking
from ludograph.web.doors import said
from ludograph.web.hall import Full
from ludograph.web.kept import has_ended
from ludograph.web.live import LiveMatch
from ludograph.web.people import Wish
from ludograph.web.pools import Pool, Pools
from ludograph.web.site import Site, site_of
from ludograph.web.streaming import events

PATIENCE = 30.0
"""Seconds until a wish must have been answered; a hint takes one, and what it compiles."""


class Sent(msgspec.Struct, forbid_unknown_fields=True):
    """What a page sends about a match."""

    kind: Literal[
        "move", "type", "hint", "undo", "resign", "why", "where", "stop", "accept", "decline"
    ]
    key: str = ""
    ply: int = 0
    value: int | str | list[int] | None = None


VALUES = {"move": int, "type": str, "why": list, "where": list, "accept": int, "decline": int}
"""Of wishes that have one; an answer has the number of the proposal."""

NUMBERS = {"why": range(1, 10_000), "where": range(2, 3)}
"""How many there are in a list."""


def answered(data: Any, status: int = 200) -> Response:
    """Answer with data."""
    return Response(msgspec.json.encode(data), status, media_type="application/json")


def refused(sentence: str, status: int) -> Response:
    """Answer with a sentence for the person at the page."""
    return answered({"error": sentence}, status)


async def match_events(request: Request) -> Response:
    """Answer with what happens in a match, as it happens."""
    site = site_of(request)
    match = site.hall.match(request.path_params["number"])
    if match is None:
        return refused("There is no such match.", 404)
    if site.listeners >= limits.LISTENERS:
        return refused("Too many look on already.", 429)
    last = request.headers.get("last-event-id", "")
    number = int(last) if last.isascii() and last.isdecimal() and len(last) < 16 else None
    return StreamingResponse(
        _counted(site, match, request.query_params.get("key", ""), number),
        media_type="text/event-stream",
        headers={"x-accel-buffering": "no"},
    )


async def _counted(
    site: Site, match: LiveMatch, key: str, number: int | None
) -> AsyncIterator[bytes]:
    site.listeners += 1
    try:
        async for text in events(match, key, number, lambda: site.closing):
            yield text
    finally:
        site.listeners -= 1


async def wish(request: Request) -> Response:
    """Do what somebody at the page of a match wants."""
    match = site_of(request).hall.match(request.path_params["number"])
    if match is None:
        return refused("There is no such match.", 404)
    try:
        sent = msgspec.json.decode(await request.body(), type=Sent)
    except (msgspec.MsgspecError, RecursionError):
        return refused("The page has sent something else than a wish.", 400)
    value_is_right = isinstance(sent.value, VALUES.get(sent.kind, type(None)))
    if isinstance(sent.value, list):
        value_is_right = len(sent.value) in NUMBERS.get(sent.kind, ())
    if not value_is_right:
        return refused(f"A wish of the kind {sent.kind} has another value.", 400)
    seats = match.seats_of(sent.key)
    if sent.kind == "stop" and match.people and not seats:
        return refused("Only who plays can lay the game aside.", 403)
    if sent.kind == "stop" and (len(match.people) < 2 or not match.begun):
        match.stop()
        return answered({})
    if not seats:
        return refused("You are looking on; only who has a seat can do that.", 403)
    wished = Wish(sent.kind, sent.value, seats, sent.ply)
    match.front.send(wished)
    try:
        told = await asyncio.wait_for(asyncio.wrap_future(wished.answer), PATIENCE)
    except LudographError as error:
        return refused(str(error), 409)
    except TimeoutError:
        return refused("There was no answer in time.", 503)
    return answered(told)


async def go_on(request: Request) -> Response:
    """Go on with a match that was laid aside."""
    number, key = request.path_params["number"], request.query_params.get("key", "")
    hall = site_of(request).hall
    if not hall.is_known(number, key):
        return said(request, "Only those who have played this game can go on with it.", 403)
    try:
        await run_in_threadpool(hall.go_on, number, request.state.person)
    except Full as error:
        return said(request, f"{error}.", 429)
    except LudographError as error:
        return said(request, f"{error}.", 404)
    return RedirectResponse(f"/match/{number}?{urlencode({'key': key})}", 303)


async def open_record(request: Request) -> Response:
    """Take a record from a visitor's disk."""
    site, data = site_of(request), await request.body()
    try:
        await site.pools.reading.result(request, replays.check, data)
    except LudographError as error:
        return refused(f"{error}.", 400)
    return answered({"url": f"/replay/file/{site.replays.open(data)}"})


def of_record(
    pool: Callable[[Pools], Pool], make: Callable[..., Any], kind: str, **numbers: int | None
) -> Callable[[Request], Any]:
    """Return the answer to calls about a record.

    Parameters
    ----------
    pool
        In which the answer is made.
    make
        Makes the answer, or a file to keep, of the record and of numbers in the query.
    kind
        The media type.
    numbers
        Those numbers, in their order, with what they are without a query.
    """

    async def answer(request: Request) -> Response:
        site = site_of(request)
        source, number = request.path_params["source"], request.path_params["number"]
        given = [number_in(request, name, usual) for name, usual in numbers.items()]
        try:
            data = await run_in_threadpool(site.replays.data, source, number)
            made = await pool(site.pools).result(request, make, data, *given)
        except LudographError as error:
            return said(request, f"{error}.", 404)
        if isinstance(made, replays.File):
            return attached(made.data, kind, made.name)
        return Response(made, media_type=kind)

    return answer


def number_in(request: Request, name: str, usual: int | None) -> int | None:
    """Return a whole number from a query; what is none is as if it were not there."""
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else usual


def attached(data: str | bytes, kind: str, name: str) -> Response:
    """Answer with a file to keep."""
    plain = name.isascii() and not {'"', "\\"} & set(name)
    written = f'filename="{name}"' if plain else f"filename*=UTF-8''{quote(name, safe='')}"
    headers = {"content-disposition": f"attachment; {written}"}
    return Response(data, media_type=kind, headers=headers)


JSON, SVG = "application/json", "image/svg+xml"

story = of_record(attrgetter("reading"), replays.story_of, JSON)
frames = of_record(attrgetter("reading"), replays.frames_of, JSON, first=0, count=1)
as_svg = of_record(attrgetter("reading"), replays.as_svg, SVG, ply=None)
as_png = of_record(attrgetter("drawing"), replays.as_png, "image/png", ply=None)
as_animation = of_record(attrgetter("drawing"), replays.as_animation, SVG)
as_gif = of_record(attrgetter("drawing"), replays.as_gif, "image/gif")


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """What a page sends that wants to know what a strategy would do, or best play."""

    step: int
    player: str | None


async def thoughts(request: Request) -> Response:
    """Answer with what a strategy would do at a step of a recorded game."""
    site = site_of(request)
    source, number = request.path_params["source"], request.path_params["number"]
    try:
        asked = msgspec.json.decode(await request.body(), type=Asked)
    except (msgspec.MsgspecError, RecursionError):
        return refused("The page has sent something else than a question.", 400)
    try:
        data = await run_in_threadpool(site.replays.data, source, number)
    except LudographError as error:
        return refused(f"{error}.", 404)
    if source == "here" and not has_ended(data) and site.hall.people(number) > 1:
        return refused("This is asked when the game is over: people play it.", 403)
    try:
        told = await site.pools.searching.result(
            request, thinking.thoughts_at, data, asked.step, asked.player
        )
    except LudographError as error:
        return refused(f"{error}.", 409)
    return Response(told, media_type=JSON)


async def as_file(request: Request) -> Response:
    """Answer with the record itself."""
    source, number = request.path_params["source"], request.path_params["number"]
    try:
        data = await run_in_threadpool(site_of(request).replays.data, source, number)
    except LudographError as error:
        return said(request, f"{error}.", 404)
    return attached(data, "application/jsonl", f"{number}.jsonl")
