"""Parts of a scene as SVG elements: zones, lines, pieces, overlays, labels and other texts.

Every function returns small strings: a still picture joins them, and an animation shows each of
them at its time. They do not depend on each other, except for sketches, which `definitions`
defines.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, sqrt

import numpy as np
import numpy.typing as npt

from ludograph.views.canvas import (
    BACKGROUND,
    INK,
    Canvas,
    clean,
    closed_path,
    curved_path,
    ink,
    is_faint,
    wrapped,
)
from ludograph.views.colors import DARK, contrast, hexadecimal, parse, readable
from ludograph.views.polygons import Borders, inner_radii
from ludograph.views.scene import Overlay, Scene, Shape, Sketch

Marked = npt.NDArray[np.bool_]

LINE = "#a3a3ab"
"""The color of the edges of a graph."""
DASHES: tuple[tuple[float, ...], ...] = ((), (), (0.5, 0.2), (0.16, 0.16))
"""The dashes of the borders of groups, in turn: two unbroken lines, then long and short dashes."""
_NEUTRAL = hexadecimal(DARK)


def zones(canvas: Canvas, scene: Scene, borders: Borders) -> list[str]:
    """Draw the border of each group along the inner side of its edge.

    The line is clipped at the edge, so that two adjacent zones both show theirs. So it is drawn
    twice as wide as its visible part. A hairline inside separates it from cells of a similar color,
    and a hairline outside from pages of a similar color.
    """
    elements: list[str] = []
    for number, color, inside in groups(scene):
        dash = " ".join(canvas.length(sides) for sides in DASHES[number % len(DASHES)])
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        path = border_path(canvas, scene, borders, inside)
        if not path:
            continue
        casing = hexadecimal(readable(parse(color)))
        outer = ""
        if is_faint(color):
            hairline = f'stroke-opacity=".5" stroke-width="{canvas.length(0.05)}"'
            outer = f'<path stroke="{casing}" {hairline} d="{path}"/>'
        # All pictures of a page share their ids, so equal ids must mean equal paths.
        name = "z" + hashlib.blake2s(path.encode(), digest_size=8).hexdigest()
        elements.append(
            f'<clipPath id="{name}"><path clip-rule="evenodd" d="{path}"/></clipPath>'
            f'<g class="zone" clip-path="url(#{name})" fill="none" stroke-linejoin="round">'
            f'<path stroke="{casing}" stroke-opacity=".5" stroke-width="{canvas.length(0.35)}"'
            f' d="{path}"/>'
            f'<path stroke="{color}" stroke-width="{canvas.length(0.3)}"'
            f'{dashed} d="{path}"/>{outer}</g>'
        )
    return elements


def groups(scene: Scene) -> Iterator[tuple[int, str, Marked]]:
    """Yield the number, the color and the cells of each group."""
    if scene.groups is None:
        return
    shown = scene.fills >= 0
    for number in np.unique(scene.groups[(scene.groups >= 0) & shown]).tolist():
        yield number, _group_color(scene, number), (scene.groups == number) & shown


def _group_color(scene: Scene, number: int) -> str:
    return ink(scene.group_colors[number]) if number < len(scene.group_colors) else _NEUTRAL


def border_path(canvas: Canvas, scene: Scene, borders: Borders, inside: Marked) -> str:
    """Return the border of marked cells as a path; in a drawn graph a circle around each node."""
    if scene.links is not None:
        return canvas.outlines(scene, np.flatnonzero(inside).tolist())
    return "".join(closed_path(canvas.units(loop)) for loop in borders.loops(inside))


RISE = 0.17
"""The visible height of the side of raised cells, in sides of a cell."""


def rim(canvas: Canvas, color: str, path: str) -> str:
    """Draw the side of raised cells from their outlines: over flat cells, below raised ones.

    Parameters
    ----------
    color
        ``"#rrggbb"``, or empty: the side is invisible.
    """
    height, fill = canvas.length(RISE), ink(color) if color else "none"
    return (
        f'<path class="rim" fill="{fill}" stroke="none" transform="translate(0 {height})"'
        f' d="{path}"/>'
    )


def links(canvas: Canvas, scene: Scene) -> list[str]:
    """Draw the edges of a graph; edges within a group have its color."""
    return [
        _line(path, color, canvas.length(width))
        for path, color, width in owned_links(canvas, scene)
    ]


def owned_links(canvas: Canvas, scene: Scene) -> Iterator[tuple[str, str, float]]:
    """Yield the path, the color and the width in sides of a cell of the lines for edges."""
    if scene.links is None or not len(scene.links):
        return
    ends = canvas.units(scene.positions)
    owner = np.full(len(scene.links), -1)
    if scene.groups is not None:
        first, second = scene.groups[scene.links[:, 0]], scene.groups[scene.links[:, 1]]
        owner = np.where(first == second, first, -1)
    for number in np.unique(owner).tolist():
        path = "".join(
            f"M{ends[a, 0]} {ends[a, 1]}L{ends[b, 0]} {ends[b, 1]}"
            for a, b in scene.links[owner == number].tolist()
        )
        color = LINE if number < 0 else _group_color(scene, number)
        if number >= 0 and is_faint(color):
            yield path, LINE, 0.22
        yield path, color, 0.06 if number < 0 else 0.14


def strokes(canvas: Canvas, scene: Scene, *, below: bool) -> list[str]:
    """Draw the highlighted lines below the pieces, or those above them; a lone cell gets a dot.

    A casing separates them from the cells. A cell with a number has no dot: its number has the
    color of the dot.
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
            radius, look = 0.115, f'fill="{color}" stroke="{casing}"'
            if below:  # a ring around the piece
                radius = float(0.86 * inner_radii(scene, np.asarray(stroke.cells))[0] / canvas.side)
                look = f'fill="none" stroke="{color}"'
            elements.append(
                f'<circle cx="{x}" cy="{y}" r="{canvas.length(radius)}" {look}'
                f' stroke-width="{canvas.length(0.07 if below else 0.04)}"/>'
            )
        elif len(points) and stroke.arrow:
            elements += [_arrow(canvas, points, casing, 0.1), _arrow(canvas, points, color, 0.0)]
        elif len(points):
            path = "M" + "L".join(f"{x} {y}" for x, y in points.tolist())
            elements.append(
                _line(path, casing, canvas.length(0.3)) + _line(path, color, canvas.length(0.2))
            )
    return elements


