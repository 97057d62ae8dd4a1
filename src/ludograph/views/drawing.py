"""The parts of a scene as SVG elements: cells, zones, links, strokes, labels, texts.

Every function returns small strings that stand on their own, so that a still picture joins them
and an animation shows each of them at its time. Coordinates are whole tenths of a pixel, and
relative within a path: that keeps a board of 10⁴ cells at some 200 kB.
"""

import hashlib
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

from ludograph.views.borders import Borders
from ludograph.views.colors import DARK, contrast, hexadecimal, parse, readable
from ludograph.views.outlines import bounds, inner_radii, side
from ludograph.views.scene import Floats, Scene

__all__ = ["BACKGROUND", "Canvas", "clean", "closed_path", "document", "ink"]

BACKGROUND = "#f7f6f2"
_TEXT = "#26262b"
_LINE = "#a3a3ab"
_DASHES: tuple[tuple[float, ...], ...] = ((), (), (0.5, 0.2), (0.16, 0.16))
"""The borders of groups in turn: two unbroken, then long and short dashes."""
_NEUTRAL = hexadecimal(DARK)

# Characters that XML 1.0 (section 2.2) forbids, lone surrogates among them.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Make any text safe inside an element: names come from strangers."""
    return escape(" ".join(_FORBIDDEN.sub("", text).split()))


