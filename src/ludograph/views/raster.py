"""A raster of a scene: a matrix of pixels, each with the number of the visible cell.

A pixel is half a character of the terminal, so it is about square.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph.views.polygons import Indices, bounds, counters, next_corners, side
from ludograph.views.scene import Floats, Scene

NATURAL = 2.0
"""Pixels per side of a cell that is two characters wide and one character high."""

# Pixel centers on an edge, up to rounding, are assigned in the same way for both of its cells.
_TIE = 1e-9

_LARGEST = 12
"""The most pixels per side of a cell, on the largest terminal."""
_LARGEST_PART = 4
"""The most pixels per side, if sketches show cells as parts of larger things."""


@dataclass(frozen=True, slots=True, eq=False)
class Raster:
    """Pixels of a board.

    Attributes
    ----------
    cells : int32[height, width]
        The number of the visible cell, -1 if there is none.
    centers : int32[n, 2]
        The pixel (column, row) with the center of each cell.
    heights : float64[n]
        The distance of each cell's center from the upper edge, in pixels.
    pixels_per_side : float
        The side of the usual cell. Below 1 there are more cells than pixels.
    """

    cells: npt.NDArray[np.int32]
    centers: npt.NDArray[np.int32]
    heights: Floats
    pixels_per_side: float


def rasterize(scene: Scene, width: int, height: int) -> Raster:
    """Return the raster of a scene with at most `width` by `height` pixels.

    A pixel belongs to the cell that covers its center. The pixel at the center of a cell always
    shows that cell, unless two cells share it. Cost: O(cells + pixels).
    """
    low, high = bounds(scene)
    unit = side(scene)
    scale = _scale(scene, unit, high - low, (width, height))
    extent = np.maximum(np.ceil((high - low) * scale - 1e-6), 1).astype(int)
    extent = np.minimum(extent, (width, height))
    cells = np.full((extent[1], extent[0]), -1, dtype=np.int32)
    middles = (scene.positions - low) * scale
    if scene.links is not None:
        middles = _aligned(middles)
    centers = np.clip(np.floor(middles), 0, extent - 1).astype(np.int32)
    pixels_per_side = float(np.sqrt(scale[0] * scale[1])) * unit
    # With well over one cell per pixel, the pixels of the centers leave no gap.
    if pixels_per_side >= 0.6:
        corners = np.diff(scene.outline_offsets)
        offsets = (scene.outline_points - np.repeat(scene.positions, corners, axis=0)) * scale
        _fill(scene, np.repeat(middles, corners, axis=0) + offsets, cells)
    cells[centers[:, 1], centers[:, 0]] = np.arange(scene.size, dtype=np.int32)
    cells[(cells >= 0) & (scene.fills[cells] < 0)] = -1
    return Raster(cells, centers, middles[:, 1], pixels_per_side)


def natural(scene: Scene) -> Raster:
    """Return the raster of a whole scene with cells two characters wide and one high."""
    low, high = bounds(scene)
    width, height = np.ceil((high - low) / side(scene) * NATURAL - 1e-6).astype(int).tolist()
    return rasterize(scene, width, height)


def segments(starts: Floats, ends: Floats) -> tuple[Indices, Indices]:
    """Return the pixels below straight lines.

    Parameters
    ----------
    starts, ends : float64[e, 2]
        Pixel coordinates.

    Returns
    -------
    tuple of intp[m], intp[m]
        Columns and rows, with repetitions.
    """
    counts = np.ceil(np.abs(ends - starts).max(axis=1)).astype(np.intp) + 1
    line = np.repeat(np.arange(len(counts)), counts)
    share = counters(counts) / np.maximum(counts - 1, 1)[line]
    points = starts[line] + (ends - starts)[line] * share[:, None]
    columns, rows = np.floor(points).astype(np.intp).T
    return columns, rows


def _scale(scene: Scene, unit: float, extent: Floats, room: tuple[int, int]) -> Floats:
    """Return the pixels per unit along x and y, so that the board fits and cells look alike.

    Returns
    -------
    float64[2]
    """
    fitting = min(
        (pixels / length for pixels, length in zip(room, extent, strict=True) if length > 0),
        default=1.0,
    )
    if scene.links is not None and len(scene.links):
        # A drawn graph is no lattice: it takes the largest scale.
        return np.full(2, min(fitting, _LARGEST / unit))
    if fitting * unit < 0.7:  # no whole number of pixels fits
        return np.full(2, fitting)
    # Squares of an even number of pixels fill whole lines of text.
    even = not _needs_pixels(scene) and not scene.sketches
    for wanted in range(_LARGEST_PART if scene.sketches else _LARGEST, 0, -1):
        if even and wanted % 2 and wanted > 1:
            continue
        scale = _snapped(scene, unit, float(wanted))
        if (np.ceil(extent * scale - 1e-6) <= room).all():
            return scale
    return np.full(2, fitting)


def _aligned(middles: Floats) -> Floats:
    """Return the nodes of a drawn graph, moved to corners of pixels in the middle of a text line.

    Nodes of the same form then get the same pixels, and a character fits in their middle.
    """
    return np.stack((np.rint(middles[:, 0]), 2 * np.rint((middles[:, 1] - 1) / 2) + 1), axis=1)


def _needs_pixels(scene: Scene) -> bool:
    """Tell whether cells need more than two by two pixels to show their form."""
    corners = np.diff(scene.outline_offsets)
    return scene.size > 0 and float(np.mean(corners == 4)) < 0.9


def _snapped(scene: Scene, unit: float, wanted: float) -> Floats:
    """Return a scale with sides of `wanted` pixels, stretched a little to reach whole pixels.

    On a regular board all cells then get the same pixels: the distances of rows and of columns are
    whole numbers of pixels. A board with irregular rows is not stretched.
    """
    scale = np.full(2, wanted / unit)
    for axis in (0, 1):
        values = np.unique(scene.positions[:, axis])
        gaps = np.diff(values)
        gaps = gaps[gaps > unit * 1e-3]
        if not len(gaps):
            continue
        pixels = float(gaps.min()) * scale[axis]
        whole = max(round(pixels), 1)
        if 0.75 <= whole / pixels <= 1.34:
            scale[axis] *= whole / pixels
    return scale


def _fill(scene: Scene, points: Floats, cells: npt.NDArray[np.int32]) -> None:
    """Fill all polygons at once, row by row between the crossings of their edges.

    All intervals are half-open: polygons that share an edge neither overlap nor leave a gap.
    """
    height, width = cells.shape
    ends = points[next_corners(scene)]
    owner = np.repeat(np.arange(scene.size), np.diff(scene.outline_offsets))
    upper, lower = np.minimum(points[:, 1], ends[:, 1]), np.maximum(points[:, 1], ends[:, 1])
    first = np.clip(np.ceil(upper - 0.5 - _TIE), 0, height).astype(np.intp)
    after = np.clip(np.ceil(lower - 0.5 - _TIE), 0, height).astype(np.intp)
    counts = after - first
    edge = np.repeat(np.arange(len(points)), counts)
    row = first[edge] + counters(counts)
    # Horizontal edges have no crossings, so the height in the division below is above zero.
    share = (row + 0.5 - points[edge, 1]) / (ends[edge, 1] - points[edge, 1])
    crossing = points[edge, 0] + share * (ends[edge, 0] - points[edge, 0])
    order = np.lexsort((crossing, row, owner[edge]))
    left, right = order[0::2], order[1::2]
    begin = np.clip(np.ceil(crossing[left] - 0.5 - _TIE), 0, width).astype(np.intp)
    end = np.clip(np.ceil(crossing[right] - 0.5 - _TIE), 0, width).astype(np.intp)
    lengths = np.maximum(end - begin, 0)
    span = np.repeat(np.arange(len(lengths)), lengths)
    cells[row[left][span], begin[span] + counters(lengths)] = owner[edge[left]][span]
