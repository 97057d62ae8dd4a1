"""Pages of boards: the editor, uploads, and the games that can be played on a board."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ludograph.boards import FAMILIES
from ludograph.boards.picture import mark_colors
from ludograph.games.registry import declarations
from ludograph.web.boards.uploaded_boards import (
    FILES,
    EditableBoard,
    board_svg,
    brought,
    drawn,
    editable,
    of_family,
    takers,
)
from ludograph.web.server import limits
from ludograph.web.server.context import context_of
from ludograph.web.server.responses import json_response, page


async def new_board(request: Request) -> Response:
    """Answer with the page for drawing boards; with a visitor's board to change (``like``)."""
    context, drawing = context_of(request), EditableBoard()
    if number := request.query_params.get("like", ""):
        board = context.uploaded_boards[number]
        drawing = await context.pools.boards.result(request, editable, board)
    declared = declarations()
    return page(
        request,
        "new_board.html",
        files=FILES,
        drawing=drawing,
        longest=limits.BOARD_NAME,
        families={name: family.called for name, family in FAMILIES.items()},
        games=[each for each in declared if each.help.own_boards],
        marks=sorted({mark for each in declared for mark in each.marks}),
    )


async def pattern(request: Request) -> Response:
    """Answer with a board of a family, for the drawing of the page."""
    asked = [request.query_params.get(name, "") for name in ("family", "width", "height")]
    drawing = await context_of(request).pools.boards.result(request, of_family, *asked)
    return json_response(drawing._asdict())


async def take_board(request: Request) -> Response:
    """Receive a board: a file if its name is given, else a drawing."""
    context = context_of(request)
    name, called = (request.query_params.get(field, "") for field in ("name", "called"))
    data = await request.body()
    if name:
        surface = await context.pools.boards.result(request, brought, name, data, called)
    else:
        surface = await context.pools.boards.result(request, drawn, data)
    context.uploaded_boards.keep(surface.number, surface.board)
    return json_response({"url": f"/boards/{surface.number}"})


async def board_page(request: Request) -> Response:
    """Answer with a board, and the games that can be played on it."""
    context, number = context_of(request), request.path_params["number"]
    board = context.uploaded_boards[number]
    games = await context.pools.boards.result(request, takers, board)
    return page(
        request,
        "board_of_ones_own.html",
        board=board,
        number=number,
        takers=games,
        marks=mark_colors(board.marks),
    )


async def board_picture(request: Request) -> Response:
    """Answer with the picture of a board."""
    context = context_of(request)
    board = context.uploaded_boards[request.path_params["number"]]
    text = await context.pools.boards.result(request, board_svg, board)
    return Response(text, media_type="image/svg+xml")
