"""Hex for spectators: the scene of a position, and events in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.games.hex.layouts import COLOR_NAMES
from ludograph.games.hex.notation import letters
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import NOBODY, chains_of
from ludograph.games.outcome import Outcome
from ludograph.games.presentation import SeatFacts
from ludograph.games.vertex_game import VertexPresentation
from ludograph.views import CellLook, Scene, Shape, Sketch, Stroke, Swatch
from ludograph.views.curves import ellipse
from ludograph.views.polygons import Borders, areas, inner_radii, row_starts, side
from ludograph.views.scene import Floats


class HexPresentation(VertexPresentation[HexPosition]):
    """The picture of a position, and sentences about moves, seats and results."""

    def scene(self, position: HexPosition) -> Scene:
        """Return the picture of a position."""
        return hex_scene(position)

    def cell_names(self, position: HexPosition) -> Mapping[int, str]:
        """Return the names of the cells between the borders, such as ``c5``."""
        playable = np.flatnonzero(position.borders == NOBODY).tolist()
        return {vertex: position.text(int(vertex)) for vertex in playable}

    def seat_facts(self, position: HexPosition, seat: int) -> SeatFacts:
        """Return the present color of a seat: ``black`` or ``white``."""
        return SeatFacts(color=COLOR_NAMES[position.color(seat)])

    def announce(self, position: HexPosition, move: int) -> str:
        """Return the text of a move: the cell of a stone, or the effect of a swap."""
        if move == position.swap:
            return "swaps colors and takes the opening stone"
        return self.describe_move(position, move)

    def ending(self, position: HexPosition) -> str:
        """Return the color that has joined its borders; that the board is full without one."""
        color = position.joined_color
        return "" if color is None else f"{COLOR_NAMES[color].capitalize()} has joined its borders"

    def result(self, position: HexPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return a sentence with the winner, its color and the number of moves."""
        seat = outcome.winner
        if seat is None:
            return (
                f"A draw: the board is full after {position.ply} moves and no borders are joined."
            )
        color = COLOR_NAMES[position.color(seat)]
        return f"{names[seat]} (seat {seat}, {color}) wins after {position.ply} moves."


PALETTE = (
    Swatch("free", "#dfb877", "."),
    Swatch("black", "#1c1c20", "x"),
    Swatch("white", "#ffffff", "o"),
    Swatch("black border", "#47474f", "X"),
    Swatch("white border", "#cfced9", "O"),
)
FREE_FILL, STONE_FILL, BORDER_FILL = 0, 1, 3

GROOVE, FRAME_RGB = "#b98a4c", "#8f6840"
PICTURE_PALETTE = (
    Swatch("free", "#e3bd7e", ".", GROOVE),
    Swatch("winning chain", "#ffe9a3", "*", "#e0a526"),
    Swatch("border", FRAME_RGB, "#", FRAME_RGB),
    Swatch("black border", "#2a2a31", "X", "#85858f"),
    Swatch("white border", "#f4f4f6", "O", "#85858f"),
)
"""The colors below the stones: the wood between the borders, the frame around the wood; the borders
of a board that is drawn as a graph."""
LIT_FILL, FRAME_FILL = 1, 2

STONES = (("#62626e", "#0e0e11"), ("#ffffff", "#c3c3cc"))
"""By color of the stone: the color in the light, and the color at the rim."""
RIMS = ("#000000", "#8f8f99")
SHADOW = "#3a2712"
EDGES = (("#17171b", "#d2ab70"), ("#ffffff", "#b08750"))
"""By color of the border: the line along it, and the edge between this line and the wood."""

LIGHT = "#ffd761"
"""The color of the line below the stones of the winning chain."""

MARK = "#e5484d"
"""The color of the mark of the last stone; in a terminal also of the winning chain."""


def fills_of(position: HexPosition) -> npt.NDArray[np.int32]:
    """Return the place in ``PALETTE`` of what is on each vertex: ``int32[n]``."""
    stones, borders = position.stones, position.borders
    fills = np.where(stones == NOBODY, FREE_FILL, STONE_FILL + stones)
    return np.where(borders == NOBODY, fills, BORDER_FILL + borders).astype(np.int32)


def hex_scene(position: HexPosition) -> Scene:
    """Return the picture: stones on wood between the borders, with coordinates if there are any."""
    board, stones, borders = position.board, position.stones, position.borders
    placed = np.flatnonzero((stones != NOBODY) & (borders == NOBODY))
    chain = winning_chain(position)
    wood = np.where(np.isin(np.arange(board.n), chain), LIT_FILL, FREE_FILL)
    wood = np.where(borders == NOBODY, wood, BORDER_FILL + borders if board.links else FRAME_FILL)
    labels, last = coordinates(position), position.last_vertex
    # A board that is drawn as a graph has no frame.
    positions, points = (
        (board.positions, board.outline_points)
        if board.links
        else framed(board, (borders == NOBODY).tobytes())
    )
    scene = Scene(
        positions=positions,
        outline_offsets=board.outline_offsets,
        outline_points=points,
        fills=wood.astype(np.int32),
        palette=PICTURE_PALETTE,
        labels=labels,
        links=board.edges() if board.links else None,
        strokes=() if chain or last is None else (Stroke((last,), MARK),),
        rows={} if position.size else row_names(position),
        look=CellLook(
            fills_of(position),
            PALETTE,
            labels,
            (Stroke(chain, MARK),) if chain else (),
            board.positions,
            board.outline_points,
        ),
    )
    pieces = tuple(stone_on(board, cell, int(stones[cell])) for cell in placed.tolist())
    ground: tuple[Sketch, ...] = ()
    if not board.links:
        free = [cell for cell in chain if borders[cell] == NOBODY]
        frame, lines = edges(board, borders.tobytes())
        ground = (Sketch(frame), Sketch((*lines, *light(scene, free)), level=1))
    return replace(scene, pieces=pieces, ground=ground)