_SHORT, _HEAD, _WING, _SHAFT = 0.4, 0.3, 0.19, 0.1
"""Sizes of an arrow, in sides of cells: the distance of its tip from the last center, the length of
its head, half of the head's width, the width of the line."""


def _arrow(canvas: Canvas, points: npt.NDArray[np.int64], color: str, around: float) -> str:
    """Draw a line with a head, enlarged by ``around`` sides of a cell."""
    unit = canvas.scale * canvas.tenths
    last = points[-1] - points[-2]
    length = float(np.hypot(*last))
    along = last / (length or 1.0)
    tip = points[-1] - min(_SHORT * unit, 0.42 * length) * along
    neck = tip - min(_HEAD * unit, 0.42 * length) * along
    wing = _WING * unit * np.array((-along[1], along[0]))
    shaft = [*points[:-1].tolist(), neck.tolist()]
    path = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in shaft)
    head = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in (tip, neck + wing, neck - wing)) + "z"
    return _line(path, color, canvas.length(_SHAFT + around)) + (
        f'<path fill="{color}" stroke="{color}" stroke-width="{canvas.length(around)}"'
        f' stroke-linejoin="round" d="{head}"/>'
    )


def _line(path: str, color: str, width: str) -> str:
    """Draw an open path with round ends."""
    return (
        f'<path fill="none" stroke="{color}" stroke-width="{width}" stroke-linecap="round"'
        f' stroke-linejoin="round" d="{path}"/>'
    )


def levels(scenes: Sequence[Scene]) -> list[int]:
    """Return the levels of all sketches of some scenes, in drawing order."""
    return sorted({sketch.level for scene in scenes for sketch in scene.sketches})


def sketches(canvas: Canvas, some: Iterable[Sketch], level: int | None = None) -> list[str]:
    """Draw sketches, those of one level or all, each as one element."""
    return [_drawn(canvas, each.shapes, each.place) for each in some if level in (None, each.level)]


def definitions(canvas: Canvas, scenes: Iterable[Scene]) -> list[str]:
    """Define the looks of sketches, pieces and grounds of some scenes, each look once."""
    looks = dict.fromkeys(
        each.shapes for scene in scenes for each in (*scene.ground, *scene.sketches, *scene.pieces)
    )
    if not looks:
        return []
    fades = {(shape.fill, shape.fade) for look in looks for shape in look if shape.fade}
    gradients = [
        f'<radialGradient id="{_fade_name(fill, fade)}" cx=".36" cy=".3" r=".8">'
        f'<stop stop-color="{ink(fill)}"/><stop offset="1" stop-color="{ink(fade)}"/>'
        "</radialGradient>"
        for fill, fade in sorted(fades)
    ]
    drawn = dict.fromkeys(_look(canvas, look)[1] for look in looks)
    return ["<defs>", *gradients, *drawn, "</defs>"]


