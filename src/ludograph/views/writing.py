"""The texts of a scene as SVG elements: on cells, above the board and below it."""

from collections.abc import Iterable
from itertools import pairwise
from math import ceil

import numpy as np

from ludograph.views.canvas import BACKGROUND, INK, Canvas, clean, wrapped
from ludograph.views.colors import DARK, contrast, hexadecimal, parse, readable
from ludograph.views.polygons import inner_radii
from ludograph.views.scene import Scene

__all__ = ["axes", "captions", "labels", "notes", "numerals", "title"]

_PARTS = 2.2
"""How much larger texts are where cells are parts of something larger, which sketches show."""

_GLOWING = (
    f'fill="{INK}" stroke="{BACKGROUND}" stroke-width=".25em" stroke-opacity=".8"'
    ' stroke-linejoin="round" paint-order="stroke"'
)
"""The style of a text that can be read on any color."""


def labels(canvas: Canvas, scene: Scene, *, symbols: bool = False) -> list[str]:
    """Write the labels, each in the ink that is readable on its cell.

    With `symbols`, cells without a label show the symbol of their color.
    """
    elements = []
    texts = dict(scene.labels)
    if symbols:
        shown = np.flatnonzero(scene.fills >= 0).tolist()
        signs = {cell: scene.palette[scene.fills[cell]].symbol for cell in shown}
        texts = signs | texts
    inks = [hexadecimal(readable(parse(swatch.rgb))) for swatch in scene.palette]
    points = canvas.units(scene.positions)
    cells = np.array(sorted(texts), dtype=np.intp)
    radii = (inner_radii(scene, cells) * canvas.scale).tolist()
    room = dict(zip(cells.tolist(), radii, strict=True))
    for cell, label in sorted(texts.items()):
        text = clean(label)
        if not text:
            continue
        fill = int(scene.fills[cell])
        x, y = points[cell].tolist()
        height = (0.62 if len(label) < 2 else 0.5) * canvas.side
        size = _fitting(label, 0.95 * room[cell], height) * canvas.tenths
        elements.append(
            f'<text class="label" x="{x}" y="{y + 0.355 * size:.0f}" font-size="{size:.3g}"'
            f' fill="{inks[fill] if fill >= 0 else INK}">{text}</text>'
        )
    return elements


def notes(canvas: Canvas, scene: Scene) -> list[str]:
    """Write the small texts at the lower edges of cells."""
    cells = np.array(sorted(scene.notes), dtype=np.intp)
    points = canvas.units(scene.positions)
    parts = _PARTS if scene.sketches else 1.0
    elements = []
    for cell, inner in zip(cells.tolist(), inner_radii(scene, cells).tolist(), strict=True):
        room = inner * canvas.scale or canvas.side / 2
        x, y = points[cell].tolist()
        text = clean(scene.notes[cell])
        fill = int(scene.fills[cell])
        color = readable(parse(scene.palette[fill].rgb)) if fill >= 0 else DARK
        style = f'fill-opacity=".75" fill="{hexadecimal(color)}"'
        if scene.sketches:  # what is below may have any color
            style = _GLOWING
        size = parts * min(0.46 * room, 0.25 * canvas.side, 1.8 * room / max(len(text), 1))
        elements.append(
            f'<text class="note" x="{x}" y="{y + 0.9 * room * canvas.tenths:.0f}"'
            f' font-size="{size * canvas.tenths:.3g}" {style}>{text}</text>'
        )
    return elements


