"""A scene drawn in a terminal: colored half-block characters, with signs on the cells.

A character shows two pixels, one above the other. Square cells are two characters wide and one
high, or larger if the terminal has room. Each cell then has the symbol of its color in its middle,
as in plain text, and that of its group, so that no two kinds of cells differ by color alone.

A board larger than the terminal is drawn smaller, without signs; all cells outside of groups are
dimmed. If cells are parts of larger things, as those of a tile, the part of the board around the
last move is drawn instead.
"""

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ludograph.views import plain
from ludograph.views.ansi import Colors, code, depth, packed
from ludograph.views.colors import DARK, RGB, blend, contrast, parse, readable
from ludograph.views.columns import width as width_of
from ludograph.views.raster import NATURAL, Raster, natural, rasterize, segments
from ludograph.views.scene import Scene

_LINK: RGB = (96, 96, 106)
_TICK: RGB = (132, 132, 142)
_LEAST = 4  # columns and lines of the smallest board with axes
_RESET = "\x1b[0m"

Pixels = npt.NDArray[np.int32]
"""Colors as ``0xrrggbb``; -1 is the background of the terminal."""

_FEW_LABELS = 16
"""The number of labels that are written even if cells are too small for them."""

_SIGNS = "·×+°"

GROUND = "."
"""The symbol of cells on which nothing stands."""

SYMBOL_INK = 0.6
"""How much a cell's symbol differs from its color, from 0 to 1, where it is as readable as can be.
"""
_STROKE_SIGN = "●"

Texts = dict[int, dict[int, tuple[str, RGB]]]
"""Characters with their colors, by line and column."""

Spots = npt.NDArray[np.int32]


def render(
    scene: Scene,
    *,
    width: int | None = None,
    height: int | None = None,
    color: bool | Colors = True,
    around: Mapping[int, str] | None = None,
) -> str:
    """Return a scene as text with ANSI colors.

    Parameters
    ----------
    scene : Scene
    width, height : int, optional
        The greatest numbers of characters and lines of the picture; by default those of the
        terminal, less one line for the prompt.
    color : bool or Colors
        True detects whether the terminal shows 256 or 24-bit colors. Without colors the
        board is `plain.text`, at any size.
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
        board = _board(scene, width, rows, colors)
    return "\n".join([*above, *board, *below])


def tinted(text: str, rgb: str, *, color: bool | Colors) -> str:
    """Return a text in a color; the parameters are those of `render`, ``rgb`` is ``"#rrggbb"``."""
    colors = depth() if color is True else color or Colors.NONE
    if colors is Colors.NONE:
        return text
    return f"\x1b[{code(packed(parse(rgb)), 38, colors)}m{text}{_RESET}"


def _sentences(texts: Iterable[str], width: int) -> list[str]:
    """Return texts as lines, without control characters."""
    return [line for text in texts for line in textwrap.wrap(printable(text), width)]


def _board(scene: Scene, width: int, rows: int, colors: Colors) -> list[str]:
    """Return the board alone, as lines."""
    if scene.size == 0:
        return []
    raster, left = _fitted(scene, width, rows)
    top = first = 0
    if scene.sketches and raster.pixels_per_side < NATURAL - 0.5:
        raster, left = natural(scene), None
        top, first = _corner(scene, raster, width, rows)
    signs = raster.pixels_per_side >= NATURAL - 0.5
    pixels = _pixels(scene, raster, dim=not signs and scene.groups is not None)
    # The tips of hexagons may leave the last row empty.
    pixels = pixels[: int(np.flatnonzero((pixels >= 0).any(axis=1)).max(initial=-1)) + 1]
    if len(pixels) % 2:
        pixels = np.concatenate((pixels, np.full((1, pixels.shape[1]), -1, dtype=np.int32)))
    texts = _texts_on(scene, raster, signs=signs)
    if not signs and len(scene.labels) <= _FEW_LABELS:
        _spread(scene, raster, pixels)
    lines = [
        _line(
            pixels[2 * row, first : first + width],
            pixels[2 * row + 1, first : first + width],
            {column - first: text for column, text in texts.get(row, {}).items()},
            colors,
        )
        for row in range(top, min(top + rows, len(pixels) // 2))
    ]
    return lines if left is None else _with_axes(scene, raster, lines, left, colors)


def _fitted(scene: Scene, width: int, rows: int) -> tuple[Raster, int | None]:
    """Return the largest raster that fits, and the columns to the left of it; None without axes.

    There are no axes if they would make the cells too small for signs.
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


