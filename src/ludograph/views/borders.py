"""The border of a set of cells, from their polygons alone.

The polygons of one group are walked in one direction; an edge between two cells of the group is
then walked once each way and cancels. What remains is the border: as many edges enter each
corner as leave it, so it always falls into closed loops, even for outlines that overlap or
touch at a corner.
"""

import numpy as np
import numpy.typing as npt

from ludograph.views.outlines import Indices, areas, next_corners, ranks
from ludograph.views.scene import Floats, Scene

__all__ = ["Borders"]


class Borders:
    """Finds the borders of groups on one board; keep it for all positions of a game.

    Parameters
    ----------
    scene : Scene
        Only its outlines are read.
    """

    def __init__(self, scene: Scene) -> None:
        points = scene.outline_points
        following = next_corners(scene)
        owner = np.repeat(np.arange(scene.size), np.diff(scene.outline_offsets))
        lengths = np.hypot(*(points[following] - points).T)
        usual = float(np.median(lengths[lengths > 0])) if (lengths > 0).any() else 1.0
        # A corner that two cells share may differ in its last digits.
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
        """Find the border of the marked cells.

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
        chosen = cells[self._owner] & (self._sources != self._targets)
        sources, targets = self._sources[chosen], self._targets[chosen]
        forward = sources < targets
        keys = np.where(forward, sources * self._count + targets, targets * self._count + sources)
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


def _trace(sources: Indices, targets: Indices) -> list[list[int]]:
    """Chain directed edges, as many into as out of each corner, to closed loops."""
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
    """Drop the corners of a closed loop at which it goes straight on."""
    before, after = loop - np.roll(loop, 1, axis=0), np.roll(loop, -1, axis=0) - loop
    crosses = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    lengths = np.hypot(*before.T) * np.hypot(*after.T)
    turns = np.abs(crosses) > 1e-6 * lengths
    # A degenerate loop (there and back) has no turn at all; keep it as it is.
    return loop[turns] if turns.sum() >= 3 else loop