def ink(color: str) -> str:
    """Pass on ``#rrggbb`` and nothing else, in lower case."""
    return hexadecimal(parse(color))


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """Where things lie in a picture, and how they are drawn there.

    Attributes
    ----------
    size : float
        Width of the picture in pixels.
    height : float
        Height of the picture with its texts.
    top : float
        Where the board begins.
    board : float64[2]
        Width and height of the board.
    scale : float
        Pixels per unit of the scene.
    origin : float64[2]
        Upper left corner of the board in the scene.
    side : float
        Side of the usual cell in pixels.
    tenths : int
        Units of the board's coordinates per pixel; finer where cells are tiny.
    """

    size: float
    height: float
    top: float
    board: Floats
    scale: float
    origin: Floats
    side: float
    tenths: int

    @classmethod
    def fit(cls, scenes: Sequence[Scene], size: int) -> "Canvas":
        """Leave room for the largest of some scenes, in a picture `size` pixels wide."""
        corners = [bounds(scene) for scene in scenes]
        low = np.min([corner[0] for corner in corners], axis=0)
        high = np.max([corner[1] for corner in corners], axis=0)
        unit = side(scenes[0])
        room = size * 0.95
        # Five cells in a row at least: one lone cell need not fill the page.
        extent = np.maximum(high - low, unit * 1e-3)
        scale = min(room / float(extent.max()), room / (5 * unit))
        board = extent * scale
        title = max(len(_wrapped(scene.title, 1.0)) for scene in scenes)
        captions = max(sum(len(_wrapped(c, 0.8)) for c in s.captions) for s in scenes)
        margin, line = size * 0.025, size * 0.046
        top = margin + title * line + (margin * 0.4 if title else 0)
        below = captions * line * 0.8 + (margin * 0.6 if captions else 0)
        height = top + float(board[1]) + below + margin
        pixels = unit * scale
        return cls(size, height, top, board, scale, low, pixels, 10 if pixels >= 3 else 100)

    def units(self, points: Floats) -> npt.NDArray[np.int64]:
        """Turn scene coordinates into whole units of the board's group."""
        return self.lengths(points - self.origin)

    def lengths(self, vectors: Floats) -> npt.NDArray[np.int64]:
        """Turn vectors of the scene into whole units of the board's group."""
        return np.rint(vectors * (self.scale * self.tenths)).astype(np.int64)

    def length(self, sides: float) -> str:
        """Write the width of a line, given in sides of a cell; large cells get no fat lines."""
        return f"{sides * min(self.side, self.size / 14) * self.tenths:.3g}"

    def group(self, elements: Iterable[str]) -> list[str]:
        """Put elements drawn in the board's units where the board is."""
        left = (self.size - float(self.board[0])) / 2
        place = f"translate({left:.2f} {self.top:.2f}) scale({1 / self.tenths:g})"
        return [f'<g transform="{place}">', *elements, "</g>"]

    def tiles(self, elements: Iterable[str]) -> list[str]:
        """Set cells apart by a thin line in the color of the background."""
        width = self.length(0.07) if self.side >= 3 else "0"
        style = f'stroke="{BACKGROUND}" stroke-width="{width}" stroke-linejoin="round"'
        return [f"<g {style}>", *elements, "</g>"]

    def outlines(self, scene: Scene, cells: Iterable[int]) -> str:
        """Write the polygons of some cells as one path."""
        points = self.units(scene.outline_points)
        offsets = scene.outline_offsets.tolist()
        return "".join(closed_path(points[offsets[cell] : offsets[cell + 1]]) for cell in cells)

    def zones(self, scene: Scene, borders: Borders) -> list[str]:
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
            dash = " ".join(self.length(sides) for sides in dashes)
            dashed = f' stroke-dasharray="{dash}"' if dash else ""
            loops = borders.loops((scene.groups == number) & shown)
            path = "".join(closed_path(self.units(loop)) for loop in loops)
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
                f'<path stroke="{casing}" stroke-opacity=".75" stroke-width="{self.length(0.44)}"'
                f' d="{path}"/>'
                f'<path stroke="{color}" stroke-width="{self.length(0.34)}"'
                f'{dashed} d="{path}"/>'
                f'<path stroke="{casing}" stroke-opacity=".75" stroke-width="{self.length(0.08)}"'
                f' d="{path}"/></g>'
            )
        return elements

    def links(self, scene: Scene) -> list[str]:
        """Draw the edges of a graph, those within a group in its color."""
        if scene.links is None or not len(scene.links):
            return []
        ends = self.units(scene.positions)
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
                    elements.append(_line(path, _LINE, self.length(0.22)))
            elements.append(_line(path, color, self.length(width)))
        return elements

    def strokes(self, scene: Scene) -> list[str]:
        """Draw the highlighted lines, in a casing that keeps them apart from the cells."""
        elements = []
        for stroke in scene.strokes:
            points = self.units(scene.positions[list(stroke.cells)])
            color = ink(stroke.rgb)
            casing = hexadecimal(readable(parse(color)))
            if len(points) == 1:
                x, y = points[0].tolist()
                ring = f'cx="{x}" cy="{y}" r="{self.length(0.27)}" fill="none"'
                elements.append(
                    f'<circle {ring} stroke="{casing}" stroke-width="{self.length(0.2)}"/>'
                    f'<circle {ring} stroke="{color}" stroke-width="{self.length(0.12)}"/>'
                )
            elif len(points):
                path = "M" + "L".join(f"{x} {y}" for x, y in points.tolist())
                elements.append(
                    _line(path, casing, self.length(0.3)) + _line(path, color, self.length(0.2))
                )
        return elements

    def labels(self, scene: Scene, *, symbols: bool = False) -> list[str]:
        """Write the labels, each in the ink that is readable on its cell.

        With `symbols`, cells without a label show the symbol of their color.
        """
        elements = []
        labels = dict(scene.labels)
        if symbols:
            shown = np.flatnonzero(scene.fills >= 0).tolist()
            signs = {cell: scene.palette[scene.fills[cell]].symbol for cell in shown}
            labels = signs | labels
        inks = [hexadecimal(readable(parse(swatch.rgb))) for swatch in scene.palette]
        points = self.units(scene.positions)
        cells = np.array(sorted(labels), dtype=np.intp)
        radii = (inner_radii(scene, cells) * self.scale).tolist()
        room = dict(zip(cells.tolist(), radii, strict=True))
        for cell, label in sorted(labels.items()):
            text = clean(label)
            if not text:
                continue
            fill = int(scene.fills[cell])
            x, y = points[cell].tolist()
            height = (0.62 if len(label) < 2 else 0.5) * self.side
            # A digit is some 0.6 wide and 0.72 high: its corners stay within the cell.
            inside = room[cell] / float(np.hypot(0.3 * len(label), 0.36))
            size = (min(height, 0.95 * inside) if inside else height) * self.tenths
            elements.append(
                f'<text class="label" x="{x}" y="{y + 0.355 * size:.0f}" font-size="{size:.3g}"'
                f' fill="{inks[fill] if fill >= 0 else _TEXT}">{text}</text>'
            )
        return elements

    def notes(self, scene: Scene) -> list[str]:
        """Write the small texts at the lower edges of cells."""
        cells = np.array(sorted(scene.notes), dtype=np.intp)
        points = self.units(scene.positions)
        elements = []
        for cell, inner in zip(cells.tolist(), inner_radii(scene, cells).tolist(), strict=True):
            room = (inner * self.scale or self.side / 2) * self.tenths
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

    def title(self, scene: Scene) -> list[str]:
        """Write the sentence above the board."""
        line = self.size * 0.046
        first = self.size * 0.025 + line * 0.72
        return [
            self._text(text, first + row * line, 0.031, "title")
            for row, text in enumerate(_wrapped(scene.title, 1.0))
        ]

    def captions(self, scene: Scene) -> list[str]:
        """Write the lines below the board."""
        line = self.size * 0.046 * 0.8
        first = self.top + float(self.board[1]) + self.size * 0.015 + line * 0.85
        lines = [text for each in scene.captions for text in _wrapped(each, 0.8)]
        return [
            self._text(text, first + row * line, 0.027, "caption") for row, text in enumerate(lines)
        ]

    def _text(self, text: str, y: float, height: float, kind: str) -> str:
        weight = ' font-weight="600"' if kind == "title" else ""
        return (
            f'<text class="{kind}" x="{self.size / 2:g}" y="{y:.1f}"'
            f' font-size="{height * self.size:.3g}"{weight} fill="{_TEXT}">{clean(text)}</text>'
        )


