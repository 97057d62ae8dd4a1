"""A scene in the terminal: colored half-blocks, two pixels per character.

Square cells are two characters wide and one high, or larger where the terminal has room, and a
board larger than the terminal shrinks until it fits. Cells of a group carry a sign in their
middle, another one for each group; where cells are too small for signs, all cells outside of
the groups are dimmed.
"""

import shutil
import textwrap
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from ludograph.views import plain
from ludograph.views.ansi import Colors, code, depth, packed
from ludograph.views.colors import DARK, RGB, blend, parse
from ludograph.views.lettering import (
    FEW_LABELS,
    anchors_of,
    beside,
    printable,
    texts_on,
    under,
)
from ludograph.views.raster import NATURAL, Raster, rasterize, segments
from ludograph.views.scene import Scene

__all__ = ["render", "tinted"]

_LINK: RGB = (96, 96, 106)
_TICK: RGB = (132, 132, 142)
_LEAST = 4  # columns and lines of a board beside which there is room for axes
_RESET = "\x1b[0m"

Pixels = npt.NDArray[np.int32]
"""Colors as ``0xrrggbb``; -1 is the terminal's own background."""


def render(
    scene: Scene,
    *,
    width: int | None = None,
    height: int | None = None,
    color: bool | Colors = True,
    symbols: bool = False,
    around: Mapping[int, str] | None = None,
) -> str:
    """Draw a scene as text with ANSI colors.

    Parameters
    ----------
    scene : Scene
    width, height : int, optional
        Characters and lines that the picture may take; those of the terminal by default, less
        one line for the prompt.
    color : bool or Colors
        True finds out whether the terminal shows 256 or 24-bit colors. Without colors the
        board is `plain.text`, whatever its size.
    symbols : bool
        Write the symbol of its color on each cell that has room, for readers who do not tell
        the colors apart.
    around : mapping of int to str, optional
        Marks for the board without colors: see `plain.text`.

    Returns
    -------
    str
        Lines without a final newline.
    """
    scene = scene.in_cells
    terminal = shutil.get_terminal_size()
    width = max(terminal.columns if width is None else width, 1)
    height = max(terminal.lines - 1 if height is None else height, 1)
    above = _sentences([scene.title], width)
    below = _sentences(scene.captions, width)
    colors = depth() if color is True else color or Colors.NONE
    if colors is Colors.NONE:
        board = [plain.text(scene, around)]
    else:
        rows = max(height - len(above) - len(below), 1)
        board = _board(scene, width, rows, colors, symbols=symbols)
    return "\n".join([*above, *board, *below])


def tinted(text: str, rgb: str, *, color: bool | Colors = True) -> str:
    """Write a text in a color; the parameters are those of `render`, ``rgb`` is ``"#rrggbb"``."""
    colors = depth() if color is True else color or Colors.NONE
    if colors is Colors.NONE:
        return text
    return f"\x1b[{code(packed(parse(rgb)), 38, colors)}m{text}{_RESET}"


def _sentences(texts: Iterable[str], width: int) -> list[str]:
    """Break texts into lines, without anything that a terminal might obey."""
    return [line for text in texts for line in textwrap.wrap(printable(text), width)]