def _corner(scene: Scene, raster: Raster, width: int, rows: int) -> tuple[int, int]:
    """Return line and column of the part of a picture that fits, with the last move in it."""
    cell = scene.strokes[-1].cells[-1] if scene.strokes else 0
    middle = _anchors_of(raster)[cell].tolist()
    lengths = len(raster.cells) // 2, raster.cells.shape[1]
    row, column = (
        max(0, min(place - room // 2, length - room))
        for place, room, length in zip(middle, (rows, width), lengths, strict=True)
    )
    return row, column


def _with_axes(
    scene: Scene, raster: Raster, lines: list[str], left: int, colors: Colors
) -> list[str]:
    """Return the lines of a board, with the names of rows before them, those of columns below."""
    pen, end = f"\x1b[{code(packed(_TICK), 38, colors)}m", _RESET
    names = _row_names(scene, raster)
    margins = [names.get(line, "").rjust(left - 1) if left else "" for line in range(len(lines))]
    found = [
        f"{pen}{margin}{end} {line}" if margin.strip() else " " * left + line
        for margin, line in zip(margins, lines, strict=True)
    ]
    last = _column_line(scene, raster)
    return [*found, f"{' ' * left}{pen}{last}{end}"] if last else found


def _pixels(scene: Scene, raster: Raster, *, dim: bool) -> Pixels:
    """Return the colors of the pixels of a raster.

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
        # A shadow along the right and lower sides separates cells of one color. With sketches,
        # cells are parts of larger things, and have no shadows.
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
    """Give the whole character below a label the color of its cell, if cells are smaller."""
    anchors = _anchors_of(raster)
    for cell in scene.labels:
        row, column = anchors[cell].tolist()
        if scene.fills[cell] >= 0:
            color = packed(parse(scene.palette[scene.fills[cell]].rgb))
            pixels[2 * row : 2 * row + 2, column] = color


def _line(upper: Pixels, lower: Pixels, texts: dict[int, tuple[str, RGB]], colors: Colors) -> str:
    """Return one line of characters; colors are set only where they change."""
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


def printable(text: str) -> str:
    """Return a text without escape codes and other invisible characters: it comes from outside."""
    return "".join(letter for letter in text if letter.isprintable())


def _texts_on(scene: Scene, raster: Raster, *, signs: bool) -> Texts:
    """Return signs, labels, marks and numbers, where later ones replace earlier ones; names last.

    If a cell has several lines of text, its name has a line of its own. Otherwise the name covers a
    sign or a label, but no mark and no number.
    """
    board = _Lettering(scene, raster)
    if signs:
        for cell, sign, ink in _signs(scene):
            board.write(cell, sign, ink)
    if signs or len(scene.labels) <= _FEW_LABELS:
        for cell, label in scene.labels.items():
            if cell in scene.numerals:
                continue
            group = -1 if scene.groups is None else int(scene.groups[cell])
            owned = 0 <= group < len(scene.group_colors)
            ink = _visible(scene, cell, scene.group_colors[group]) if owned else None
            board.write(cell, _narrow(label)[:2], ink)
    for stroke in scene.strokes:
        for cell in stroke.cells:
            if cell not in scene.numerals:
                mark = _STROKE_SIGN + _symbol(scene, cell) * signs
                board.write(cell, mark, _visible(scene, cell, stroke.rgb))
    if signs:
        lines = {cell: stroke.rgb for stroke in scene.strokes for cell in stroke.cells}
        for cell, numeral in scene.numerals.items():
            ink = _visible(scene, cell, lines[cell]) if cell in lines else None
            board.number(cell, str(numeral.ply), ink)
        marked = {*lines, *scene.numerals}
        for cell, note in scene.notes.items():
            board.name(cell, _narrow(note), covers=cell not in marked)
    return board.texts


class _Lettering:
    """The texts on the cells of a board."""

    def __init__(self, scene: Scene, raster: Raster) -> None:
        self.scene, self.raster = scene, raster
        self.texts: Texts = {}
        self.anchors = _anchors_of(raster)
        self.inks = [readable(parse(swatch.rgb)) for swatch in scene.palette]

    @cached_property
    def runs(self) -> dict[int, list[tuple[int, int, int]]]:
        """For each cell its unbroken runs of characters: line, first column, length."""
        return _runs(self.raster)

    def write(self, cell: int, text: str, ink: RGB | None = None) -> None:
        """Write in the middle of a cell."""
        row, column = self.anchors[cell].tolist()
        self._put(cell, row, column - (len(text) - 1) // 2, text, ink)

    def number(self, cell: int, text: str, ink: RGB | None) -> None:
        """Write the number of a move on a cell; without enough room, its last two digits.

        Two digits may extend beyond a cell, if there is no other text. Cells that are parts of
        larger things have room beyond them.
        """
        row, column = self.anchors[cell].tolist()
        runs = [] if self.scene.sketches else self.runs.get(cell, [])
        for part in (text, text[-2:]):
            room = [run for run in runs if run[2] >= len(part)]
            if room:
                row, first, length = min(room, key=lambda run: abs(run[0] - row))
                self._put(cell, row, first + (length - len(part)) // 2, part, ink)
                return
        part = text if self.scene.sketches else text[-2:]
        column -= (len(part) - 1) // 2
        if self._is_free(row, column, len(part)):
            self._put(cell, row, column, part, ink)

    def name(self, cell: int, text: str, *, covers: bool) -> None:
        """Write a name near the middle of a cell, if there is room for the whole name.

        If all lines of the cell have texts, the name covers one of them, or is omitted.
        """
        row, column = self.anchors[cell].tolist()
        places = [
            (line, first + (length - len(text)) // 2)
            for line, first, length in self.runs.get(cell, [])
            if length >= len(text)
        ]
        if self.scene.sketches:
            places, covers = [(row, column - (len(text) - 1) // 2)], False
        places.sort(key=lambda place: abs(place[0] - row))
        free = [place for place in places if self._is_free(*place, len(text))]
        for line, first in (free or places * covers)[:1]:
            self._put(cell, line, first, text, None)

    def _is_free(self, row: int, column: int, length: int) -> bool:
        written = self.texts.get(row, {})
        return not any(column + place in written for place in range(-1, length + 1))

    def _put(self, cell: int, row: int, column: int, text: str, ink: RGB | None) -> None:
        fill = int(self.scene.fills[cell])
        best = self.inks[fill] if fill >= 0 else _LINK
        for place, letter in enumerate(text):
            if 0 <= column + place < self.raster.cells.shape[1]:
                self.texts.setdefault(row, {})[column + place] = (letter, ink or best)


def _runs(raster: Raster) -> dict[int, list[tuple[int, int, int]]]:
    upper, lower = raster.cells[0:-1:2], raster.cells[1::2]
    whole = np.where(upper == lower, upper, -1)
    found: dict[int, list[tuple[int, int, int]]] = {}
    for line, owners in enumerate(whole):
        edges = np.flatnonzero(np.diff(owners)) + 1
        starts = [0, *edges.tolist()]
        for first, after in zip(starts, [*starts[1:], len(owners)], strict=True):
            if owners[first] >= 0:
                found.setdefault(int(owners[first]), []).append((line, first, after - first))
    return found


def _row_names(scene: Scene, raster: Raster) -> dict[int, str]:
    """Return the names of rows, by their lines of the terminal."""
    lines = _anchors_of(raster)[:, 0]
    found: dict[int, str] = {}
    for cell, text in scene.rows.items():
        found.setdefault(int(lines[cell]), _narrow(text))
    return found


def _column_line(scene: Scene, raster: Raster) -> str:
    """Return the line with the names of columns, each below its cell if there is room."""
    columns = _anchors_of(raster)[:, 1]
    line = ""
    for cell in sorted(scene.columns, key=lambda cell: int(columns[cell])):
        text = _narrow(scene.columns[cell])
        first = max(int(columns[cell]) - (len(text) - 1) // 2, 0)
        if not line or first > len(line):
            line = line.ljust(first) + text
    return line


def _visible(scene: Scene, cell: int, rgb: str) -> RGB | None:
    """Return a color if it is readable on a cell; else None."""
    ink, fill = parse(rgb), int(scene.fills[cell])
    return ink if fill < 0 or contrast(ink, parse(scene.palette[fill].rgb)) >= 3 else None


def _signs(scene: Scene) -> Iterator[tuple[int, str, RGB | None]]:
    """Yield the sign of each cell that needs one, with its color if that is not the usual one.

    It is the symbol of plain text, except on the ground and where the number of a move will stand;
    in a group it follows that of the group.
    """
    inks = [parse(swatch.rgb) for swatch in scene.palette]
    faint = [blend(ink, readable(ink), SYMBOL_INK) for ink in inks]
    for cell in set(np.flatnonzero(scene.fills >= 0).tolist()) - set(scene.numerals):
        symbol, group = _symbol(scene, cell), -1 if scene.groups is None else scene.groups[cell]
        if group >= 0:
            yield cell, _SIGNS[group % len(_SIGNS)] + symbol, None
        elif symbol:
            yield cell, symbol, faint[scene.fills[cell]]


def _symbol(scene: Scene, cell: int) -> str:
    """Return the symbol of a cell in plain text; empty on the ground and in holes."""
    fill = scene.fills[cell]
    symbol = scene.palette[fill].symbol if fill >= 0 else GROUND
    return "" if symbol == GROUND else symbol


def _narrow(label: str) -> str:
    """Return a text without characters that do not take exactly one column."""
    return "".join(letter for letter in printable(label) if width_of(letter) == 1)


def _anchors_of(raster: Raster) -> Spots:
    """Return the character (line, column) of each cell that is best for a text.

    Of the characters whose two pixels both show the cell, it is the nearest to the center, and the
    left one of two. If there is none, it is the character with the center.

    Returns
    -------
    int32[n, 2]
    """
    anchors = raster.centers[:, ::-1] // (2, 1)
    upper, lower = raster.cells[0:-1:2], raster.cells[1::2]
    rows, columns = np.nonzero((upper == lower) & (upper >= 0))
    owners = upper[rows, columns]
    centers = raster.centers[owners]
    # The center is known to a pixel; columns slightly to the left of it count as nearer. Of two
    # equally near lines the upper one is chosen, as the lower edge has a shadow.
    away = np.abs(2 * rows + 1.01 - raster.heights[owners])
    far = np.abs(columns + 0.75 - centers[:, 0]) + 2 * away
    order = np.lexsort((far, owners))
    first = np.concatenate((np.ones(1, dtype=bool), np.diff(owners[order]) > 0))[: len(order)]
    best = order[first]
    anchors[owners[best], 0] = rows[best]
    anchors[owners[best], 1] = columns[best]
    return np.asarray(anchors)
