"""What lies on a board as SVG elements: zones, links, strokes.

Every function returns small strings that stand on their own, so that a still picture joins them
and an animation shows each of them at its time.
"""

import hashlib

import numpy as np
import numpy.typing as npt

from ludograph.views.borders import Borders
from ludograph.views.canvas import BACKGROUND, Canvas, closed_path, ink
from ludograph.views.colors import DARK, contrast, hexadecimal, parse, readable
from ludograph.views.outlines import inner_radii
from ludograph.views.scene import Scene

__all__ = ["links", "strokes", "zones"]

_LINE = "#a3a3ab"
_DASHES: tuple[tuple[float, ...], ...] = ((), (), (0.5, 0.2), (0.16, 0.16))
"""The borders of groups in turn: two unbroken, then long and short dashes."""
_NEUTRAL = hexadecimal(DARK)


def zones(canvas: Canvas, scene: Scene, borders: Borders) -> list[str]:
    """Draw the border of each group along the inner side of its edge.

    The line is cut at the edge (two zones that meet both keep theirs), so it is drawn
    twice as wide as it shows.
    """
    elements: list[str] = []
    if scene.groups is None:
        return elements
    shown = scene.fills >= 0
    for number in np.unique(scene.groups[(scene.groups >= 0) & shown]).tolist():
        dashes = _DASHES[number % len(_DASHES)]
        dash = " ".join(canvas.length(sides) for sides in dashes)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        loops = borders.loops((scene.groups == number) & shown)
        path = "".join(closed_path(canvas.units(loop)) for loop in loops)
        if not path:
            continue
        colors = scene.group_colors
        color = ink(colors[number]) if number < len(colors) else _NEUTRAL
        casing = hexadecimal(readable(parse(color)))
        # Ids are shared by all pictures of a page: equal ones must mean equal paths.
        name = "z" + hashlib.blake2s(path.encode(), digest_size=8).hexdigest()
        elements.append(
            f'<clipPath id="{name}"><path clip-rule="evenodd" d="{path}"/></clipPath>'
            f'<g class="zone" clip-path="url(#{name})" fill="none" stroke-linejoin="round">'
            f'<path stroke="{casing}" stroke-opacity=".75" stroke-width="{canvas.length(0.44)}"'
            f' d="{path}"/>'
            f'<path stroke="{color}" stroke-width="{canvas.length(0.34)}"'
            f'{dashed} d="{path}"/>'
            f'<path stroke="{casing}" stroke-opacity=".75" stroke-width="{canvas.length(0.08)}"'
            f' d="{path}"/></g>'
        )
    return elements


def links(canvas: Canvas, scene: Scene) -> list[str]:
    """Draw the edges of a graph, those within a group in its color."""
    if scene.links is None or not len(scene.links):
        return []
    ends = canvas.units(scene.positions)
    owner = np.full(len(scene.links), -1)
    if scene.groups is not None:
        first, second = scene.groups[scene.links[:, 0]], scene.groups[scene.links[:, 1]]
        owner = np.where(first == second, first, -1)
    elements = []
    for number in np.unique(owner).tolist():
        path = "".join(
            f"M{ends[a, 0]} {ends[a, 1]}L{ends[b, 0]} {ends[b, 1]}"
            for a, b in scene.links[owner == number].tolist()
        )
        color, width = _LINE, 0.06
        if number >= 0:
            colors = scene.group_colors
            color = ink(colors[number]) if number < len(colors) else _NEUTRAL
            width = 0.14
            if contrast(parse(color), parse(BACKGROUND)) < 1.5:
                elements.append(_line(path, _LINE, canvas.length(0.22)))
        elements.append(_line(path, color, canvas.length(width)))
    return elements


def strokes(canvas: Canvas, scene: Scene, *, below: bool) -> list[str]:
    """Draw the highlighted lines below the pieces, or those above them.

    A casing keeps them apart from the cells.

    Where a number is written, there is no ring: the number has its color then.
    """
    elements = []
    for stroke in scene.strokes:
        if stroke.below != below:
            continue
        if len(stroke.cells) == 1 and stroke.cells[0] in scene.numerals:
            continue
        points = canvas.units(scene.positions[list(stroke.cells)])
        color = ink(stroke.rgb)
        casing = hexadecimal(readable(parse(color)))
        if len(points) == 1:
            x, y = points[0].tolist()
            radius, width = canvas.length(0.27), canvas.length(0.12)
            if below:  # it goes around what stands there
                inner = 0.86 * inner_radii(scene, np.asarray(stroke.cells)) / canvas.side
                radius, width = canvas.length(float(inner[0])), canvas.length(0.07)
            around = "" if below else f'stroke="{casing}" stroke-width="{canvas.length(0.2)}"'
            ring = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="none"'
            elements.append(
                (f"{ring} {around}/>" if around else "")
                + f'{ring} stroke="{color}" stroke-width="{width}"/>'
            )
        elif len(points) and stroke.arrow:
            elements += [_arrow(canvas, points, casing, 0.1), _arrow(canvas, points, color, 0.0)]
        elif len(points):
            path = "M" + "L".join(f"{x} {y}" for x, y in points.tolist())
            elements.append(
                _line(path, casing, canvas.length(0.3)) + _line(path, color, canvas.length(0.2))
            )
    return elements


SHORT, HEAD, WING, SHAFT = 0.4, 0.3, 0.19, 0.1
"""Of an arrow, in sides of cells: how far from the last center its tip is, how long its head, how
wide that to each side, how thick the line."""


def _arrow(canvas: Canvas, points: npt.NDArray[np.int64], color: str, around: float) -> str:
    """Draw a line with a head, so much thicker all around."""
    unit = canvas.scale * canvas.tenths
    last = points[-1] - points[-2]
    length = float(np.hypot(*last))
    along = last / (length or 1.0)
    tip = points[-1] - min(SHORT * unit, 0.42 * length) * along
    neck = tip - min(HEAD * unit, 0.42 * length) * along
    wing = WING * unit * np.array((-along[1], along[0]))
    shaft = [*points[:-1].tolist(), neck.tolist()]
    path = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in shaft)
    head = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in (tip, neck + wing, neck - wing)) + "z"
    return _line(path, color, canvas.length(SHAFT + around)) + (
        f'<path fill="{color}" stroke="{color}" stroke-width="{canvas.length(around)}"'
        f' stroke-linejoin="round" d="{head}"/>'
    )


def _line(path: str, color: str, width: str) -> str:
    """Draw an open path with round ends."""
    return (
        f'<path fill="none" stroke="{color}" stroke-width="{width}" stroke-linecap="round"'
        f' stroke-linejoin="round" d="{path}"/>'
    )
