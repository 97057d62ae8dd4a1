"""Scenes built by hand for the tests of the views."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ludograph.views.colors import distinct
from ludograph.views.scene import Scene

SQUARE = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
HEXAGON = tuple(
    (np.sin(turn * np.pi / 3) / np.sqrt(3), -np.cos(turn * np.pi / 3) / np.sqrt(3))
    for turn in range(6)
)


def scene(positions: Any, corners: Any, fills: Any, colors: int = 6, **more: Any) -> Scene:
    """Give every cell the same polygon around its position."""
    positions = np.asarray(positions, dtype=np.float64).reshape(-1, 2)
    corners = np.asarray(corners, dtype=np.float64)
    points = (positions[:, None, :] + corners[None]).reshape(-1, 2)
    offsets = np.arange(len(positions) + 1, dtype=np.int32) * len(corners)
    for name in ("groups", "links"):
        if more.get(name) is not None:
            more[name] = np.asarray(more[name], dtype=np.int32)
    palette = more.pop("palette", distinct(colors))
    fills = np.asarray(fills, dtype=np.int32)
    return Scene(positions, offsets.astype(np.int32), points, fills, palette, **more)


def squares(rows: int, columns: int, fills: Any = None, **more: Any) -> Scene:
    """Unit squares in rows; colors count up by default."""
    y, x = np.divmod(np.arange(rows * columns), columns)
    if fills is None:
        fills = np.arange(rows * columns) % more.get("colors", 6)
    return scene(np.stack((x, y), axis=1), SQUARE, fills, **more)


def hexagons(rows: int, columns: int, fills: Any = None, **more: Any) -> Scene:
    """Build a slanted board of hexagons, one unit wide, as for Hex."""
    y, x = np.divmod(np.arange(rows * columns), columns)
    if fills is None:
        fills = np.arange(rows * columns) % more.get("colors", 6)
    positions = np.stack((x + y / 2, y * np.sqrt(3) / 2), axis=1)
    return scene(positions, HEXAGON, fills, **more)


def subset(whole: Scene, keep: Sequence[int], **more: Any) -> Scene:
    """Keep some cells of a scene whose polygons all have the same number of corners."""
    keep = list(keep)
    corners = len(whole.outline_points) // whole.size
    points = whole.outline_points.reshape(whole.size, corners, 2)[keep]
    offsets = (np.arange(len(keep) + 1) * corners).astype(np.int32)
    return Scene(
        whole.positions[keep],
        offsets,
        points.reshape(-1, 2),
        whole.fills[keep],
        whole.palette,
        **more,
    )
