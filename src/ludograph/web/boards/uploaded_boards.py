"""Boards that visitors draw or upload: checked, changed in the editor, offered to games."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from tempfile import NamedTemporaryFile
from typing import Annotated, Any, NamedTuple

import msgspec
import numpy as np

from ludograph import boards
from ludograph.boards import FAMILIES, Board
from ludograph.boards.board import Floats
from ludograph.boards.build import printable
from ludograph.boards.files import conversion
from ludograph.errors import InvalidInput, LudographError
from ludograph.games import Declaration
from ludograph.games.board_option import BoardType
from ludograph.games.registry import declaration, load, names
from ludograph.web.server import limits
from ludograph.web.server.latest_uploads import number_of

FILES = (".json", ".graphml", ".edgelist", ".txt", ".csv")
"""The suffixes of board files that can be uploaded."""

OWN = "board.own"
"""The field of a form with the number of a visitor's board."""

_Coordinate = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]

_Vertex = Annotated[int, msgspec.Meta(ge=0, le=limits.VERTICES)]

_EDITOR = (1000.0, 700.0)
"""Width and height of the page's drawing; the next vertex of a board is at most 100 away."""

_PER_UNIT = 100.0


class Drawing(msgspec.Struct, forbid_unknown_fields=True):
    """The data of the page: points, lines between them, named sets of points, and a name."""

    positions: list[tuple[_Coordinate, _Coordinate]]
    edges: list[tuple[_Vertex, _Vertex]]
    marks: dict[str, list[_Vertex]] = {}
    name: str = ""


class EditableBoard(NamedTuple):
    """A board in the form of the editor's page: its name, and lines of text."""

    name: str = ""
    points: str = ""
    """A line for each vertex: x, y and marks, with spaces between."""
    lines: str = ""
    """A line for each edge: the numbers of two vertices."""


class Taker(NamedTuple):
    """A game, and the reason why it cannot be played on a board; empty if it can."""

    game: str
    summary: str
    why_not: str


class UploadedBoard(NamedTuple):
    """A checked board of a visitor: its number and its picture."""

    number: str
    board: Board


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
        raise InvalidInput(f"this is not a drawing: {error}") from None
    board = partial(
        boards.from_edges,
        len(drawing.positions),
        drawing.edges,
        name=board_name(drawing.name) or "drawing",
        positions=drawing.positions,
        marks=drawing.marks,
    )
    return _checked(_lined(board))


def board_name(text: str) -> str:
    """Return a visitor's name for a board, with single spaces; empty for no name.

    Raises
    ------
    InvalidInput
        If it is too long, or has characters that cannot be printed.

    Examples
    --------
    >>> board_name("  Old   town ")
    'Old town'
    """
    name = " ".join(text.split())
    if len(name) > limits.BOARD_NAME:
        raise InvalidInput(f"the name of a board has {limits.BOARD_NAME} characters at most")
    if not name.isprintable():
        raise InvalidInput("the name of a board has a character that cannot be printed")
    return name


def brought(file_name: str, data: bytes, called: str = "") -> UploadedBoard:
    """Return the board of a file.

    Parameters
    ----------
    file_name
        The name of the visitor's file; its suffix gives the format.
    called
        The name of the board; by default the one in the file, or else the file's.

    Raises
    ------
    InvalidInput
        If it is not a board, or its name is not valid.
    """
    name = board_name(called)
    suffix = PurePath(file_name).suffix.lower()
    if suffix not in FILES:
        raise InvalidInput(
            f"a board is a file that ends with {', '.join(FILES)}{conversion(suffix)}"
        )
    with NamedTemporaryFile(prefix="board-", suffix=suffix) as file:
        file.write(data)
        file.flush()
        options: dict[str, Any] = {} if suffix == ".json" else {"directed": "ignore"}
        loaded = partial(boards.load, file.name, **options)
        try:
            board = _lined(loaded) if suffix == ".graphml" else loaded()
        except InvalidInput as error:
            raise InvalidInput(str(error).replace(file.name, "the file")) from None
        if board.name == PurePath(file.name).stem:  # no name in the file
            name = name or PurePath(file_name).stem
    return _checked(board, printable(name))


