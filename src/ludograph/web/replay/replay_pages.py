"""The page of a recorded game: its moves, pictures, animations, and advice at any ply."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.errors import LudographError
from ludograph.web.match.match_records import has_ended
from ludograph.web.replay import replays
from ludograph.web.server.context import AppContext, context_of
from ludograph.web.server.responses import (
    error_page,
    error_response,
    json_error,
    json_response,
    page,
)
from ludograph.web.server.tokens import visitor_of
from ludograph.web.server.work_pools import Pool, Pools


def page_of_record(template: str) -> Callable[[Request], Any]:
    """Return the answer to calls for a page about a record."""

    async def answer(request: Request) -> Response:
        source, number = request.path_params["source"], request.path_params["number"]
        context = context_of(request)
        try:
            data = await run_in_threadpool(context.replays.data, source, number)
            people = await run_in_threadpool(context.replays.people, source, number)
            title = await context.pools.reading.result(request, replays.title, data, people)
        except LudographError as error:
            return error_page(request, error)
        follow = number_in(request, "follow", None)  # a tournament, for its later games
        return page(
            request,
            template,
            title=title,
            source=source,
            number=number,
            people=people,
            follow=follow,
        )

    return answer


replay = page_of_record("replay.html")

embedded = page_of_record("embedded.html")


async def open_record(request: Request) -> Response:
    """Receive a record from a visitor's disk."""
    context, data = context_of(request), await request.body()
    try:
        await context.pools.reading.result(request, replays.check, data)
    except LudographError as error:
        return json_error(error, 400)
    return json_response({"url": f"/replay/file/{context.replays.open(data)}"})


def of_record(
    pool: Callable[[Pools], Pool], make: Callable[..., Any], kind: str, **numbers: int | None
) -> Callable[[Request], Any]:
    """Return the answer to calls about a record.

    Parameters
    ----------
    pool
        The pool that makes the answer.
    make
        Makes the answer, or a file to download, from the record and from numbers in the query.
    kind
        The media type.
    numbers
        The names of these numbers, in order, with their defaults.
    """

    async def answer(request: Request) -> Response:
        context = context_of(request)
        source, number = request.path_params["source"], request.path_params["number"]
        given = [number_in(request, name, usual) for name, usual in numbers.items()]
        try:
            data = await run_in_threadpool(context.replays.data, source, number)
            made = await pool(context.pools).result(request, make, data, *given)
        except LudographError as error:
            return error_response(request, error, 404)
        if isinstance(made, replays.File):
            return attached(made.data, kind, made.name)
        return Response(made, media_type=kind)

    return answer


def number_in(request: Request, name: str, usual: int | None) -> int | None:
    """Return a whole number from a query; other texts count as missing."""
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else usual


def attached(data: str | bytes, kind: str, name: str) -> Response:
    """Answer with a file to download."""
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

as_gif = of_record(attrgetter("drawing"), replays.as_gif, "image/gif", ply=None)


async def as_record(request: Request) -> Response:
    """Answer with a record, without the output of players that the visitor may not read."""
    context, ply = context_of(request), number_in(request, "ply", None)
    source, number = request.path_params["source"], request.path_params["number"]
    try:
        data = await run_in_threadpool(context.replays.data, source, number)
        seats = await run_in_threadpool(
            context.replays.open_seats, source, number, visitor_of(request)
        )
        made = await context.pools.reading.result(request, replays.as_record, data, ply, seats)
    except LudographError as error:
        return error_response(request, error, 404)
    return attached(made.data, "application/jsonl", made.name)


LONGEST = 200
"""The most moves of a variation."""


class AdviceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A page's request for the advice of a strategy, or of the solver.

    ``moves`` lead from a step of the game into a variation.
    """

    step: int
    player: str | None
    moves: Annotated[tuple[str, ...], msgspec.Meta(max_length=LONGEST)] = ()


async def thoughts(request: Request) -> Response:
    """Answer with the advice of a strategy, or of the solver, at a step of a recorded game."""
    context = context_of(request)
    source, number = request.path_params["source"], request.path_params["number"]
    try:
        question = msgspec.json.decode(await request.body(), type=AdviceRequest)
    except (msgspec.MsgspecError, RecursionError):
        return json_error(
            "The message of the page is not a question that this server can read.", 400
        )
    try:
        data = await run_in_threadpool(context.replays.data, source, number)
    except LudographError as error:
        return json_error(error, 404)
    if is_secret(context, source, number, data):
        return json_error("Advice is given only after the end of a game between people.", 403)
    try:
        advice = await context.pools.searching.result(
            request, replays.thoughts_at, data, question.step, question.moves, question.player
        )
    except LudographError as error:
        return json_error(error, 409)
    return Response(advice, media_type=JSON)


def is_secret(context: AppContext, source: str, number: str, data: bytes) -> bool:
    """Tell whether a record is of an unfinished game between people."""
    return (
        source == replays.HERE
        and not has_ended(data)
        and context.match_manager.records.seat_keys(number).people > 1
    )


async def evaluation(request: Request) -> Response:
    """Answer with a part of the evaluation of a recorded game."""
    context, first = context_of(request), number_in(request, "first", 0)
    source, number = request.path_params["source"], request.path_params["number"]
    try:
        data = await run_in_threadpool(context.replays.data, source, number)
        if is_secret(context, source, number, data):
            return json_error("A game between people is evaluated only after its end.", 403)
        made = await context.pools.evaluating.result(request, replays.evaluation_of, data, first)
    except LudographError as error:
        return json_error(error, 404)
    return Response(made, media_type=JSON)
