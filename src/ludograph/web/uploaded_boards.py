"""Boards that visitors draw or upload: checked, kept for a while, offered to games."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from pathlib import PurePath
from tempfile import NamedTemporaryFile
from typing import Annotated, Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ludograph import boards
from ludograph.boards import Board
from ludograph.errors import InvalidInput, LudographError
from ludograph.games import Declaration
from ludograph.games.board_option import BoardType
from ludograph.games.registry import declaration, names
from ludograph.web import limits
from ludograph.web.context import context_of, error_page, json_error, json_response, page

FILES = (".json", ".graphml", ".edgelist", ".txt", ".csv")
"""What can be brought."""

OWN = "board.own"
"""The field of a form that names a board of a visitor."""

_Coordinate = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]

_Vertex = Annotated[int, msgspec.Meta(ge=0, le=limits.VERTICES)]


class Drawing(msgspec.Struct, forbid_unknown_fields=True):
    """What the page sends: points, lines between them, and named sets of points."""

    positions: list[tuple[_Coordinate, _Coordinate]]
    edges: list[tuple[_Vertex, _Vertex]]
    marks: dict[str, list[_Vertex]] = {}


class Taker(NamedTuple):
    """A game, and why it cannot be played on a board; empty if it can."""

    game: str
    summary: str
    why_not: str


class UploadedBoard(NamedTuple):
    """A board of a visitor that was checked: its number, and how it is drawn."""

    number: str
    board: Board


class UploadedBoards:
    """Keeps the latest boards of visitors."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Board] = OrderedDict()

    def keep(self, surface: UploadedBoard) -> None:
        """Keep a board for a while."""
        with self._lock:
            self._kept[surface.number] = surface.board
            self._kept.move_to_end(surface.number)
            while len(self._kept) > limits.OPENED:
                self._kept.popitem(last=False)

    def board(self, number: str) -> Board:
        """Return a board; raise InvalidInput if it is not kept any more."""
        with self._lock:
            board = self._kept.get(number)
        if board is None:
            raise InvalidInput("the board is not kept any more; draw or upload it again")
        return board


def drawn(data: bytes) -> UploadedBoard:
    """Return the board that was drawn.

    Raises
    ------
    InvalidInput
        If it is no board.
    """
    try:
        drawing = msgspec.json.decode(data, type=Drawing)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InvalidInput(f"this is no drawing: {error}") from None
    return _checked(
        _lined(
            len(drawing.positions),
            drawing.edges,
            name="drawing",
            positions=drawing.positions,
            marks=drawing.marks,
        )
    )


def brought(name: str, data: bytes) -> UploadedBoard:
    """Return the board of a file.

    Raises
    ------
    InvalidInput
        If it is none.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in FILES:
        raise InvalidInput(f"a board is a file that ends with {', '.join(FILES)}")
    with NamedTemporaryFile(prefix="board-", suffix=suffix) as file:
        file.write(data)
        file.flush()
        options: dict[str, Any] = {} if suffix == ".json" else {"directed": "ignore"}
        try:
            board = _loaded(file.name, options)
        except InvalidInput as error:
            raise InvalidInput(str(error).replace(file.name, "the file")) from None
    return _checked(board)


def _checked(board: Board) -> UploadedBoard:
    """Return a board that is small enough, laid out."""
    if board.n > limits.VERTICES:
        raise InvalidInput(f"{board.n} vertices are too many for a page: {limits.VERTICES}")
    text = msgspec.json.encode(boards.to_data(board))
    return UploadedBoard(hashlib.blake2s(text, digest_size=10).hexdigest(), board)


def _lined(vertices: int, edges: Any, **more: Any) -> Board:
    """Return a board with straight lines read from the drawing, if it is planar."""
    try:
        return boards.from_edges(vertices, edges, sides="planar", **more)
    except InvalidInput:
        return boards.from_edges(vertices, edges, **more)


def _loaded(path: str, options: dict[str, Any]) -> Board:
    if path.endswith(".graphml"):
        try:
            return boards.load(path, sides="planar", **options)
        except InvalidInput:
            pass  # without coordinates, or drawn with crossings
    return boards.load(path, **options)


def takers(board: Board) -> list[Taker]:
    """Return all games with boards; each with the reason if it cannot use this one."""
    return [_taker(declaration(name), board) for name in names() if option_of(declaration(name))]


def _taker(declared: Declaration, board: Board) -> Taker:
    why = ""
    try:
        seats = max(2, declared.seats[0])
        declared.game().position(seats=seats, seed=0, **{str(option_of(declared)): board})
    except LudographError as error:
        why = str(error).removeprefix(f"{declared.name}: ")
    return Taker(declared.name, declared.summary, why)


def board_svg(board: Board) -> str:
    """Return the picture of a board."""
    return board.svg(480, title=False)


def option_of(declared: Declaration) -> str | None:
    """Return the option of a game that is its board; None if it has none."""
    return next((o.name for o in declared.options if isinstance(o.type, BoardType)), None)


async def new_board(request: Request) -> Response:
    """Answer with the page on which boards are drawn."""
    return page(request, "new_board.html", files=FILES)


async def take_board(request: Request) -> Response:
    """Take a board: a file if its name is given, else a drawing."""
    context, name = context_of(request), request.query_params.get("name", "")
    data = await request.body()
    try:
        if name:
            surface = await context.pools.boards.result(request, brought, name, data)
        else:
            surface = await context.pools.boards.result(request, drawn, data)
    except LudographError as error:
        return json_error(error, 400)
    context.uploaded_boards.keep(surface)
    return json_response({"url": f"/boards/{surface.number}"})


async def board_page(request: Request) -> Response:
    """Answer with a board, and the games that can be played on it."""
    context, number = context_of(request), request.path_params["number"]
    try:
        board = context.uploaded_boards.board(number)
        games = await context.pools.boards.result(request, takers, board)
    except LudographError as error:
        return error_page(request, error)
    return page(request, "board_of_ones_own.html", board=board, number=number, takers=games)


async def board_picture(request: Request) -> Response:
    """Answer with the picture of a board."""
    context = context_of(request)
    try:
        board = context.uploaded_boards.board(request.path_params["number"])
        text = await context.pools.boards.result(request, board_svg, board)
    except LudographError as error:
        return error_page(request, error)
    return Response(text, media_type="image/svg+xml")
