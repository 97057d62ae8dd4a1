"""The pages of ladders, and the door through which players come."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.errors import LudographError
from ludograph.web import ladders
from ludograph.web.calls import answered, refused
from ludograph.web.doors import may
from ludograph.web.pages import missing
from ludograph.web.site import page, site_of
from ludograph.web.tokens import Role


async def every(request: Request) -> Response:
    """Answer with all ladders."""
    return page(request, "ladders.html", found=site_of(request).ladders)


async def one(request: Request) -> Response:
    """Answer with the page of a ladder: table, ratings over time, who met whom, who is next."""
    try:
        found = ladders.named(site_of(request).ladders, request.path_params["ladder"])
        told = await run_in_threadpool(found.overview)
    except LudographError as error:
        return missing(request, f"{error}.")
    return page(request, "ladder.html", **told, may_upload=may(request, Role.UPLOAD))


async def ratings(request: Request) -> Response:
    """Answer with the ratings over time, as a picture."""
    try:
        found = ladders.named(site_of(request).ladders, request.path_params["ladder"])
        drawn = await run_in_threadpool(found.plot)
    except LudographError as error:
        return missing(request, f"{error}.")
    return Response(drawn, media_type="image/svg+xml")


async def player(request: Request) -> Response:
    """Answer with the page of a player."""
    try:
        found = ladders.named(site_of(request).ladders, request.path_params["ladder"])
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
        await run_in_threadpool(found.bring, name, data, token)
    except ladders.NotYours as error:
        return refused(f"{error}.", 403)
    except LudographError as error:
        return refused(f"{error}.", 400)
    return answered({"told": f"{name} is here; the ladder takes it in within seconds of playing."})
