"""Splines go where they should, whatever draws them."""

import numpy as np
import pytest

from ludograph.views.curves import bridged, ellipse, flattened, joined, piece, smooth, straight

CORNERS = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]])


def test_an_ellipse_is_round():
    points = (flattened(ellipse(3, 2, 1, -1), 20) - (1, -1)) / (3, 2)
    assert np.hypot(*points.T) == pytest.approx(1, abs=3e-3)
    assert points[0].tolist() == points[-1].tolist() == [1, 0]


@pytest.mark.parametrize("closed", [False, True])
def test_a_smooth_curve_goes_through_its_points(closed):
    spline = smooth(CORNERS, closed=closed)
    through = [*CORNERS.tolist(), *([[0.0, 0.0]] if closed else [])]
    assert spline[::3].tolist() == through
    inner = spline[1:-1]
    for before, corner, after in zip(inner[1::3], inner[2::3], inner[3::3], strict=False):
        assert after - corner == pytest.approx(corner - before)  # it has no corners


def test_straight_lines_stay_straight():
    points = flattened(straight(CORNERS[:3]))
    assert ((points[:, 0] == 2) | (points[:, 1] == 0)).all()


def test_a_piece_leaves_towards_its_control():
    spline = joined([piece(*CORNERS[:3]), piece(CORNERS[2], CORNERS[3], CORNERS[0])])
    assert len(spline) == 7
    assert (spline[1] - spline[0])[1] == (spline[6] - spline[5])[0] == 0
    assert flattened(spline, 2)[[0, 2, 4]].tolist() == spline[::3].tolist()


def test_bridges_cover_nothing():
    squares = [np.add(CORNERS, (5 * number, number)) for number in range(4)]
    x, y = bridged(squares).T
    area = (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2
    assert area == pytest.approx(4 * 2.0)
    steps = np.diff(np.stack((x, y), axis=1), axis=0, append=[[x[0], y[0]]])
    assert sum(np.abs(step).max() > 2 for step in steps) == 2 * 3  # there and back
    assert bridged(squares[:1])[:4].tolist() == CORNERS.tolist()
