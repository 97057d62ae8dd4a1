"""The pages on which boards are drawn and brought."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ludograph.errors import LudographError
from ludograph.web import surfaces
from ludograph.web.calls import answered, refused
from ludograph.web.pages import missing
from ludograph.web.site import page, site_of
from ludograph.web.surfaces import FILES


async def new(request: Request) -> Response:
    """Answer with the page on which boards are drawn."""
    return page(request, "new_board.html", files=FILES)


async def keep(request: Request) -> Response:
    """Take a board: a file if its name is given, else a drawing."""
    site, name = site_of(request), request.query_params.get("name", "")
    data = await request.body()
    try:
        if name:
            surface = await site.pools.boards.result(request, surfaces.brought, name, data)
        else:
            surface = await site.pools.boards.result(request, surfaces.drawn, data)
    except LudographError as error:
        return refused(f"{error}.", 400)
    site.surfaces.keep(surface)
    return answered({"url": f"/boards/{surface.number}"})


async def one(request: Request) -> Response:
    """Answer with a board, and the games that can be played on it."""
    site, number = site_of(request), request.path_params["number"]
    try:
        board = site.surfaces.board(number)
        found = await site.pools.boards.result(request, surfaces.takers, board)
    except LudographError as error:
        return missing(request, f"{error}.")
    return page(request, "board_of_ones_own.html", board=board, number=number, takers=found)


async def picture(request: Request) -> Response:
    """Answer with the picture of a board."""
    site = site_of(request)
    try:
        board = site.surfaces.board(request.path_params["number"])
        text = await site.pools.boards.result(request, surfaces.picture, board)
    except LudographError as error:
        return missing(request, f"{error}.")
    return Response(text, media_type="image/svg+xml")
