"""The setup of Flood: the graph of its regions, the starts and the options.

A region is a connected set of one color; the region graph is the board's graph with each merged.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludograph.boards import Board
from ludograph.errors import InvalidInput
from ludograph.rules import compiled

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


def contract(
    offsets: IntArray, neighbors: IntArray, coloring: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Return the region graph of a coloring; O(vertices + edges).

    Parameters
    ----------
    offsets, neighbors
        The graph as CSR: ``int32[n + 1]``, ``int32[2 * edges]``.
    coloring
        The color of each vertex, ``int32[n]``.

    Returns
    -------
    region_offsets, region_neighbors, sizes, colors, region_of
        The region graph as CSR without parallel links (``int32[regions + 1]``, ``int32[links]``),
        the number of vertices and the color of each region (``int32[regions]``), and each vertex's
        region (``int32[n]``). Regions are numbered in the order of their lowest vertices.
    """
    vertices = coloring.size
    region_of = np.full(vertices, -1, np.int32)
    members = np.empty(vertices, np.int32)
    firsts = np.empty(vertices + 1, np.int32)
    regions = label_regions(offsets, neighbors, coloring, region_of, members, firsts)
    firsts = firsts[: regions + 1]
    region_offsets = np.empty(regions + 1, np.int32)
    links = np.empty(neighbors.size, np.int32)
    seen = np.full(regions, -1, np.int32)
    used = link_regions(offsets, neighbors, region_of, members, firsts, seen, region_offsets, links)
    colors = coloring[members[firsts[:-1]]].astype(np.int32)
    return region_offsets, links[:used].copy(), np.diff(firsts), colors, region_of


@compiled
def label_regions(
    offsets: IntArray,
    neighbors: IntArray,
    coloring: IntArray,
    region_of: IntArray,
    members: IntArray,
    firsts: IntArray,
) -> int:
    """Number the regions, and return their number.

    It writes the region of each vertex to ``region_of``, which must be -1 everywhere before; the
    vertices of each region to ``members``, from place ``firsts[region]`` on.
    """
    regions = 0
    filled = 0
    for seed in range(coloring.size):
        if region_of[seed] >= 0:
            continue
        firsts[regions] = filled
        region_of[seed] = regions
        members[filled] = seed
        done = filled
        filled += 1
        while done < filled:  # members is also the queue of the breadth-first search
            vertex = members[done]
            done += 1
            for slot in range(offsets[vertex], offsets[vertex + 1]):
                other = neighbors[slot]
                if region_of[other] < 0 and coloring[other] == coloring[seed]:
                    region_of[other] = regions
                    members[filled] = other
                    filled += 1
        regions += 1
    firsts[regions] = filled
    return regions


@compiled
def link_regions(
    offsets: IntArray,
    neighbors: IntArray,
    region_of: IntArray,
    members: IntArray,
    firsts: IntArray,
    seen: IntArray,
    region_offsets: IntArray,
    links: IntArray,
) -> int:
    """Write the neighbors of each region, each once; return the number of links.

    ``seen[other]`` is the last region that has ``other`` among its neighbors; it must be -1
    everywhere before.
    """
    used = 0
    for region in range(firsts.size - 1):
        region_offsets[region] = used
        for index in range(firsts[region], firsts[region + 1]):
            vertex = members[index]
            for slot in range(offsets[vertex], offsets[vertex + 1]):
                other = region_of[neighbors[slot]]
                if other != region and seen[other] != region:
                    seen[other] = region
                    links[used] = other
                    used += 1
    region_offsets[firsts.size - 1] = used
    return used
