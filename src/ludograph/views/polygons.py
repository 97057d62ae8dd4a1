"""Geometry of a scene's cells: bounds, areas, inscribed circles, borders of sets of cells."""

import numpy as np
import numpy.typing as npt

from ludograph.views.scene import Floats, Scene

Indices = npt.NDArray[np.intp]

_SAMPLE = 2000


def bounds(scene: Scene) -> tuple[Floats, Floats]:
    """Return the smallest and the largest coordinates of the cells and the ground of a scene.

    Returns
    -------
    tuple of float64[2], float64[2]
        Upper left and lower right corner; both zero for a scene without cells.
    """
    clouds = [points for points in (scene.outline_points, scene.positions) if len(points)]
    clouds += [shape.points + each.place for each in scene.ground for shape in each.shapes]
    if not clouds:
        return np.zeros(2), np.zeros(2)
    # Column by column: numpy is far slower along the first axis of a long, thin array.
    low = [min(points[:, axis].min() for points in clouds) for axis in (0, 1)]
    high = [max(points[:, axis].max() for points in clouds) for axis in (0, 1)]
    return np.array(low, dtype=np.float64), np.array(high, dtype=np.float64)


def side(scene: Scene) -> float:
    """Return the side of a square as large as the usual cell, as a unit for other lengths.

    On large boards a sample of the cells is measured, as measuring all of them takes long.
    """
    sizes = np.abs(areas(scene, np.arange(0, scene.size, max(scene.size // _SAMPLE, 1))))
    sizes = sizes[sizes > 0]
    return float(np.sqrt(np.median(sizes))) if len(sizes) else 1.0


def inner_radii(scene: Scene, cells: Indices) -> Floats:
    """Return the radius of the largest circle inside of each cell, around its center.

    Returns
    -------
    float64[m]
        0 for a cell without an outline, or with its center on the outline.
    """
    radii = np.zeros(len(cells))
    first = scene.outline_offsets[cells]
    corners = scene.outline_offsets[np.asarray(cells) + 1] - first
    for number in np.unique(corners[corners >= 3]).tolist():  # cells with equal numbers of corners
        same = np.flatnonzero(corners == number)
        points = scene.outline_points[first[same][:, None] + np.arange(number)]
        start = points - scene.positions[cells[same]][:, None]
        along = np.roll(start, -1, axis=1) - start
        square = np.maximum((along**2).sum(axis=2), 1e-30)
        share = np.clip(-(start * along).sum(axis=2) / square, 0.0, 1.0)
        nearest = start + share[:, :, None] * along
        radii[same] = np.hypot(nearest[:, :, 0], nearest[:, :, 1]).min(axis=1)
    return radii


def node_radii(scene: Scene, cells: Indices) -> Floats:
    """Return the radius of the disc that replaces the outline of each node of a drawn graph.

    Returns
    -------
    float64[m]
    """
    return np.sqrt(np.abs(areas(scene, cells)) / np.pi)


def next_corners(scene: Scene) -> Indices:
    """Return, for each outline point, the index of the next point of its polygon.

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
    """Return the signed area of polygons (positive: clockwise on the screen).

    Parameters
    ----------
    cells : intp[m], optional
        The cells; all by default.

    Returns
    -------
    float64[m]
    """
    cells = np.arange(scene.size) if cells is None else cells
    starts = scene.outline_offsets[cells].astype(np.intp)
    counts = scene.outline_offsets[cells + 1] - starts
    ends, place = np.cumsum(counts), counters(counts)
    first = np.repeat(starts, counts)
    points = scene.outline_points[first + place]
    after = scene.outline_points[first + (place + 1) % np.repeat(counts, counts)]
    crosses = (points[:, 0] * after[:, 1] - points[:, 1] * after[:, 0]) / 2
    sums = np.concatenate((np.zeros(1), np.cumsum(crosses)))
    return np.asarray(sums[ends] - sums[ends - counts])


def counters(counts: Indices) -> Indices:
    """Return the numbers 0, 1, ... ``counts[i] - 1`` for each i in turn."""
    starts = np.cumsum(counts) - counts
    return np.asarray(np.arange(int(counts.sum())) - np.repeat(starts, counts))


def row_starts(positions: Floats) -> dict[int, str]:
    """Return the number of the first cell of each row, by that cell; empty if there are no rows.

    Rows need cells that are numbered row by row, from the left; equal distances; and two cells per
    row or more on average.
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
    """Return the rank of each value among the distinct ones; values within `tolerance` are equal.

    Rounding would separate equal coordinates whose last bits are on two sides of a boundary.
    """
    order = np.argsort(values, kind="stable")
    numbers = np.empty(len(values), dtype=np.intp)
    numbers[order] = np.concatenate(
        (np.zeros(1, dtype=np.intp), np.cumsum(np.diff(values[order]) > tolerance, dtype=np.intp))
    )
    return numbers


class Borders:
    """Finds the borders of groups on one board; make it once for all positions of a game.

    All polygons of a group have the same direction. So an edge between two cells of the group
    occurs once in each direction, and both cancel. The remaining edges are the border. As many of
    them enter each corner as leave it, so they always form closed loops, even if outlines overlap
    or touch at a corner.

    Parameters
    ----------
    scene : Scene
        The scene of the board; only its outlines are used.
    """

    def __init__(self, scene: Scene) -> None:
        points = scene.outline_points
        following = next_corners(scene)
        owner = np.repeat(np.arange(scene.size), np.diff(scene.outline_offsets))
        lengths = np.hypot(*(points[following] - points).T)
        usual = float(np.median(lengths[lengths > 0])) if (lengths > 0).any() else 1.0
        # The coordinates of a corner may differ in their last digits between two cells.
        if len(points):
            x, y = (ranks(points[:, axis], usual * 1e-4) for axis in (0, 1))
            corners = np.unique(x * (int(y.max()) + 1) + y, return_inverse=True)[1].reshape(-1)
        else:
            corners = np.empty(0, dtype=np.intp)
        sources, targets = corners, corners[following]
        backward = areas(scene)[owner] < 0
        self._sources: Indices = np.where(backward, targets, sources)
        self._targets: Indices = np.where(backward, sources, targets)
        self._owner: Indices = owner
        self._count = int(corners.max()) + 1 if len(corners) else 0
        self._points: Floats = np.empty((self._count, 2))
        self._points[corners] = points

    def loops(self, cells: npt.NDArray[np.bool_]) -> list[Floats]:
        """Return the border of the marked cells.

        Parameters
        ----------
        cells : bool[n]
            The cells of the group.

        Returns
        -------
        list of float64[m, 2]
            Closed loops, without the first corner repeated and without corners on a straight
            line. Filled with the even-odd rule they cover the group.
        """
        sources, targets, keys = self._edges(cells)
        forward = sources < targets
        edges, places = np.unique(keys, return_inverse=True)
        surplus = np.bincount(
            places.reshape(-1), weights=np.where(forward, 1, -1), minlength=len(edges)
        ).astype(np.intp)
        kept = np.repeat(edges, np.abs(surplus))
        ascending = np.repeat(surplus > 0, np.abs(surplus))
        low, high = np.divmod(kept, max(self._count, 1))
        return [
            _without_straight(self._points[loop])
            for loop in _trace(np.where(ascending, low, high), np.where(ascending, high, low))
        ]

    def between(self, cells: npt.NDArray[np.bool_], others: npt.NDArray[np.bool_]) -> list[Floats]:
        """Return the lines along which two sets of cells meet.

        Parameters
        ----------
        cells, others : bool[n]
            Two sets without common cells.

        Returns
        -------
        list of float64[m, 2]
            Lines of two corners or more; a closed line ends where it starts.
        """
        sources, targets, keys = self._edges(cells)
        met = np.isin(keys, self._edges(others)[2])
        leaving: dict[int, list[int]] = {}
        surplus: dict[int, int] = {}  # edges that leave a corner less those that enter it
        for source, target in zip(sources[met].tolist(), targets[met].tolist(), strict=True):
            leaving.setdefault(source, []).append(target)
            surplus[source] = surplus.get(source, 0) + 1
            surplus[target] = surplus.get(target, 0) - 1
        begins = [corner for corner, count in surplus.items() for _ in range(count)]
        lines = []
        for corner in (*begins, *leaving):  # open lines first, then closed ones
            while leaving.get(corner):
                line = [corner]
                while leaving.get(line[-1]):
                    line.append(leaving[line[-1]].pop())
                lines.append(self._points[line])
                if surplus[corner] > 0:
                    break
        return lines

    def _edges(self, cells: npt.NDArray[np.bool_]) -> tuple[Indices, Indices, Indices]:
        """Return the starts and the ends of the edges of marked cells, and a number for each edge.

        The number does not depend on the direction.
        """
        chosen = cells[self._owner] & (self._sources != self._targets)
        sources, targets = self._sources[chosen], self._targets[chosen]
        low, high = np.minimum(sources, targets), np.maximum(sources, targets)
        return sources, targets, low * self._count + high


def _trace(sources: Indices, targets: Indices) -> list[list[int]]:
    """Return closed loops of directed edges, if as many edges enter each corner as leave it."""
    leaving: dict[int, list[int]] = {}
    for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
        leaving.setdefault(source, []).append(target)
    loops = []
    for first, exits in leaving.items():
        while exits:
            loop, corner = [first], exits.pop()
            while corner != first:
                loop.append(corner)
                corner = leaving[corner].pop()
            loops.append(loop)
    return loops


def _without_straight(loop: Floats) -> Floats:
    """Return a closed loop without the corners at which its direction does not change."""
    before, after = loop - np.roll(loop, 1, axis=0), np.roll(loop, -1, axis=0) - loop
    crosses = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    lengths = np.hypot(*before.T) * np.hypot(*after.T)
    turns = np.abs(crosses) > 1e-6 * lengths
    # A degenerate loop (there and back) has no turn at all, and is not changed.
    return loop[turns] if turns.sum() >= 3 else loop
