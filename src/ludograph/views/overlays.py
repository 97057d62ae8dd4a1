"""What somebody thinks of some cells as SVG elements, laid over any picture."""

from math import sqrt

import numpy as np

from ludograph.views.borders import Borders
from ludograph.views.canvas import BACKGROUND, INK, Canvas, clean, closed_path
from ludograph.views.scene import Overlay, Scene

__all__ = ["COLORS", "color_of", "legend", "overlays"]

COLORS = (("blue", "#0072b2"), ("orange", "#e69f00"), ("green", "#009e73"), ("purple", "#cc79a7"))
"""Of overlays in turn; those that the color-blind tell apart too (Okabe, Ito 2008)."""

LARGEST = 0.36
"""Radius of the disc of the greatest number, in sides of a cell."""


def color_of(number: int) -> tuple[str, str]:
    """Return the name of an overlay's color, by its place among the others, and ``#rrggbb``."""
    return COLORS[number % len(COLORS)]


def overlays(canvas: Canvas, scene: Scene) -> list[str]:
    """Draw the overlays of a scene: sets below numbers, numbers below texts."""
    areas: list[str] = []
    numbers: list[str] = []
    written: list[str] = []
    for number, overlay in enumerate(scene.overlays):
        color = color_of(number)[1]
        if overlay.values is not None:
            numbers += discs(canvas, scene, overlay, color)
        elif overlay.texts is None:
            areas += area(canvas, scene, overlay, color)
        if overlay.texts is not None:
            written += texts(canvas, scene, overlay, color)
    return [*areas, *numbers, *written]


def legend(scene: Scene) -> list[str]:
    """Return what the overlays of a scene are, in a line each."""
    lines = []
    for number, overlay in enumerate(scene.overlays):
        greatest = max((abs(value) for value in overlay.values or ()), default=0.0)
        most = f", largest disc {greatest:.3g}" if greatest else ""
        lines.append(f"{color_of(number)[0]}: {overlay.name}{most}")
    return lines


def discs(canvas: Canvas, scene: Scene, overlay: Overlay, color: str) -> list[str]:
    """Draw a disc for each number; its area tells it, and a hollow one is below zero."""
    values = overlay.values or ()
    greatest = max((abs(value) for value in values), default=0.0)
    if not greatest:
        return []
    points = canvas.units(scene.positions)
    elements = []
    for cell, value in zip(overlay.cells, values, strict=True):
        if not value or cell >= scene.size:
            continue
        x, y = points[cell].tolist()
        radius = canvas.length(max(0.03, LARGEST * sqrt(abs(value) / greatest)))
        fill = f'fill="{color}" fill-opacity=".8"' if value > 0 else 'fill="none"'
        elements.append(
            f'<circle class="overlay" cx="{x}" cy="{y}" r="{radius}" {fill}'
            f' stroke="{color if value < 0 else BACKGROUND}"'
            f' stroke-width="{canvas.length(0.05)}"/>'
        )
    return elements


def area(canvas: Canvas, scene: Scene, overlay: Overlay, color: str) -> list[str]:
    """Draw a set of cells: a tint of them, and the border around them."""
    cells = [cell for cell in overlay.cells if cell < scene.size]
    if not cells:
        return []
    inside = np.zeros(scene.size, np.bool_)
    inside[cells] = True
    loops = Borders(scene).loops(inside)
    border = "".join(closed_path(canvas.units(loop)) for loop in loops)
    width = canvas.length(0.12)
    return [
        f'<path class="overlay" fill="{color}" fill-opacity=".3"'
        f' d="{canvas.outlines(scene, cells)}"/>'
        f'<path class="overlay" fill="none" stroke="{color}" stroke-width="{width}"'
        f' stroke-dasharray="{canvas.length(0.3)}" stroke-linejoin="round" d="{border}"/>'
    ]


def texts(canvas: Canvas, scene: Scene, overlay: Overlay, color: str) -> list[str]:
    """Write a text on each cell, on a disc that can be read on anything."""
    points = canvas.units(scene.positions)
    size = 0.42 * min(canvas.side, canvas.size / 14) * canvas.tenths
    elements = []
    for cell, text in zip(overlay.cells, overlay.texts or (), strict=True):
        if cell >= scene.size:
            continue
        x, y = points[cell].tolist()
        elements.append(
            f'<circle class="overlay" cx="{x}" cy="{y}" r="{canvas.length(0.3)}"'
            f' fill="{BACKGROUND}" fill-opacity=".9" stroke="{color}"'
            f' stroke-width="{canvas.length(0.06)}"/>'
            f'<text class="overlay" x="{x}" y="{y + 0.355 * size:.0f}" font-size="{size:.3g}"'
            f' fill="{INK}">{clean(text)}</text>'
        )
    return elements
