"""The setup of Flood: the graph of its regions, the starts and the options."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.games.flood.regions import contract

IntArray = npt.NDArray[np.int32]

MAX_COLORS = 32
MAX_SEATS = 16
VARIANTS = ("standard", "capture")


class FloodSetup(NamedTuple):
    """The region graph and the options of a game.

    A region is a connected set of vertices of one color at the start. The setup merges them once.
    """

    offsets: IntArray
    """``int32[regions + 1]``: region ``r`` has neighbors ``offsets[r]:offsets[r + 1]``."""
    neighbors: IntArray
    """``int32[links]``: the neighboring regions, each link in both directions."""
    sizes: IntArray
    """``int32[regions]``: the number of vertices of each region."""
    colors: IntArray
    """``int32[regions]``: the color of each region at the start."""
    starts: IntArray
    """``int32[seats]``: the region of each seat's start vertex."""
    forbidden: IntArray
    """``int32[seats]``: bit ``c`` is set if the seat may not play color ``c``."""
    color_count: int
    capture: int
    """1 for the variant in which taking an opponent's color wins, otherwise 0."""
    region_of: IntArray
    """``int32[vertices]``: the region of each vertex."""
    start_vertices: IntArray
    """``int32[seats]``: the start vertex of each seat, for pictures and records; no rule reads
    it."""


def make_setup(
    board: Board,
    coloring: IntArray,
    start_vertices: IntArray,
    forbidden: list[set[int]],
    color_count: int,
    variant: str,
) -> FloodSetup:
    """Return the setup of a game, with equal-colored neighbors merged into regions.

    Parameters
    ----------
    board
        Any board.
    coloring
        ``int32[vertices]``, values in ``range(color_count)``.
    start_vertices
        ``int32[seats]``, distinct vertices of the board, with different colors.
    forbidden
        The forbidden colors of each seat; all seats have the same number of them.
    color_count
        The number of colors, 2 to 32.
    variant
        One of ``VARIANTS``; ``capture`` needs two seats or more.

    Raises
    ------
    InvalidInput
        If an argument is not as described here.
    """
    seats = len(start_vertices)
    _check_numbers(board, coloring, color_count, variant, seats)
    _check_seats(coloring, start_vertices, forbidden, color_count)
    offsets, neighbors, sizes, colors, region_of = contract(
        board.offsets, board.neighbors, coloring
    )
    masks = [sum(1 << color for color in colors_of_seat) for colors_of_seat in forbidden]
    return FloodSetup(
        offsets=offsets,
        neighbors=neighbors,
        sizes=sizes,
        colors=colors,
        starts=region_of[start_vertices],
        forbidden=np.array(masks, np.uint32).view(np.int32),
        color_count=color_count,
        capture=int(variant == "capture"),
        region_of=region_of,
        start_vertices=np.array(
            start_vertices, np.int32
        ),  # kernels are compiled for writable arrays
    )


def vertex_colors(setup: FloodSetup) -> IntArray:
    """Return the color of each vertex at the start, ``int32[vertices]``."""
    return setup.colors[setup.region_of]


def forbidden_sets(setup: FloodSetup) -> list[set[int]]:
    """Return the forbidden colors of each seat."""
    return [
        {color for color in range(setup.color_count) if mask >> color & 1}
        for mask in setup.forbidden.view(np.uint32).tolist()
    ]


def check_colors(color_count: int) -> None:
    """Raise InvalidInput unless the number of colors is 2 to ``MAX_COLORS``."""
    if not 2 <= color_count <= MAX_COLORS:
        raise InvalidInput(
            f"flood: the number of colors must be 2 to {MAX_COLORS}, got {color_count}"
        )


def _check_numbers(
    board: Board, coloring: IntArray, color_count: int, variant: str, seats: int
) -> None:
    check_colors(color_count)
    if not 1 <= seats <= MAX_SEATS:
        raise InvalidInput(f"flood: the number of seats must be 1 to {MAX_SEATS}, got {seats}")
    if variant not in VARIANTS:
        raise InvalidInput(
            f"flood: the variant must be one of {', '.join(VARIANTS)}, got {variant!r}"
        )
    if variant == "capture" and seats == 1:
        raise InvalidInput("flood: the capture variant needs at least two seats")
    if coloring.shape != (board.n,):
        raise InvalidInput(
            f"flood: the coloring has {coloring.size} entries, the board has {board.n} vertices"
        )
    wrong = np.flatnonzero((coloring < 0) | (coloring >= color_count))
    if wrong.size:
        vertex = int(wrong[0])
        raise InvalidInput(
            f"flood: vertex {vertex} has color {coloring[vertex]}, "
            f"the game has {color_count} colors"
        )


def _check_seats(
    coloring: IntArray,
    start_vertices: IntArray,
    forbidden: list[set[int]],
    color_count: int,
) -> None:
    starts = coloring[start_vertices].tolist()
    if len(set(starts)) < len(starts):
        raise InvalidInput(
            f"flood: all seats must start on different colors, got {', '.join(map(str, starts))}"
        )
    if len(forbidden) != len(starts):
        raise InvalidInput(
            f"flood: forbidden colors are given for {len(forbidden)} seats, "
            f"the game has {len(starts)}"
        )
    if len({len(colors) for colors in forbidden}) > 1:
        raise InvalidInput("flood: all seats must have the same number of forbidden colors")
    for colors in forbidden:
        for color in colors:
            if not 0 <= color < color_count:
                raise InvalidInput(
                    f"flood: there is no color {color} to forbid, the game has {color_count} colors"
                )
