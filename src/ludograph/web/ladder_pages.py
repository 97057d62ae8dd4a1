"""The pages of ladders, and the door through which players come."""

from __future__ import annotations

from anyio import to_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.arena.ladder.now import ladder_now
from ludograph.errors import LudographError
from ludograph.web import ladders
from ludograph.web.calls import answered, refused
from ludograph.web.doors import may
from ludograph.web.ladders import LadderPages
from ludograph.web.pages import missing
from ludograph.web.site import page, site_of
from ludograph.web.tokens import Role


async def every(request: Request) -> Response:
    """Answer with all ladders."""
    return page(request, "ladders.html", found=site_of(request).ladders)


async def up_to_date(request: Request) -> LadderPages:
    """Return the ladder of a path as it is now; raise InvalidInput if there is none."""
    site = site_of(request)
    found = ladders.named(site.ladders, request.path_params["ladder"])
    if not found.is_fresh:  # ratings take their time
        ladder = ladders.without_start(found.ladder)
        found.now = await site.pools.reading.result(request, ladder_now, ladder)
    return found


async def one(request: Request) -> Response:
    """Answer with the page of a ladder: table, ratings over time, who met whom, who is next."""
    try:
        found = await up_to_date(request)
        told = await run_in_threadpool(found.overview)
    except LudographError as error:
        return missing(request, f"{error}.")
    return page(request, "ladder.html", **told, may_upload=may(request, Role.UPLOAD))


async def ratings(request: Request) -> Response:
    """Answer with the ratings over time, as a picture."""
    try:
        found = await up_to_date(request)
        drawn = await run_in_threadpool(found.plot)
    except LudographError as error:
        return missing(request, f"{error}.")
    return Response(drawn, media_type="image/svg+xml")


async def player(request: Request) -> Response:
    """Answer with the page of a player."""
    try:
        found = await up_to_date(request)
        told = await run_in_threadpool(found.player, request.path_params["player"])
    except LudographError as error:
        return missing(request, f"{error}.")
    return page(request, "ladder_player.html", **told)


async def bring(request: Request) -> Response:
    """Take a player's file in."""
    name, token = request.path_params["player"], request.state.token
    try:
        found = ladders.named(site_of(request).ladders, request.path_params["ladder"])
    except LudographError as error:
        return refused(f"{error}.", 404)
    data = await request.body()
    try:
        told = await to_thread.run_sync(found.bring, name, data, token, limiter=found.bringing)
    except ladders.NotYours as error:
        return refused(f"{error}.", 403)
    except LudographError as error:
        return refused(f"{error}.", 400)
    return answered({"told": told})
