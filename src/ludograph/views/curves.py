"""Curves as cubic Bézier splines, which are smooth at every size.

A spline of k pieces is ``float64[3 k + 1, 2]``: its start, then for each piece two control points
and its end. A piece whose control points are its ends is a straight line.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ludograph.views.scene import Floats

_QUARTER = 0.5523
"""The distance of the control points of a quarter circle from its ends, in radii."""


def ellipse(width: float, height: float, x: float = 0.0, y: float = 0.0) -> Floats:
    """Return an ellipse around a point, with the given half axes.

    Returns
    -------
    float64[13, 2]
    """
    k = _QUARTER
    unit = np.array(
        [
            *((1, 0), (1, k), (k, 1), (0, 1), (-k, 1), (-1, k), (-1, 0)),
            *((-1, -k), (-k, -1), (0, -1), (k, -1), (1, -k), (1, 0)),
        ]
    )
    return np.asarray(unit * (width, height) + (x, y))


def piece(start: Floats, control: Floats, end: Floats, pull: float = 2 / 3) -> Floats:
    """Return a spline of one piece.

    Parameters
    ----------
    control
        The intersection of the tangents at both ends.
    pull
        The place of the two control points, as a share of the way from the ends to `control`.

    Returns
    -------
    float64[4, 2]
    """
    return np.array([start, start + pull * (control - start), end + pull * (control - end), end])


def straight(points: Floats) -> Floats:
    """Return straight lines through some points as a spline."""
    return np.concatenate([points[:1], *([a, b, b] for a, b in pairwise(points))])


def smooth(points: Floats, *, closed: bool = True) -> Floats:
    """Return a smooth spline through some points (Catmull and Rom 1974)."""
    ring = np.concatenate((points, points[:1])) if closed else points
    before = np.roll(points, 1, axis=0) if closed else np.concatenate((points[:1], points[:-1]))
    after = np.roll(points, -1, axis=0) if closed else np.concatenate((points[1:], points[-1:]))
    slopes = (after - before) / 6
    slopes = np.concatenate((slopes, slopes[:1])) if closed else slopes
    pieces = np.stack((ring[:-1] + slopes[:-1], ring[1:] - slopes[1:], ring[1:]), axis=1)
    return np.concatenate((ring[:1], pieces.reshape(-1, 2)))


def joined(splines: Sequence[Floats]) -> Floats:
    """Return one spline of several, if each begins at the end of the one before."""
    return np.concatenate([splines[0], *(spline[1:] for spline in splines[1:])])


def bridged(polygons: Sequence[Floats]) -> Floats:
    """Return several polygons as the outline of one, which is drawn much faster.

    The polygons are joined by lines there and back, which have no area; do not draw the line of
    such a shape.
    """
    starts = [polygon[:1] for polygon in polygons]
    rings = [part for polygon in polygons for part in (polygon, polygon[:1])]
    return np.concatenate([*rings, *starts[-2:0:-1]])


def flattened(spline: Floats, steps: int = 8) -> Floats:
    """Return points on a spline: its start, then `steps` points of each piece."""
    t = np.linspace(0, 1, steps + 1)[1:, None]
    s = 1 - t
    parts = [
        s**3 * a + 3 * s**2 * t * b + 3 * s * t**2 * c + t**3 * d
        for a, b, c, d in zip(spline[:-1:3], spline[1::3], spline[2::3], spline[3::3], strict=True)
    ]
    return np.concatenate([spline[:1], *parts])
