"""The canvas of an SVG picture: its layout, its units of length, and the document around it.

Coordinates are whole tenths of a pixel, and relative within a path. So a picture of 10⁴ cells has
some 200 kB.
"""

import html
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludograph.formatting import visible
from ludograph.views.colors import contrast, hexadecimal, parse
from ludograph.views.polygons import bounds, node_radii, side
from ludograph.views.scene import Floats, Scene

BACKGROUND = "#f7f6f2"
INK = "#26262b"
DARK_BACKGROUND = "#191b1e"
DARK_INK = "#e8e6e1"
"""Colors for readers who prefer dark pages; programs without this setting show the light ones."""

# Characters that XML 1.0 (section 2.2) forbids, lone surrogates among them.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Return a text that is safe inside an element: names come from outside."""
    return html.escape(visible(" ".join(_FORBIDDEN.sub("", text).split())), quote=False)


def ink(color: str) -> str:
    """Return a color ``#rrggbb`` in lower case; raise InvalidInput for any other text."""
    return hexadecimal(parse(color))


def is_faint(color: str) -> bool:
    """Tell whether a line of a color is hard to see on a light page or on a dark one."""
    grounds = (BACKGROUND, DARK_BACKGROUND)
    return any(contrast(parse(color), parse(ground)) < 1.5 for ground in grounds)


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """The layout of a picture, and the units of its coordinates.

    Attributes
    ----------
    size : float
        Width of the picture in pixels.
    left : float
        The left edge of the board.
    tick : float
        The height of the texts beside the board.
    height : float
        The height of the picture with its texts.
    top : float
        The upper edge of the board.
    board : float64[2]
        Width and height of the board.
    scale : float
        Pixels per unit of the scene.
    origin : float64[2]
        Upper left corner of the board in the scene.
    side : float
        Side of the usual cell in pixels.
    tenths : int
        Units of the board's coordinates per pixel; more if cells are tiny.
    """

    size: float
    left: float
    tick: float
    height: float
    top: float
    board: Floats
    scale: float
    origin: Floats
    side: float
    tenths: int

    @classmethod
    def fit(cls, scenes: Sequence[Scene], size: int) -> "Canvas":
        """Return a canvas with room for each of some scenes, in a picture `size` pixels wide."""
        corners = [bounds(scene) for scene in scenes]
        low = np.min([corner[0] for corner in corners], axis=0)
        high = np.max([corner[1] for corner in corners], axis=0)
        unit = side(scenes[0])
        room = size * 0.95
        # At least five cells would fit into a row: a single cell does not fill the page.
        extent = np.maximum(high - low, unit * 1e-3)
        tick = size * 0.024
        widest = max((len(text) for scene in scenes for text in scene.rows.values()), default=0)
        beside = (0.62 * widest + 0.6) * tick if widest else 0.0
        under = 1.6 * tick if any(scene.columns for scene in scenes) else 0.0
        wide, high = extent.tolist()
        scale = min((room - beside) / wide, room / high, room / (5 * unit))
        board = extent * scale
        title = max(len(wrapped(scene.title, 1.0)) for scene in scenes)
        captions = max(sum(len(wrapped(c, 0.8)) for c in s.captions) for s in scenes)
        margin, line = size * 0.025, size * 0.046
        top = margin + title * line + (margin * 0.4 if title else 0)
        below = captions * line * 0.8 + (margin * 0.6 if captions else 0)
        height = top + float(board[1]) + under + below + margin
        left = (size - float(board[0]) + beside) / 2
        pixels = unit * scale
        return cls(
            size, left, tick, height, top, board, scale, low, pixels, 10 if pixels >= 3 else 100
        )

    @classmethod
    def bare(cls, scene: Scene, unit: int) -> "Canvas":
        """Return a canvas without texts, on which the usual cell of a scene has this side."""
        scale, nothing = unit / side(scene), np.zeros(2)
        return cls(14 * unit, 0, 0, 0, 0, nothing, scale, nothing, unit, 1)

    def units(self, points: Floats) -> npt.NDArray[np.int64]:
        """Return scene coordinates as whole units of the board's group."""
        return self.lengths(points - self.origin)

    def lengths(self, vectors: Floats) -> npt.NDArray[np.int64]:
        """Return vectors of the scene as whole units of the board's group."""
        return np.rint(vectors * (self.scale * self.tenths)).astype(np.int64)

    def length(self, sides: float) -> str:
        """Return the width of a line from sides of a cell, limited if the cells are large."""
        return f"{sides * min(self.side, self.size / 14) * self.tenths:.3g}"

    def group(self, elements: Iterable[str]) -> list[str]:
        """Return the board's group, with elements drawn in the board's units."""
        place = f"translate({self.left:.2f} {self.top:.2f}) scale({1 / self.tenths:g})"
        return [f'<g transform="{place}">', *elements, "</g>"]

    def tiles(self, elements: Iterable[str], *, nodes: bool) -> list[str]:
        """Return a group of cells, separated by thin lines in the color of the background.

        The lines around ``nodes`` of a drawn graph lie outside of them: they would hide small ones.
        """
        width = self.length(0.07) if self.side >= 3 else "0"
        style = f'stroke="{BACKGROUND}" stroke-width="{width}" stroke-linejoin="round"'
        style += ' paint-order="stroke"' if nodes else ""
        return [f'<g class="seams" {style}>', *elements, "</g>"]

    def outlines(self, scene: Scene, cells: Iterable[int]) -> str:
        """Return the polygons of some cells as one path; nodes of a drawn graph are discs."""
        if scene.links is not None:
            numbers = np.fromiter(cells, np.intp)
            centers = self.units(scene.positions[numbers]).tolist()
            radii = self.lengths(node_radii(scene, numbers)).tolist()
            return "".join(
                disc_path(x, y, radius) for (x, y), radius in zip(centers, radii, strict=True)
            )
        points = self.units(scene.outline_points)
        offsets = scene.outline_offsets.tolist()
        return "".join(closed_path(points[offsets[cell] : offsets[cell + 1]]) for cell in cells)


