"""The pages on which boards are drawn and brought."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ludograph.errors import LudographError
from ludograph.web.calls import answered, refused
from ludograph.web.pages import missing
from ludograph.web.site import page, site_of
from ludograph.web.surfaces import FILES, takers


async def new(request: Request) -> Response:
    """Answer with the page on which boards are drawn."""
    return page(request, "new_board.html", files=FILES)


async def keep(request: Request) -> Response:
    """Take a board: a file if its name is given, else a drawing."""
    surfaces, name = site_of(request).surfaces, request.query_params.get("name", "")
    data = await request.body()
    try:
        if name:
            number = await run_in_threadpool(surfaces.brought, name, data)
        else:
            number = await run_in_threadpool(surfaces.drawn, data)
    except LudographError as error:
        return refused(f"{error}.", 400)
    return answered({"url": f"/boards/{number}"})


async def one(request: Request) -> Response:
    """Answer with a board, and the games that can be played on it."""
    number = request.path_params["number"]
    try:
        board = site_of(request).surfaces.board(number)
    except LudographError as error:
        return missing(request, f"{error}.")
    found = await run_in_threadpool(takers, board)
    return page(request, "board_of_ones_own.html", board=board, number=number, takers=found)


async def picture(request: Request) -> Response:
    """Answer with the picture of a board."""
    try:
        board = site_of(request).surfaces.board(request.path_params["number"])
        text = await run_in_threadpool(lambda: board.svg(480, title=False))
    except LudographError as error:
        return missing(request, f"{error}.")
    return Response(text, media_type="image/svg+xml")
