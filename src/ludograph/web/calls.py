"""What the scripts of pages call: events and wishes of a match, moments of a replay, pictures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Literal
from urllib.parse import urlencode

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from ludograph.errors import LudographError
from ludograph.referee import Record
from ludograph.web import limits, replays
from ludograph.web.hall import Full
from ludograph.web.live import LiveMatch
from ludograph.web.people import Wish
from ludograph.web.site import Site, site_of
from ludograph.web.streaming import events
from ludograph.web.thinking import Busy

PATIENCE = 30.0
"""Seconds until a wish must have been answered; a hint takes one, and what it compiles."""


class Sent(msgspec.Struct, forbid_unknown_fields=True):
    """What a page sends about a match."""

    kind: Literal["move", "type", "hint", "undo", "resign", "why", "where", "stop"]
    key: str = ""
    ply: int = 0
    value: int | str | list[int] | None = None


VALUES = {"move": int, "type": str, "why": list, "where": list}
"""Of wishes that have one."""

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
    if sent.kind == "stop":
        if any(match.plan.keys) and not seats:
            return refused("Only who plays can lay the game aside.", 403)
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
        return refused("Only who has played can go on.", 403)
    try:
        await run_in_threadpool(hall.go_on, number)
    except Full as error:
        return refused(f"{error}.", 429)
    except LudographError as error:
        return refused(f"{error}.", 404)
    return RedirectResponse(f"/match/{number}?{urlencode({'key': key})}", 303)


async def open_record(request: Request) -> Response:
    """Take a record from a visitor's disk."""
    data = await request.body()
    try:
        number = await run_in_threadpool(site_of(request).replays.open, data)
    except LudographError as error:
        return refused(f"{error}.", 400)
    return answered({"url": f"/replay/file/{number}"})


def of_record(
    make: Callable[[Record, Request], Response],
) -> Callable[[Request], Any]:
    """Return the answer to calls about a record."""

    async def answer(request: Request) -> Response:
        source, number = request.path_params["source"], request.path_params["number"]
        store = site_of(request).replays
        try:
            record = await run_in_threadpool(store.record, source, number)
            return await run_in_threadpool(make, record, request)
        except LudographError as error:
            return refused(f"{error}.", 404)

    return answer


def number_in(request: Request, name: str, usual: int) -> int:
    """Return a whole number from a query; what is none is as if it were not there."""
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else usual


def story(record: Record, request: Request) -> Response:  # noqa: ARG001
    """Answer with the whole game but its pictures."""
    return answered(replays.story(record))


def frames(record: Record, request: Request) -> Response:
    """Answer with some moments of a game."""
    first, count = number_in(request, "first", 0), number_in(request, "count", 1)
    return answered(replays.frames(record, first, count))


def attached(data: str | bytes, kind: str, name: str) -> Response:
    """Answer with a file to keep."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=kind, headers=headers)


def as_svg(record: Record, request: Request) -> Response:
    """Answer with the picture of a position."""
    ply = number_in(request, "ply", record.plies)
    name = f"{record.start.game.name}-{ply}.svg"
    return attached(replays.picture(record, ply), "image/svg+xml", name)


def as_png(record: Record, request: Request) -> Response:
    """Answer with the picture of a position, as PNG."""
    from ludograph.views import png

    ply = number_in(request, "ply", record.plies)
    data = png.from_svg(replays.picture(record, ply))
    return attached(data, "image/png", f"{record.start.game.name}-{ply}.png")


def as_animation(record: Record, request: Request) -> Response:  # noqa: ARG001
    """Answer with a picture that plays the whole game."""
    name = f"{record.start.game.name}.svg"
    return attached(replays.animated(record), "image/svg+xml", name)


def as_gif(record: Record, request: Request) -> Response:  # noqa: ARG001
    """Answer with a moving picture that every program shows."""
    return attached(replays.as_gif(record), "image/gif", f"{record.start.game.name}.gif")


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
        record = await run_in_threadpool(site.replays.record, source, number)
    except LudographError as error:
        return refused(f"{error}.", 404)
    try:
        told = await run_in_threadpool(site.advisers.ask, record, asked.step, asked.player)
    except Busy as error:
        return refused(f"{error}.", 429)
    except LudographError as error:
        return refused(f"{error}.", 409)
    return answered(told)


async def as_file(request: Request) -> Response:
    """Answer with the record itself."""
    source, number = request.path_params["source"], request.path_params["number"]
    try:
        data = await run_in_threadpool(site_of(request).replays.data, source, number)
    except LudographError as error:
        return refused(f"{error}.", 404)
    return attached(data, "application/jsonl", f"{number}.jsonl")