_DARK = (
    "<style>@media (prefers-color-scheme:dark){"
    f".picture{{color:{DARK_INK}}}.picture .ground{{fill:{DARK_BACKGROUND}}}"
    f".picture .seams{{stroke:{DARK_BACKGROUND}}}}}</style>"
)


def document(canvas: Canvas, title: str, elements: Iterable[str], *, attributes: str = "") -> str:
    """Return a standalone SVG file of some elements, with more attributes of its root.

    Its background and its texts are dark or light, according to the reader's setting.
    """
    size, height = f"{canvas.size:g}", f"{canvas.height:.0f}"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" width="{size}" height="{height}"'
        f' viewBox="0 0 {size} {height}" role="img" text-anchor="middle" color="{INK}"'
        " font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif\""
        f"{attributes}>"
    )
    ground = f'<rect class="ground" width="{size}" height="{height}" fill="{BACKGROUND}"/>'
    name = f"<title>{clean(title) or 'A board'}</title>"
    return "\n".join([head, name, _DARK, ground, *elements, "</svg>"]) + "\n"


def wrapped(text: str, share: float) -> list[str]:
    """Return a text in lines that fit the picture, by the usual width of letters.

    The font grows with the picture, so the number of letters per line does not depend on its size.
    """
    return textwrap.wrap(_FORBIDDEN.sub("", text), int(50 / share))


def closed_path(points: npt.NDArray[np.int64]) -> str:
    """Return the path of a closed polygon, in relative coordinates."""
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


def curved_path(points: npt.NDArray[np.int64], *, closed: bool) -> str:
    """Return the path of a spline, in relative coordinates: see `ludograph.views.curves`."""
    x, y = points[0].tolist()
    parts = [f"M{x} {y}"]
    starts = np.repeat(points[:-1:3], 3, axis=0)
    steps: list[list[list[int]]] = (points[1:] - starts).reshape(-1, 3, 2).tolist()
    for first, second, (right, down) in steps:
        if first == [0, 0] and second == [right, down]:
            parts.append(f"l{right} {down}")
        else:
            parts.append(f"c{first[0]} {first[1]} {second[0]} {second[1]} {right} {down}")
    return "".join(parts) + ("z" if closed else "")


def disc_path(x: int, y: int, radius: int) -> str:
    """Return the path of a circle around a point."""
    half = f"a{radius} {radius} 0 1 1"
    return f"M{x - radius} {y}{half} {2 * radius} 0{half} {-2 * radius} 0z"
