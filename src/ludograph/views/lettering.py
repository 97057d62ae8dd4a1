"""What is written on a board in the terminal, and where: signs, labels, names, numbers, axes."""

import unicodedata
from collections.abc import Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ludograph.views.colors import RGB, contrast, parse, readable
from ludograph.views.raster import Raster
from ludograph.views.scene import Scene

__all__ = ["FEW_LABELS", "Texts", "anchors_of", "beside", "printable", "texts_on", "under"]

FEW_LABELS = 16
"""So many labels are written even where cells have no room for them."""

_SIGNS = "·×+°"
_STROKE_SIGN = "●"
_NEUTRAL: RGB = (96, 96, 106)

Texts = dict[int, dict[int, tuple[str, RGB]]]
"""Characters with their inks, by line and column."""

Spots = npt.NDArray[np.int32]


def printable(text: str) -> str:
    """Drop escape codes and other invisible characters: names come from strangers."""
    return "".join(letter for letter in text if letter.isprintable())


def texts_on(scene: Scene, raster: Raster, *, signs: bool, symbols: bool) -> Texts:
    """Place signs, labels, marks and numbers, each over the ones before, and names where they can.

    A name has a line of its own, if the cell has several; it covers a sign or a label otherwise,
    but no mark and no number.
    """
    board = _Lettering(scene, raster)
    if signs:
        for cell, sign in _signs(scene, symbols=symbols):
            board.write(cell, sign)
    if signs or len(scene.labels) <= FEW_LABELS:
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
                board.write(cell, _STROKE_SIGN, _visible(scene, cell, stroke.rgb))
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
    """Writes on the cells of a board."""

    def __init__(self, scene: Scene, raster: Raster) -> None:
        self.scene, self.raster = scene, raster
        self.texts: Texts = {}
        self.anchors = anchors_of(raster)
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
        """Write the number of a move on a cell: its last two digits where there is no room for all.

        Two digits may go beyond a cell, if nothing is written there. Cells that are parts of
        something larger have room beyond them.
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
        """Write a name near the middle of a cell, where there is room for the whole of it.

        If all its lines have texts, the name is left out or covers one of them.
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
        best = self.inks[fill] if fill >= 0 else _NEUTRAL
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


def beside(scene: Scene, raster: Raster) -> dict[int, str]:
    """Return what rows are called by the line at which that is written."""
    lines = anchors_of(raster)[:, 0]
    found: dict[int, str] = {}
    for cell, text in scene.rows.items():
        found.setdefault(int(lines[cell]), _narrow(text))
    return found


def under(scene: Scene, raster: Raster) -> str:
    """Return the line with what columns are called, each below its cell if there is room."""
    columns = anchors_of(raster)[:, 1]
    line = ""
    for cell in sorted(scene.columns, key=lambda cell: int(columns[cell])):
        text = _narrow(scene.columns[cell])
        first = max(int(columns[cell]) - (len(text) - 1) // 2, 0)
        if not line or first > len(line):
            line = line.ljust(first) + text
    return line


def _visible(scene: Scene, cell: int, rgb: str) -> RGB | None:
    """Give a color as ink if it can be read on a cell."""
    ink, fill = parse(rgb), int(scene.fills[cell])
    return ink if fill < 0 or contrast(ink, parse(scene.palette[fill].rgb)) >= 3 else None


def _signs(scene: Scene, *, symbols: bool) -> Iterator[tuple[int, str]]:
    """Give the sign of each cell of a group; with symbols, the symbol of each cell before it."""
    groups = np.full(scene.size, -1) if scene.groups is None else scene.groups
    marked = (scene.fills >= 0) & ((groups >= 0) | symbols)
    for cell in np.flatnonzero(marked).tolist():
        group = int(groups[cell])
        sign = _SIGNS[group % len(_SIGNS)] if group >= 0 else ""
        yield cell, (scene.palette[scene.fills[cell]].symbol[:1] if symbols else "") + sign


def _narrow(label: str) -> str:
    """Keep characters that take exactly one column."""
    return "".join(
        letter
        for letter in printable(label)
        if unicodedata.east_asian_width(letter) not in "WF" and not unicodedata.combining(letter)
    )


def anchors_of(raster: Raster) -> Spots:
    """Choose the character (line, column) of each cell that best carries a text.

    Among the characters whose two pixels both show the cell it is the one nearest to the center,
    on the left of two; if there is none, the one in which the center lies.

    Returns
    -------
    int32[n, 2]
    """
    anchors = raster.centers[:, ::-1] // (2, 1)
    upper, lower = raster.cells[0:-1:2], raster.cells[1::2]
    rows, columns = np.nonzero((upper == lower) & (upper >= 0))
    owners = upper[rows, columns]
    centers = raster.centers[owners]
    # The center is known to a pixel; columns a bit to the left of it count as nearer.
    # Of two lines as near as each other it is the upper one: the lower edge has a shadow.
    away = np.abs(2 * rows + 1.01 - raster.heights[owners])
    far = np.abs(columns + 0.75 - centers[:, 0]) + 2 * away
    order = np.lexsort((far, owners))
    first = np.concatenate((np.ones(1, dtype=bool), np.diff(owners[order]) > 0))[: len(order)]
    best = order[first]
    anchors[owners[best], 0] = rows[best]
    anchors[owners[best], 1] = columns[best]
    return np.asarray(anchors)