def _board(scene: Scene, width: int, rows: int, colors: Colors, *, symbols: bool) -> list[str]:
    """Draw the board alone: one string per line."""
    if scene.size == 0:
        return []
    raster, left = _fitted(scene, width, rows)
    signs = raster.pixels_per_side >= NATURAL - 0.5
    pixels = _pixels(scene, raster, dim=not signs and scene.groups is not None)
    # The tips of hexagons may leave the last row empty.
    pixels = pixels[: int(np.flatnonzero((pixels >= 0).any(axis=1)).max(initial=-1)) + 1]
    if len(pixels) % 2:
        pixels = np.concatenate((pixels, np.full((1, pixels.shape[1]), -1, dtype=np.int32)))
    texts = texts_on(scene, raster, signs=signs, symbols=signs and symbols)
    if not signs and len(scene.labels) <= FEW_LABELS:
        _spread(scene, raster, pixels)
    lines = [
        _line(pixels[row], pixels[row + 1], texts.get(row // 2, {}), colors)
        for row in range(0, len(pixels), 2)
    ]
    return lines if left is None else _with_axes(scene, raster, lines, left, colors)


def _fitted(scene: Scene, width: int, rows: int) -> tuple[Raster, int | None]:
    """Draw a board as large as fits; return the columns left of it too, None without axes.

    There are axes where they do not make cells so small that they lose their signs.
    """
    bare = rasterize(scene, width, 2 * rows)
    if not scene.rows and not scene.columns:
        return bare, None
    left = max((len(text) + 1 for text in scene.rows.values()), default=0)
    room = width - left, rows - bool(scene.columns)
    if min(room) < _LEAST:
        return bare, None
    raster = rasterize(scene, room[0], 2 * room[1])
    loses = raster.pixels_per_side < NATURAL - 0.5 <= bare.pixels_per_side
    return (bare, None) if loses else (raster, left)


def _with_axes(
    scene: Scene, raster: Raster, lines: list[str], left: int, colors: Colors
) -> list[str]:
    """Write the names of rows before the lines of a board, those of columns below it."""
    pen, end = f"\x1b[{code(packed(_TICK), 38, colors)}m", _RESET
    names = beside(scene, raster)
    margins = [names.get(line, "").rjust(left - 1) if left else "" for line in range(len(lines))]
    found = [
        f"{pen}{margin}{end} {line}" if margin.strip() else " " * left + line
        for margin, line in zip(margins, lines, strict=True)
    ]
    last = under(scene, raster)
    return [*found, f"{' ' * left}{pen}{last}{end}"] if last else found


def _pixels(scene: Scene, raster: Raster, *, dim: bool) -> Pixels:
    """Color the pixels of a raster.

    Returns
    -------
    int32[height, width]
    """
    inks = [parse(swatch.rgb) for swatch in scene.palette]
    shades = [packed(ink) for ink in inks]
    faint = [packed(blend(ink, DARK, 0.45)) for ink in inks]
    edged = [packed(blend(ink, DARK, 0.22)) for ink in inks]
    lookup = np.array([[*shades, -1], [*faint, -1], [*edged, -1]], dtype=np.int32)
    shown = raster.cells
    fills = np.where(shown >= 0, scene.fills[shown], -1)
    kind = np.zeros(shown.shape, dtype=np.intp)
    if dim and scene.groups is not None:
        kind[scene.groups[shown] < 0] = 1
    elif raster.pixels_per_side > NATURAL + 1 and not scene.sketches:
        # A shadow along the right and lower sides tells cells of one color apart; where there are
        # sketches, cells are parts of something larger.
        kind[:, :-1][(shown[:, :-1] != shown[:, 1:]) & (fills[:, :-1] == fills[:, 1:])] = 2
        kind[:-1][(shown[:-1] != shown[1:]) & (fills[:-1] == fills[1:])] = 2
    pixels = lookup[kind, fills]
    blank = shown < 0
    middles = np.asarray(raster.centers + 0.5, dtype=np.float64)
    lines = [(stroke.cells, packed(parse(stroke.rgb))) for stroke in scene.strokes]
    pairs = [(np.array([cells[:-1], cells[1:]]), ink) for cells, ink in lines if len(cells) > 1]
    if scene.links is not None:
        pairs.insert(0, (scene.links.T, packed(_LINK)))
    for ends, ink in pairs:
        columns, rows = segments(middles[ends[0]], middles[ends[1]])
        below = blank[rows, columns]
        pixels[rows[below], columns[below]] = ink
    return np.asarray(pixels)


def _spread(scene: Scene, raster: Raster, pixels: Pixels) -> None:
    """Give the whole character of a label the color of its cell, where cells are smaller."""
    anchors = anchors_of(raster)
    for cell in scene.labels:
        row, column = anchors[cell].tolist()
        if scene.fills[cell] >= 0:
            color = packed(parse(scene.palette[scene.fills[cell]].rgb))
            pixels[2 * row : 2 * row + 2, column] = color


def _line(upper: Pixels, lower: Pixels, texts: dict[int, tuple[str, RGB]], colors: Colors) -> str:
    """Write one line of characters; colors are set only where they change."""
    parts: list[str] = []
    state = ("", "")
    blank = 0
    for column, (top, bottom) in enumerate(zip(upper.tolist(), lower.tolist(), strict=True)):
        letter, ink = texts.get(column, ("", None))
        front, back = -1, -1
        if letter and ink is not None:
            front, back = packed(ink), max(top, bottom) if min(top, bottom) < 0 else top
        elif top == bottom:
            letter, back = " ", top
        elif top < 0:
            letter, front = "▄", bottom
        else:
            letter, front, back = "▀", top, bottom
        if letter == " " and back < 0:
            blank += 1  # written only if something follows: no trailing spaces
            continue
        if blank:
            parts.append((_RESET if state[1] else "") + " " * blank)
            state, blank = (state[0] if not state[1] else "", ""), 0
        codes = (code(front, 38, colors) if front >= 0 else state[0], code(back, 48, colors))
        if not codes[1] and state[1]:
            parts.append(_RESET)
            state = ("", "")
        changed = [new for new, old in zip(codes, state, strict=True) if new and new != old]
        if changed:
            parts.append(f"\x1b[{';'.join(changed)}m")
        state = codes
        parts.append(letter)
    if any(state):
        parts.append(_RESET)
    return "".join(parts)