def _checked(board: Board, name: str | None = None) -> UploadedBoard:
    """Return a board with a layout and perhaps a name; check its size."""
    if board.n > limits.VERTICES:
        raise InvalidInput(f"{board.n} vertices are too many for a page: {limits.VERTICES}")
    data = boards.to_data(board)
    if name is not None:
        data["name"] = name
        board = boards.from_data(data)
    text = msgspec.json.encode(data)
    return UploadedBoard(number_of(text), board)


def editable(board: Board, *, centered: bool = False) -> EditableBoard:
    """Return a board for the editor, inside its drawing.

    Parameters
    ----------
    centered
        Move it to the middle even if it fits; a drawn board stays in its place.

    Raises
    ------
    InvalidInput
        If the board is too large to be edited by hand.
    """
    if board.n > limits.EDITED_VERTICES or board.edge_count > limits.EDITED_EDGES:
        raise InvalidInput(
            f"a board with more than {limits.EDITED_VERTICES} vertices or "
            f"{limits.EDITED_EDGES} edges is too large for the editor"
        )
    marks: list[list[str]] = [[] for _ in range(board.n)]
    for name, vertices in board.marks.items():
        for vertex in vertices:
            marks[vertex].append(re.sub(r"[\s,]+", "-", name))
    return EditableBoard(
        board.name,
        "\n".join(
            " ".join([f"{x:g}", f"{y:g}", *of])
            for (x, y), of in zip(
                _in_editor(board.positions, centered=centered), marks, strict=True
            )
        ),
        "\n".join(f"{u} {v}" for u, v in board.edges()),
    )


def _in_editor(positions: Floats, *, centered: bool) -> Floats:
    """Return points, float64[n, 2], for the editor, changed only if they do not fit."""
    size, drawn_at = np.array(_EDITOR), positions * _PER_UNIT
    if centered or ((drawn_at < 0) | (drawn_at > size)).any():
        low, high = positions.min(axis=0), positions.max(axis=0)
        wide = np.maximum(high - low, 1e-9)
        scale = min(_PER_UNIT, float((0.9 * size / wide).min()))
        drawn_at = (positions - (low + high) / 2) * scale + size / 2
    return np.round(drawn_at, 2)


def _lined(board: Callable[..., Board]) -> Board:
    """Return a board with straight lines found in its drawing, if that is there and planar."""
    try:
        return board(sides="planar")
    except InvalidInput:
        return board()


def takers(board: Board) -> list[Taker]:
    """Return all games with boards; each with the reason if it cannot use this one."""
    return [_taker(declaration(name), board) for name in names() if option_of(declaration(name))]


def _taker(declared: Declaration, board: Board) -> Taker:
    why = ""
    try:
        seats = max(2, declared.seats[0])
        load(declared).position(seats=seats, seed=0, **{str(option_of(declared)): board})
    except LudographError as error:
        why = str(error).removeprefix(f"{declared.name}: ")
    return Taker(declared.name, declared.summary, why)


def board_svg(board: Board) -> str:
    """Return the picture of a board."""
    return board.svg(480, title=False)


def option_of(declared: Declaration) -> str | None:
    """Return the option of a game that is its board; None if it has none."""
    return next((o.name for o in declared.options if isinstance(o.type, BoardType)), None)


def of_family(name: str, width: str, height: str) -> EditableBoard:
    """Return a board of a family for the editor, without a name.

    Raises
    ------
    InvalidInput
        If there is no such board, or it is too large to be edited by hand.
    """
    sides = [int(side) if re.fullmatch("[0-9]{1,3}", side) else 0 for side in (width, height)]
    down = sides[1] if height.strip() else None
    if name not in FAMILIES or 0 in (sides[0], down):
        raise InvalidInput("a pattern has a kind of cells and two sides, which are whole numbers")
    if FAMILIES[name].vertex_count(sides[0], down) > 2 * limits.EDITED_VERTICES:  # some have fewer
        raise InvalidInput(
            f"a pattern for the editor has {limits.EDITED_VERTICES} vertices at most"
        )
    return editable(FAMILIES[name](sides[0], down), centered=True)._replace(name="")
