"""A board as plain text: symbols laid out as on the board, without escape codes.

Two forms, chosen by the positions:

- Cells that lie in rows (square, hexagonal, octagon-square ... boards): one line per row, two
  columns per cell, so that neighbors stand one space apart and the rows of a hexagonal board are
  shifted by one column each. A hole is blank.
- Any other board (a graph from a file, a Penrose tiling): ten cells per line, in the order of
  their numbers, after the number of the first one. A hole is ``.``::

      0: 3 0 0 1 2 5 5 1 0 4
     10: 1 . 2

Where moves are numbered or cells named, that stands behind the symbol of a cell: ``x12``, ``x:c5``.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ludograph.views.polygons import ranks
from ludograph.views.scene import Floats, Scene

__all__ = ["text"]

_PER_LINE = 10
_BLANK = " "
_HOLE = "."


def text(scene: Scene, around: Mapping[int, str] | None = None) -> str:
    """Write the board of a scene, without its title and captions.

    Parameters
    ----------
    scene : Scene
    around : mapping of int to str, optional
        For some cells, two characters that stand before and behind their symbols, as marks; all
        cells have room for them then, so that nothing moves where marks change.

    Returns
    -------
    str
        Lines without trailing spaces and without a final newline. Leading spaces count: the
        columns of the lines are aligned.
    """
    scene = scene.in_cells
    if scene.size == 0:
        return ""
    places = _rows_and_columns(scene.positions)
    if places is None:
        return _listing(_symbols(scene, _HOLE), _behind(scene), around)
    rows, columns = places
    behind = _behind(scene)
    longest = max(map(len, behind.values()), default=0)
    if longest:  # the symbol, what is behind it, a blank, and marks around
        columns = columns * -(-(longest + (2 if around is None else 4)) // 2)
    if around is not None:
        columns = columns + 1
    canvas = np.full((int(rows.max()) + 1, int(columns.max()) + longest + 2), _BLANK, dtype="<U1")
    canvas[rows, columns] = _symbols(scene, _BLANK)
    for cell, written in behind.items():
        for step, letter in enumerate(written, 1):
            canvas[rows[cell], columns[cell] + step] = letter
    for cell, marks in (around or {}).items():  # the later ones win
        for step, mark in zip((-1, 1 + len(behind.get(cell, ""))), marks, strict=True):
            if mark != _BLANK:
                canvas[rows[cell], columns[cell] + step] = mark
    lines = canvas.view(f"<U{canvas.shape[1]}")[:, 0]
    return "\n".join(line.rstrip() for line in lines.tolist())


def _symbols(scene: Scene, hole: str) -> npt.NDArray[np.str_]:
    """Give the symbol of each cell, `hole` where there is nothing (index -1: the last entry)."""
    return np.array([*(swatch.symbol[:1] for swatch in scene.palette), hole])[scene.fills]


def _behind(scene: Scene) -> dict[int, str]:
    """Give what is written behind the symbols of cells: the number of a move, a name."""
    found = {cell: str(numeral.ply) for cell, numeral in scene.numerals.items()}
    for cell, name in scene.notes.items():
        found[cell] = f"{found.get(cell, '')}:{name}"
    return found


def _listing(
    symbols: npt.NDArray[np.str_],
    behind: Mapping[int, str],
    around: Mapping[int, str] | None = None,
) -> str:
    """Write ten symbols per line after the number of the first."""
    if behind:
        longest = max(map(len, behind.values()))
        written = [behind.get(cell, "").ljust(longest) for cell in range(len(symbols))]
        symbols = np.char.add(symbols, written)
    if around is not None:
        marks = [around.get(cell, 2 * _BLANK) for cell in range(len(symbols))]
        pairs = zip(symbols.tolist(), marks, strict=True)
        symbols = np.array([mark[0] + symbol + mark[1] for symbol, mark in pairs])
    margin = len(str(len(symbols) - 1)) + 1
    lines = []
    for first in range(0, len(symbols), _PER_LINE):
        line = " ".join(symbols[first : first + _PER_LINE].tolist())
        lines.append(f"{first:>{margin}}: {line}".rstrip())
    return "\n".join(lines)


def _rows_and_columns(
    positions: Floats,
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]] | None:
    """Place cells that lie in rows: line and character column of each.

    Returns
    -------
    tuple of intp[n], intp[n] or None
        None if the cells lie in no common raster, or in one that is mostly blank.
    """
    count = len(positions)
    spread = float(np.ptp(positions, axis=0).max())
    if spread == 0.0:
        zeros = np.zeros(count, dtype=np.intp)
        return (zeros, zeros) if count == 1 else None
    rows = ranks(positions[:, 1], spread * 1e-6)
    order = np.lexsort((positions[:, 0], rows))
    gaps = np.diff(positions[order, 0])[np.diff(rows[order]) == 0]
    x = positions[:, 0] - positions[:, 0].min()
    if len(gaps):
        pitch = float(gaps.min())
    else:  # one cell per row: a column, or a graph whose cells share no height
        steps = np.diff(np.unique(x))
        pitch = 2.0 * float(steps.min()) if len(steps) else 1.0
    if pitch <= spread * 1e-6:
        return None
    exact = 2.0 * x / pitch
    columns = np.rint(exact).astype(np.intp)
    # Positions may be written with few decimals, hence the generous tolerance.
    if np.abs(exact - columns).max() > 0.1:
        return None
    lines, across = int(rows.max()) + 1, int(columns.max()) + 1
    # A raster that is nearly all blank (a diagonal, a large ring) is no picture of the board.
    if lines * across > 32 * count + 64:
        return None
    places = rows * across + columns
    if np.bincount(places).max() > 1:
        return None
    return rows, columns