@lru_cache(maxsize=2**12)
def _look(canvas: Canvas, shapes: tuple[Shape, ...]) -> tuple[str, str]:
    """Return the name of some shapes, and their definition; equal looks have equal names."""
    drawn = "".join(_shape(canvas, shape) for shape in shapes)
    name = "s" + hashlib.blake2s(drawn.encode(), digest_size=5).hexdigest()
    return name, f'<g id="{name}" stroke-linecap="round" stroke-linejoin="round">{drawn}</g>'


@lru_cache(maxsize=2**14)
def _drawn(canvas: Canvas, shapes: tuple[Shape, ...], place: tuple[float, float]) -> str:
    """Draw a sketch by a reference to its definition."""
    x, y = canvas.units(np.array(place)).tolist()
    return f'<use class="sketch" href="#{_look(canvas, shapes)[0]}" x="{x}" y="{y}"/>'


def _shape(canvas: Canvas, shape: Shape) -> str:
    """Draw a shape; its rounded lengths do not depend on its place."""
    points = canvas.lengths(shape.points)
    path = (
        curved_path(points, closed=shape.closed)
        if shape.curved
        else closed_path(points).removesuffix("" if shape.closed else "z")
    )
    style = f' fill="{ink(shape.fill) if shape.fill else "none"}"'
    if shape.fade:
        style = f' fill="url(#{_fade_name(shape.fill, shape.fade)})"'
    if shape.line:
        width = shape.width * canvas.scale * canvas.tenths
        style += f' stroke="{ink(shape.line)}" stroke-width="{width:.3g}"'
        style += ' stroke-linecap="butt"' if shape.blunt else ""
    if shape.opacity < 1:  # the opacity of a whole element takes several times as long to paint
        part = "fill" if shape.fill else "stroke"
        style += f' {part}-opacity="{shape.opacity:g}"'
    return f'<path{style} d="{path}"/>'


def _fade_name(fill: str, fade: str) -> str:
    return f"f{ink(fill)[1:]}{ink(fade)[1:]}"


OVERLAY_COLORS = (
    ("blue", "#0072b2"),
    ("orange", "#e69f00"),
    ("green", "#009e73"),
    ("purple", "#cc79a7"),
)
"""The colors of overlays in turn, also for color-blind people (Okabe, Ito 2008)."""

_LARGEST = 0.36
"""The radius of the disc of the greatest number, in sides of a cell."""


def overlay_color(number: int) -> tuple[str, str]:
    """Return the name and the ``#rrggbb`` of an overlay's color, by its index among overlays."""
    return OVERLAY_COLORS[number % len(OVERLAY_COLORS)]


def overlays(canvas: Canvas, scene: Scene) -> list[str]:
    """Draw the overlays of a scene: sets below numbers, numbers below texts."""
    areas: list[str] = []
    numbers: list[str] = []
    written: list[str] = []
    for number, overlay in enumerate(scene.overlays):
        color = overlay_color(number)[1]
        if overlay.values is not None:
            numbers += _discs(canvas, scene, overlay, color)
        elif overlay.texts is None:
            areas += _area(canvas, scene, overlay, color)
        if overlay.texts is not None:
            written += _texts(canvas, scene, overlay, color)
    return [*areas, *numbers, *written]


def legend(scene: Scene) -> list[str]:
    """Return the meanings of the overlays of a scene, a line each."""
    lines = []
    for number, overlay in enumerate(scene.overlays):
        greatest = max((abs(value) for value in overlay.values or ()), default=0.0)
        most = f", largest disc {greatest:.3g}" if greatest else ""
        lines.append(f"{overlay_color(number)[0]}: {overlay.name}{most}")
    return lines


def _discs(canvas: Canvas, scene: Scene, overlay: Overlay, color: str) -> list[str]:
    """Draw a disc for each number, with an area in proportion; negative ones are hollow."""
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
        radius = canvas.length(max(0.03, _LARGEST * sqrt(abs(value) / greatest)))
        fill = f'fill="{color}" fill-opacity=".8"' if value > 0 else 'fill="none"'
        elements.append(
            f'<circle class="overlay" cx="{x}" cy="{y}" r="{radius}" {fill}'
            f' stroke="{color if value < 0 else BACKGROUND}"'
            f' stroke-width="{canvas.length(0.05)}"/>'
        )
    return elements


