"""Moves of Carcassonne as text.

A placement is a cell, the number of clockwise quarter turns of the tile, and perhaps a vertex for a
meeple: ``3,-1 r2`` or ``3,-1 r2 m4``. A deal has the name of a kind of tiles: ``deal GREEN``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ludograph.errors import IllegalMove
from ludograph.games.carcassonne.setup import (
    CHOICES,
    NO_MEEPLE,
    NO_VERTEX,
    CarcassonneSetup,
    kind_name,
)

_NUMBER = "(0|-?[1-9][0-9]{0,8})"
_PLACEMENT = re.compile(f"{_NUMBER},{_NUMBER} r([0-3])(?: m([0-9]|1[0-2]))?")
_DEAL = "deal "


class Placement(NamedTuple):
    """A placement of the dealt tile: its cell, its rotation, and a vertex for a meeple."""

    x: int
    y: int
    quarters: int
    """The number of quarter turns, clockwise."""
    vertex: int | None
    """The vertex of the turned tile on which a meeple is put; None: no meeple."""


def cell_at(setup: CarcassonneSetup, x: int, y: int) -> int:
    """Return the number of a cell on the table."""
    layout = setup.layout
    return (y + layout.reach) * layout.stride + x + layout.reach


def coordinates(setup: CarcassonneSetup, cell: int) -> tuple[int, int]:
    """Return x and y of a cell: the inverse of `cell_at`."""
    row, column = divmod(int(cell), setup.layout.stride)
    return column - setup.layout.reach, row - setup.layout.reach


def placement_of(setup: CarcassonneSetup, move: int) -> Placement:
    """Return the placement with a code."""
    where, vertex = divmod(int(move) - int(setup.kinds), CHOICES)
    cell, quarters = divmod(where, 4)
    return Placement(*coordinates(setup, cell), quarters, None if vertex == NO_VERTEX else vertex)


def placement_code(setup: CarcassonneSetup, placement: Placement) -> int:
    """Return the code of a placement: the inverse of `placement_of`."""
    x, y, quarters, vertex = placement
    where = 4 * cell_at(setup, x, y) + quarters
    return int(setup.kinds) + CHOICES * where + (NO_VERTEX if vertex is None else vertex)


def move_text(setup: CarcassonneSetup, move: int) -> str:
    """Return the text of a placement or of a deal.

    Raises
    ------
    IllegalMove
        If the code has neither a cell of the table nor a kind of tiles, or if it has a meeple in a
        game without meeples.
    """
    kinds = setup.kinds
    if 0 <= move < kinds:
        return _DEAL + kind_name(setup, move)
    x, y, quarters, vertex = placement_of(setup, move)
    if not _on_table(setup, x, y) or (vertex is not None and setup.mode == NO_MEEPLE):
        raise IllegalMove(f"carcassonne: no move has the code {move}")
    return f"{x},{y} r{quarters}" + ("" if vertex is None else f" m{vertex}")


def parse_move(setup: CarcassonneSetup, text: str) -> int:
    """Return the code of a placement or of a deal; outer blanks are ignored.

    Raises
    ------
    IllegalMove
        If the text is no move, its cell is off the table, the deck has no such kind of tiles, or
        the game has no meeples.
    """
    if text.lstrip().startswith(_DEAL):
        return _parse_deal(setup, text.lstrip()[len(_DEAL) :])
    found = _PLACEMENT.fullmatch(text.strip())
    if not found:
        raise IllegalMove(
            f"carcassonne: {text[:40]!r} is not a move; write a cell and quarter turns, as "
            "in 3,-1 r2, and a vertex for a meeple, as in 3,-1 r2 m4"
        )
    x, y, quarters = int(found[1]), int(found[2]), int(found[3])
    if not _on_table(setup, x, y):
        reach = setup.layout.reach - 1
        raise IllegalMove(
            f"carcassonne: {x},{y} is off the table, which ends at {-reach} and {reach}"
        )
    if found[4] is not None and setup.mode == NO_MEEPLE:
        raise IllegalMove(f"carcassonne: {text[:40]!r} places a meeple, but this game has none")
    vertex = None if found[4] is None else int(found[4])
    return placement_code(setup, Placement(x, y, quarters, vertex))


def _parse_deal(setup: CarcassonneSetup, name: str) -> int:
    """Return the kind with a name; a name may begin or end with blanks."""
    lengths = np.diff(setup.name_ends, prepend=0)
    for written in (name, name.strip()):
        for kind in np.flatnonzero(lengths == len(written)).tolist():
            if kind_name(setup, kind) == written:
                return int(kind)
    raise IllegalMove(f"carcassonne: the deck has no tile {name[:40]!r}")


def _on_table(setup: CarcassonneSetup, x: int, y: int) -> bool:
    """Tell whether a cell is on the table of this deck."""
    return max(abs(x), abs(y)) < setup.layout.reach
