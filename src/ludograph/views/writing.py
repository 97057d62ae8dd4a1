"""The texts of a scene as SVG elements: on cells, above the board and below it."""

import numpy as np

from ludograph.views.canvas import INK, Canvas, clean, wrapped
from ludograph.views.colors import DARK, hexadecimal, parse, readable
from ludograph.views.outlines import inner_radii
from ludograph.views.scene import Scene

__all__ = ["captions", "labels", "notes", "title"]


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
        # A digit is some 0.6 wide and 0.72 high: its corners stay within the cell.
        inside = room[cell] / float(np.hypot(0.3 * len(label), 0.36))
        size = (min(height, 0.95 * inside) if inside else height) * canvas.tenths
        elements.append(
            f'<text class="label" x="{x}" y="{y + 0.355 * size:.0f}" font-size="{size:.3g}"'
            f' fill="{inks[fill] if fill >= 0 else INK}">{text}</text>'
        )
    return elements


def notes(canvas: Canvas, scene: Scene) -> list[str]:
    """Write the small texts at the lower edges of cells."""
    cells = np.array(sorted(scene.notes), dtype=np.intp)
    points = canvas.units(scene.positions)
    elements = []
    for cell, inner in zip(cells.tolist(), inner_radii(scene, cells).tolist(), strict=True):
        room = (inner * canvas.scale or canvas.side / 2) * canvas.tenths
        x, y = points[cell].tolist()
        text = clean(scene.notes[cell])
        fill = int(scene.fills[cell])
        color = readable(parse(scene.palette[fill].rgb)) if fill >= 0 else DARK
        elements.append(
            f'<text class="note" x="{x}" y="{y + 0.9 * room:.0f}" fill-opacity=".75"'
            f' font-size="{room * min(0.36, 1.5 / max(len(text), 1)):.3g}"'
            f' fill="{hexadecimal(color)}">{text}</text>'
        )
    return elements


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
    first = canvas.top + float(canvas.board[1]) + canvas.size * 0.015 + line * 0.85
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
