"""A board as plain text: symbols laid out as on the board, without escape codes.

There are two forms, which depend on the positions:

- Cells that lie in rows (square, hexagonal, octagon-square ... boards): one line per row, two
  columns per cell, so that neighbors are one space apart and the rows of a hexagonal board are
  shifted by one column each. A hole is blank.
- Any other board (a graph from a file, a Penrose tiling): ten cells per line, in the order of
  their numbers, after the number of the first one. A hole is ``.``::

      0: 3 0 0 1 2 5 5 1 0 4
     10: 1 . 2

If moves are numbered or cells named, the number or name follows the symbol: ``x12``, ``x:c5``.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ludograph.views.polygons import ranks
from ludograph.views.scene import Floats, Scene

_PER_LINE = 10
_BLANK = " "
_HOLE = "."


def text(scene: Scene, around: Mapping[int, str] | None = None) -> str:
    """Return the board of a scene as text, without its title and captions.

    Parameters
    ----------
    scene : Scene
    around : mapping of int to str, optional
        For some cells, two characters as marks before and after their symbols. All cells have room
        for them then, so that no cell moves when marks change.

    Returns
    -------
    str
        Lines without trailing spaces and without a final newline. Leading spaces matter: the
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
    if longest:  # the symbol, its number or name, a blank, and marks around
        columns = columns * -(-(longest + (2 if around is None else 4)) // 2)
    if around is not None:
        columns = columns + 1
    canvas = np.full((int(rows.max()) + 1, int(columns.max()) + longest + 2), _BLANK, dtype="<U1")
    canvas[rows, columns] = _symbols(scene, _BLANK)
    for cell, written in behind.items():
        for step, letter in enumerate(written, 1):
            canvas[rows[cell], columns[cell] + step] = letter
    for cell, marks in (around or {}).items():  # later marks replace earlier ones
        for step, mark in zip((-1, 1 + len(behind.get(cell, ""))), marks, strict=True):
            if mark != _BLANK:
                canvas[rows[cell], columns[cell] + step] = mark
    lines = canvas.view(f"<U{canvas.shape[1]}")[:, 0]
    return "\n".join(line.rstrip() for line in lines.tolist())


def _symbols(scene: Scene, hole: str) -> npt.NDArray[np.str_]:
    """Return the symbol of each cell, `hole` for an empty fill (index -1: the last entry)."""
    return np.array([*(swatch.symbol[:1] for swatch in scene.palette), hole])[scene.fills]


def _behind(scene: Scene) -> dict[int, str]:
    """Return the text after the symbol of each cell: the number of a move, a name."""
    found = {cell: str(numeral.ply) for cell, numeral in scene.numerals.items()}
    for cell, name in scene.notes.items():
        found[cell] = f"{found.get(cell, '')}:{name}"
    return found


def _listing(
    symbols: npt.NDArray[np.str_],
    behind: Mapping[int, str],
    around: Mapping[int, str] | None,
) -> str:
    """Return lines of ten symbols each, after the number of the first one."""
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
    """Return the line and the character column of each cell, if cells lie in rows.

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
    else:  # one cell per row: a column, or a graph without two cells at the same height
        steps = np.diff(np.unique(x))
        pitch = 2.0 * float(steps.min()) if len(steps) else 1.0
    if pitch <= spread * 1e-6:
        return None
    exact = 2.0 * x / pitch
    columns = np.rint(exact).astype(np.intp)
    # Positions may be written with few decimals, so the tolerance is large.
    if np.abs(exact - columns).max() > 0.1:
        return None
    lines, across = int(rows.max()) + 1, int(columns.max()) + 1
    # A raster that is nearly all blank (a diagonal, a large ring) is not readable.
    if lines * across > 32 * count + 64:
        return None
    places = rows * across + columns
    if np.bincount(places).max() > 1:
        return None
    return rows, columns