def document(canvas: Canvas, title: str, elements: Iterable[str], *, attributes: str = "") -> str:
    """Join elements to a standalone SVG file, with more attributes of its root."""
    size, height = f"{canvas.size:g}", f"{canvas.height:.0f}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{height}"'
        f' viewBox="0 0 {size} {height}" role="img" text-anchor="middle"'
        " font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\""
        f"{attributes}>"
    )
    ground = f'<rect width="{size}" height="{height}" fill="{BACKGROUND}"/>'
    name = f"<title>{clean(title) or 'A board'}</title>"
    return "\n".join([head, name, ground, *elements, "</svg>"]) + "\n"


def _wrapped(text: str, share: float) -> list[str]:
    """Break a text into lines that fit the picture, by the usual width of letters.

    The font grows with the picture, so the number of letters per line is always the same.
    """
    return textwrap.wrap(_FORBIDDEN.sub("", text), int(50 / share))


def closed_path(points: npt.NDArray[np.int64]) -> str:
    """Write a closed polygon in relative coordinates."""
    if not len(points):
        return ""
    x, y = points[0].tolist()
    parts = [f"M{x} {y}"]
    steps: list[list[int]] = np.diff(points, axis=0).tolist()
    for right, down in steps:
        if down == 0:
            parts.append(f"h{right}")
        elif right == 0:
            parts.append(f"v{down}")
        else:
            parts.append(f"l{right} {down}")
    return "".join(parts) + "z"


def _line(path: str, color: str, width: str) -> str:
    """Draw an open path with round ends."""
    return (
        f'<path fill="none" stroke="{color}" stroke-width="{width}" stroke-linecap="round"'
        f' stroke-linejoin="round" d="{path}"/>'
    )
