"""Pages of recorded games: moves, pictures, animations, advice, tried moves and puzzles."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.errors import LudographError
from ludograph.web.match.match_records import has_ended
from ludograph.web.replay import replays
from ludograph.web.replay.evaluations import part, variation_value
from ludograph.web.replay.replays import LONGEST, fits, puzzles_data, variation_data
from ludograph.web.server.context import context_of
from ludograph.web.server.responses import attached, json_response, page, sent_data
from ludograph.web.server.tokens import visitor_of
from ludograph.web.server.work_pools import Pool

Handler = Callable[[Request], Awaitable[Response]]


class TooEarly(LudographError):
    """A game between people has not ended yet."""


def page_of_record(template: str) -> Handler:
    """Return the answer to calls for a page about a record."""

    async def answer(request: Request) -> Response:
        source, number = request.path_params["source"], request.path_params["number"]
        title = await title_of(request, source, number)
        follow = number_in(request, "follow", None)  # a tournament, for its later games
        return page(request, template, title=title, source=source, number=number, follow=follow)

    return answer


async def title_of(request: Request, source: str, number: str) -> replays.Title:
    """Return the title of a record's page; raise NotFound if there is no such record."""
    context, visitor = context_of(request), visitor_of(request)
    data = await run_in_threadpool(context.replays.data, source, number, visitor)
    people = await run_in_threadpool(context.replays.people, source, number)
    title: replays.Title = await context.pools.reading.result(request, replays.title, data, people)
    return title


replay = page_of_record("replay.html")

embedded = page_of_record("embedded.html")


async def open_record(request: Request) -> Response:
    """Receive a record from a visitor's disk."""
    context, data = context_of(request), await request.body()
    await context.pools.reading.result(request, replays.check, data)
    return json_response({"url": f"/replay/file/{context.replays.open(data)}"})


def file_of_record(pool: str, make: Callable[..., replays.File], kind: str) -> Handler:
    """Return the answer to calls for a file made from a record, perhaps up to a ply.

    Parameters
    ----------
    pool
        The name of the pool that makes it.
    kind
        The media type.
    """

    async def answer(request: Request) -> Response:
        data, ply = await record_of(request), number_in(request, "ply", None)
        made = await getattr(context_of(request).pools, pool).result(request, make, data, ply)
        return attached(made.data, kind, made.name)

    return answer


async def record_of(request: Request) -> bytes:
    """Return the record of a path for the visitor; raise NotFound if there is none."""
    source, number = request.path_params["source"], request.path_params["number"]
    find = context_of(request).replays.data
    return await run_in_threadpool(find, source, number, visitor_of(request))


async def finished_record_of(request: Request) -> bytes:
    """Return the record of a path, if it may be analyzed.

    Raises
    ------
    TooEarly
        If it is of an unfinished game between people.
    """
    data = await record_of(request)
    if request.path_params["source"] == replays.HERE and not has_ended(data):
        records = context_of(request).match_manager.records
        if records.seat_keys(request.path_params["number"]).people > 1:
            raise TooEarly("A game between people is analyzed only after its end")
    return data


async def computed(
    request: Request, pool: Pool, make: Callable[..., Any], data: bytes, *arguments: Any
) -> Response:
    """Answer with the JSON of what a function makes of a record and of arguments, in a pool."""
    made = await pool.result(request, replays.as_json, make, data, *arguments)
    return Response(made, media_type="application/json")


def number_in(request: Request, name: str, usual: int | None) -> int | None:
    """Return a whole number from a query; other texts count as missing."""
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else usual


as_svg = file_of_record("reading", replays.as_svg, "image/svg+xml")

as_png = file_of_record("drawing", replays.as_png, "image/png")

as_animation = file_of_record("drawing", replays.as_animation, "image/svg+xml")

as_gif = file_of_record("drawing", replays.as_gif, "image/gif")


as_record = file_of_record("reading", replays.as_record, "application/jsonl")


async def story(request: Request) -> Response:
    """Answer with the whole game without its pictures."""
    pool = context_of(request).pools.reading
    return await computed(request, pool, replays.story, await record_of(request))


async def frames(request: Request) -> Response:
    """Answer with some frames of a game."""
    first, count = number_in(request, "first", 0), number_in(request, "count", 1)
    pool = context_of(request).pools.reading
    return await computed(request, pool, replays.frames, await record_of(request), first, count)


async def evaluation(request: Request) -> Response:
    """Answer with a part of the evaluation of a recorded game."""
    data, first = await finished_record_of(request), number_in(request, "first", 0)
    return await computed(request, context_of(request).pools.evaluating, part, data, first)


class AdviceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A page's request for the advice of a strategy, or of the solver.

    ``moves`` lead from a step of the game into a variation.
    """

    step: int
    player: str | None
    moves: Annotated[tuple[str, ...], msgspec.Meta(max_length=LONGEST)] = ()


async def thoughts(request: Request) -> Response:
    """Answer with the advice of a strategy, or of the solver, at a step of a recorded game."""
    question: AdviceRequest = await sent_data(request, AdviceRequest)
    data, pool = await finished_record_of(request), context_of(request).pools.searching
    asked = question.step, question.moves, question.player
    return await computed(request, pool, replays.advice_in, data, *asked)


async def variation(request: Request) -> Response:
    """Answer with the position after tried moves: ``?step=9&move=d4&move=e5``.

    With ``&draw=7`` chance is drawn after them, with this seed.
    """
    moves, seed = tuple(request.query_params.getlist("move")), number_in(request, "draw", None)
    data, pool = await record_of(request), context_of(request).pools.reading
    step = number_in(request, "step", 0)
    return await computed(request, pool, variation_data, data, step, moves, seed)


async def value(request: Request) -> Response:
    """Answer with a search's value of the position after tried moves."""
    moves, step = tuple(request.query_params.getlist("move")), number_in(request, "step", 0)
    data, pool = await finished_record_of(request), context_of(request).pools.evaluating
    return await computed(request, pool, variation_value, data, step, moves[:LONGEST])


async def games_with_puzzles(request: Request) -> Response:
    """Answer with the latest games that may have puzzles."""
    latest = await run_in_threadpool(context_of(request).match_manager.latest)
    return page(request, "puzzles.html", games=[each for each in latest if fits(each)])


puzzle = page_of_record("puzzle.html")


async def puzzles(request: Request) -> Response:
    """Answer with the puzzles of a recorded game, found in the background."""
    data, pool = await finished_record_of(request), context_of(request).pools.evaluating
    return await computed(request, pool, puzzles_data, data)