def _area(canvas: Canvas, scene: Scene, overlay: Overlay, color: str) -> list[str]:
    """Draw a set of cells: a tint on the cells, and a border around them."""
    cells = [cell for cell in overlay.cells if cell < scene.size]
    if not cells:
        return []
    inside = np.zeros(scene.size, np.bool_)
    inside[cells] = True
    border = border_path(canvas, scene, Borders(scene), inside)
    width = canvas.length(0.12)
    return [
        f'<path class="overlay" fill="{color}" fill-opacity=".3"'
        f' d="{canvas.outlines(scene, cells)}"/>'
        f'<path class="overlay" fill="none" stroke="{color}" stroke-width="{width}"'
        f' stroke-dasharray="{canvas.length(0.3)}" stroke-linejoin="round" d="{border}"/>'
    ]


def _texts(canvas: Canvas, scene: Scene, overlay: Overlay, color: str) -> list[str]:
    """Write a text on each cell, on a disc that makes it readable."""
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


_PARTS = 2.2
"""The factor of text sizes if sketches show cells as parts of larger things."""

_GLOWING = (
    f'fill="{INK}" stroke="{BACKGROUND}" stroke-width=".25em" stroke-opacity=".8"'
    ' stroke-linejoin="round" paint-order="stroke"'
)
"""The style of a text that is readable on any color."""


def labels(canvas: Canvas, scene: Scene) -> list[str]:
    """Write the labels, each in the ink that is readable on its cell.

    Those on cells of one color are equally large.
    """
    elements = []
    inks = [hexadecimal(readable(parse(swatch.rgb))) for swatch in scene.palette]
    points = canvas.units(scene.positions)
    cells = np.array(sorted(scene.labels), dtype=np.intp)
    radii = (inner_radii(scene, cells) * canvas.scale).tolist()
    room: dict[int, float] = {}
    for fill, radius in zip(scene.fills[cells].tolist(), radii, strict=True):
        room[fill] = min(room.get(fill, radius), radius)
    for cell, label in sorted(scene.labels.items()):
        text = clean(label)
        if not text:
            continue
        fill = int(scene.fills[cell])
        color = inks[fill] if fill >= 0 else "currentColor"
        x, y = points[cell].tolist()
        height, share = (0.62, 1.14) if len(label) < 2 else (0.5, 0.95)
        size = _fitting(label, share * room[fill], height * canvas.side) * canvas.tenths
        elements.append(
            f'<text class="label" x="{x}" y="{y + 0.355 * size:.0f}" font-size="{size:.3g}"'
            f' fill="{color}">{text}</text>'
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
        if scene.sketches:  # the surface may have any color
            style = _GLOWING
        size = parts * min(0.46 * room, 0.25 * canvas.side, 1.8 * room / max(len(text), 1))
        elements.append(
            f'<text class="note" x="{x}" y="{y + 0.9 * room * canvas.tenths:.0f}"'
            f' font-size="{size * canvas.tenths:.3g}" {style}>{text}</text>'
        )
    return elements


def numerals(canvas: Canvas, scene: Scene) -> list[str]:
    """Write the numbers of moves, in an ink that is readable on their surface.

    A number in a ring of a stroke has the color of the ring. A disc below a number covers a line.
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
    """Return the height of a text whose corners stay within a circle; a radius of 0: no circle.

    A digit is some 0.6 wide and 0.72 high, in units of the height.
    """
    return min(most, radius / _half_diagonal(text)) if radius else most


def _half_diagonal(text: str) -> float:
    """Return the distance of a text's corner from its middle, in units of its height."""
    return float(np.hypot(0.3 * len(text), 0.36))


def axes(canvas: Canvas, scene: Scene) -> list[str]:
    """Write the names of rows beside the board, and those of columns below it.

    If there is too little room, only every second name is written, or every third, and so on.
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
    """Return every k-th of some places, with the least k that gives the least distance."""
    ordered = sorted(places)
    if len(ordered) < 2:
        return ordered
    gap = min(after - before for before, after in pairwise(ordered))
    return ordered[:: max(1, ceil(least / max(gap, 1e-9)))]


def _tick(canvas: Canvas, x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text class="tick" x="{x:.1f}" y="{y:.1f}" font-size="{canvas.tick:.3g}"'
        f' text-anchor="{anchor}" fill="currentColor" fill-opacity=".8">{clean(text)}</text>'
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
        f' font-size="{height * canvas.size:.3g}"{weight} fill="currentColor">{clean(text)}</text>'
    )