def numerals(canvas: Canvas, scene: Scene) -> list[str]:
    """Write the numbers of moves, in the ink that is readable on what they stand on.

    The number of a cell that a stroke rings has the color of that; a line is covered by a disc.
    """
    rings = {each.cells[0]: each.rgb for each in scene.strokes if len(each.cells) == 1}
    crossed = {cell for each in scene.strokes if len(each.cells) > 1 for cell in each.cells}
    cells = np.array(sorted(scene.numerals), dtype=np.intp)
    points = canvas.units(scene.positions)
    elements = []
    for cell, inner in zip(cells.tolist(), inner_radii(scene, cells).tolist(), strict=True):
        numeral = scene.numerals[cell]
        text, ground = str(numeral.ply), parse(numeral.ground)
        ring = rings.get(cell)
        color = parse(ring) if ring and contrast(parse(ring), ground) >= 3 else readable(ground)
        room = 0.8 * inner * canvas.scale * (_PARTS if scene.sketches else 1.0)
        size = _fitting(text, room, 0.46 * canvas.side) * canvas.tenths
        x, y = points[cell].tolist()
        radius = f"{_half_diagonal(text) * size:.3g}"
        disc = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{hexadecimal(ground)}"/>'
        elements.append(
            f"{disc if cell in crossed else ''}"
            f'<text class="numeral" x="{x}" y="{y + 0.355 * size:.0f}" font-size="{size:.3g}"'
            f' font-weight="600" fill="{hexadecimal(color)}" stroke="{hexadecimal(ground)}"'
            f' stroke-width="{0.2 * size:.3g}" stroke-linejoin="round" paint-order="stroke">'
            f"{text}</text>"
        )
    return elements


def _fitting(text: str, radius: float, most: float) -> float:
    """Return the height of a text whose corners stay within a circle, if there is one.

    A digit is some 0.6 wide and 0.72 high.
    """
    return min(most, radius / _half_diagonal(text)) if radius else most


def _half_diagonal(text: str) -> float:
    """Return how far a corner of a text is from its middle, by its height."""
    return float(np.hypot(0.3 * len(text), 0.36))


def axes(canvas: Canvas, scene: Scene) -> list[str]:
    """Write beside the board what rows are called, below it what columns are called.

    Where there is no room for all, every second one is written, every third one and so on.
    """
    places = (scene.positions - canvas.origin) * canvas.scale + (canvas.left, canvas.top)
    elements = []
    x = canvas.left - 0.5 * canvas.tick
    heights = {float(places[cell, 1]): text for cell, text in scene.rows.items()}
    for y in _spaced(heights, 0.95 * canvas.tick):
        elements.append(_tick(canvas, x, y + 0.36 * canvas.tick, heights[y], "end"))
    y = canvas.top + float(canvas.board[1]) + 1.25 * canvas.tick
    across = {float(places[cell, 0]): text for cell, text in scene.columns.items()}
    widest = max(map(len, across.values()), default=0)
    for x in _spaced(across, (0.62 * widest + 0.4) * canvas.tick):
        elements.append(_tick(canvas, x, y, across[x], "middle"))
    return elements


def _spaced(places: Iterable[float], least: float) -> list[float]:
    """Return every k-th of some places, k as small as keeps them apart."""
    ordered = sorted(places)
    if len(ordered) < 2:
        return ordered
    gap = min(after - before for before, after in pairwise(ordered))
    return ordered[:: max(1, ceil(least / max(gap, 1e-9)))]


def _tick(canvas: Canvas, x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text class="tick" x="{x:.1f}" y="{y:.1f}" font-size="{canvas.tick:.3g}"'
        f' text-anchor="{anchor}" fill="{INK}" fill-opacity=".8">{clean(text)}</text>'
    )


def title(canvas: Canvas, scene: Scene) -> list[str]:
    """Write the sentence above the board."""
    line = canvas.size * 0.046
    first = canvas.size * 0.025 + line * 0.72
    return [
        _text(canvas, text, first + row * line, 0.031, "title")
        for row, text in enumerate(wrapped(scene.title, 1.0))
    ]


def captions(canvas: Canvas, scene: Scene) -> list[str]:
    """Write the lines below the board."""
    line = canvas.size * 0.046 * 0.8
    under = 1.6 * canvas.tick if scene.columns else 0.0
    first = canvas.top + float(canvas.board[1]) + under + canvas.size * 0.015 + line * 0.85
    lines = [text for each in scene.captions for text in wrapped(each, 0.8)]
    return [
        _text(canvas, text, first + row * line, 0.027, "caption") for row, text in enumerate(lines)
    ]


def _text(canvas: Canvas, text: str, y: float, height: float, kind: str) -> str:
    weight = ' font-weight="600"' if kind == "title" else ""
    return (
        f'<text class="{kind}" x="{canvas.size / 2:g}" y="{y:.1f}"'
        f' font-size="{height * canvas.size:.3g}"{weight} fill="{INK}">{clean(text)}</text>'
    )