FRAME_WIDTH = 0.34
"""The width of the frame, in sides of cells."""


@lru_cache(maxsize=16)
def framed(board: Board, free: bytes) -> tuple[Floats, Floats]:
    """Return the centers of cells, and the corners of all outlines, with narrow border cells.

    A corner of a border cell that is none of a free cell moves close to the nearest ones that are.

    Parameters
    ----------
    free
        Whether each vertex is between the borders: the bytes of ``bool[n]``.
    """
    is_free = np.frombuffer(free, bool)
    points, positions = board.outline_points.copy(), board.positions.copy()
    owner = np.repeat(np.arange(board.n), np.diff(board.outline_offsets))
    inner = np.unique(np.round(points[is_free[owner]], 6), axis=0)
    width = FRAME_WIDTH * float(np.sqrt(np.abs(areas(bare(board))[is_free]).mean()))
    for corner in np.flatnonzero(~is_free[owner]).tolist():
        away = np.hypot(*(inner - points[corner]).T)
        outward = points[corner] - inner[away < away.min() * 1.001 + 1e-5].mean(axis=0)
        points[corner] -= max(0.0, 1 - width / max(np.hypot(*outward), 1e-9)) * outward
    for cell in np.flatnonzero(~is_free).tolist():
        starts = points[owner == cell]
        ends = np.roll(starts, -1, axis=0)
        lengths = np.hypot(*(ends - starts).T)
        positions[cell] = np.average((starts + ends) / 2, axis=0, weights=lengths)
    return positions, points


def bare(board: Board) -> Scene:
    """Return the scene of a board without anything on it."""
    outlines = (board.positions, board.outline_offsets, board.outline_points)
    return Scene(*outlines, np.zeros(board.n, np.int32), PICTURE_PALETTE)


@lru_cache(maxsize=16)
def stone_radii(board: Board) -> Floats:
    """Return the radius of a stone on each vertex: ``float64[n]``."""
    return np.round(0.8 * inner_radii(bare(board), np.arange(board.n)), 4)


def stone_on(board: Board, vertex: int, color: int) -> Sketch:
    """Draw a stone of a color on a vertex."""
    x, y = board.positions[vertex].tolist()
    return Sketch(stone(color, float(stone_radii(board)[vertex])), (x, y))


@lru_cache
def stone(color: int, radius: float) -> tuple[Shape, ...]:
    """Return the shapes of a round stone with light on it and with its shadow."""
    light, dark = STONES[color]
    return (
        Shape(
            ellipse(radius, radius, 0.06 * radius, 0.13 * radius),
            fill=SHADOW,
            curved=True,
            opacity=0.35,
        ),
        Shape(
            ellipse(radius, radius),
            fill=light,
            fade=dark,
            line=RIMS[color],
            width=0.04 * radius,
            curved=True,
        ),
    )


def light(scene: Scene, chain: list[int]) -> tuple[Shape, ...]:
    """Return the line of light below a chain of stones; nothing for less than two stones."""
    if len(chain) < 2:
        return ()
    width = 0.4 * side(scene)
    return (Shape(scene.positions[chain], line=LIGHT, width=width, closed=False, opacity=0.9),)


@lru_cache(maxsize=16)
def edges(board: Board, owners: bytes) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """Return the frame around the sharp corners of the wood, and the lines between them.

    Parameters
    ----------
    owners
        The color of each border vertex, ``NOBODY`` for other vertices: the bytes of ``int32[n]``.
    """
    borders = np.frombuffer(owners, np.int32)
    scene = bare(board)
    outlines, unit = Borders(scene), side(scene)
    lines = [
        (color, line)
        for color in (0, 1)
        for line in outlines.between(borders == NOBODY, borders == color)
    ]

    def drawn(width: float, *colors: str) -> list[Shape]:
        return [
            Shape(line, line=colors[own], width=width * unit, closed=False) for own, line in lines
        ]

    around, inside = zip(*EDGES, strict=True)
    frame = drawn(2 * FRAME_WIDTH, FRAME_RGB, FRAME_RGB)
    return tuple(frame), (*drawn(0.203, *inside), *drawn(0.14, *around))


def coordinates(position: HexPosition) -> dict[int, str]:
    """Return the labels of vertices: letters of columns at the top, numbers of rows at the left."""
    names = {position.vertex(-1, column): letters(column) for column in range(position.size)}
    return names | {position.vertex(row, -1): str(row + 1) for row in range(position.size)}


def row_names(position: HexPosition) -> dict[int, str]:
    """Return the name of the first vertex of each row, on boards without coordinates."""
    return {vertex: f"v{text}" for vertex, text in row_starts(position.board.positions).items()}


def winning_chain(position: HexPosition) -> tuple[int, ...]:
    """Return a shortest chain that joins two borders; an empty one if there is none yet."""
    color = position.joined_color
    return () if color is None else joining_chain(position, color)


def joining_chain(position: HexPosition, color: int) -> tuple[int, ...]:
    """Return a shortest path of a color from one of its border chains to the other.

    It includes a vertex of each border chain. If there is no path, the result is empty.
    """
    board, stones = position.board, position.stones
    near, far = (set(chain) for chain in chains_of(board, position.borders == color))
    before = dict.fromkeys(near, -1)
    queue = list(near)
    for vertex in queue:  # the loop appends to the list
        if vertex in far:
            path = [vertex]
            while before[path[-1]] >= 0:
                path.append(before[path[-1]])
            return tuple(path)
        for other in board.neighbors_of(vertex).tolist():
            if other not in before and stones[other] == color:
                before[other] = vertex
                queue.append(other)
    return ()
