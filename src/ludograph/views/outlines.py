"""Measures of the polygons of a scene."""

import numpy as np
import numpy.typing as npt

from ludograph.views.scene import Floats, Scene

__all__ = [
    "Indices",
    "areas",
    "bounds",
    "inner_radii",
    "next_corners",
    "ranks",
    "row_starts",
    "side",
]

Indices = npt.NDArray[np.intp]

_SAMPLE = 2000


def bounds(scene: Scene) -> tuple[Floats, Floats]:
    """Give the smallest and the largest coordinates that a scene reaches.

    Returns
    -------
    tuple of float64[2], float64[2]
        Upper left and lower right corner; both zero for a scene without cells.
    """
    clouds = [points for points in (scene.outline_points, scene.positions) if len(points)]
    if not clouds:
        return np.zeros(2), np.zeros(2)
    # Column by column: numpy is far slower along the first axis of a long, thin array.
    low = [min(points[:, axis].min() for points in clouds) for axis in (0, 1)]
    high = [max(points[:, axis].max() for points in clouds) for axis in (0, 1)]
    return np.array(low, dtype=np.float64), np.array(high, dtype=np.float64)


def side(scene: Scene) -> float:
    """Give the side of a square as large as the usual cell, a length to measure others by.

    Some cells across the whole board decide: on a large one most of the time went here.
    """
    sizes = np.abs(areas(scene, np.arange(0, scene.size, max(scene.size // _SAMPLE, 1))))
    sizes = sizes[sizes > 0]
    return float(np.sqrt(np.median(sizes))) if len(sizes) else 1.0


def inner_radii(scene: Scene, cells: Indices) -> Floats:
    """Give the radius of the largest circle around the center of each cell that stays inside.

    Returns
    -------
    float64[m]
        0 for a cell without an outline, or whose center lies on it.
    """
    radii = np.zeros(len(cells))
    for place, cell in enumerate(cells.tolist()):
        first, last = scene.outline_offsets[cell], scene.outline_offsets[cell + 1]
        if last - first < 3:
            continue
        start = scene.outline_points[first:last] - scene.positions[cell]
        along = np.roll(start, -1, axis=0) - start
        square = np.maximum((along**2).sum(axis=1), 1e-30)
        share = np.clip(-(start * along).sum(axis=1) / square, 0.0, 1.0)
        radii[place] = np.hypot(*(start + share[:, None] * along).T).min()
    return radii


def next_corners(scene: Scene) -> Indices:
    """Give, for each outline point, the index of the following one of its polygon.

    Returns
    -------
    intp[k]
    """
    following = np.arange(1, len(scene.outline_points) + 1)
    starts, ends = scene.outline_offsets[:-1], scene.outline_offsets[1:]
    some = ends > starts
    following[ends[some] - 1] = starts[some]
    return following


def areas(scene: Scene, cells: Indices | None = None) -> Floats:
    """Give the signed area of polygons (positive: clockwise on the screen).

    Parameters
    ----------
    cells : intp[m], optional
        Which cells; all by default.

    Returns
    -------
    float64[m]
    """
    cells = np.arange(scene.size) if cells is None else cells
    starts = scene.outline_offsets[cells].astype(np.intp)
    counts = scene.outline_offsets[cells + 1] - starts
    ends = np.cumsum(counts)
    place = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
    first = np.repeat(starts, counts)
    points = scene.outline_points[first + place]
    after = scene.outline_points[first + (place + 1) % np.repeat(counts, counts)]
    crosses = (points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0]) / 2
    sums = np.concatenate((np.zeros(1), np.cumsum(crosses)))
    return np.asarray(sums[ends] - sums[ends - counts])


def row_starts(positions: Floats) -> dict[int, str]:
    """Return the number of the first cell of each row, by that cell.

    Nothing unless cells are numbered row by row, from the left, as people read; rows are at equal
    distances and have two cells or more on average.
    """
    count = len(positions)
    if count < 2:
        return {}
    spread = float(np.ptp(positions, axis=0).max())
    rows = ranks(positions[:, 1], spread * 1e-6)
    steps = np.diff(rows)
    onward = (steps == 1) | ((steps == 0) & (np.diff(positions[:, 0]) > 0))
    if not onward.all() or 2 * (int(rows.max()) + 1) > count:
        return {}
    first = [0, *(np.flatnonzero(steps == 1) + 1).tolist()]
    gaps = np.diff(positions[first, 1])
    if len(gaps) and np.ptp(gaps) > 1e-3 * spread:
        return {}
    return {cell: str(cell) for cell in first}


def ranks(values: Floats, tolerance: float) -> Indices:
    """Number the distinct values in ascending order, those closer than `tolerance` as one.

    Rounding would tear apart two equal coordinates whose last bits straddle a boundary.
    """
    order = np.argsort(values, kind="stable")
    numbers = np.empty(len(values), dtype=np.intp)
    numbers[order] = np.concatenate(
        (np.zeros(1, dtype=np.intp), np.cumsum(np.diff(values[order]) > tolerance, dtype=np.intp))
    )
    return numbers
