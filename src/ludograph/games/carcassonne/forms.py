"""Tiles as they can lie, packed into numbers for the rules.

A *form* is a kind of tile turned by some quarters: number ``4 * kind + quarters``. It has a record
of ``FORM`` numbers. Its components are numbered in the order of their first vertices, clockwise
from NW, so that those are ascending.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from ludograph.errors import InvalidInput
from ludograph.games.carcassonne.tiles import POINTS, RIM, SIDES, VERTICES, Tile

IntArray = npt.NDArray[np.int32]

COMPONENT: Final = 0
"""In a form: the component of each of the 13 vertices."""
DEMAND: Final = 13
"""In a form: what each of the 4 sides asks of the tile beyond it, as bits of that one's word."""
WORD: Final = 17
"""In a form: its four sides, a byte each, the north lowest: the number of a pattern of terrains."""
COUNT: Final = 18
"""In a form: the number of its components."""
TURNS: Final = 19
"""In a form: how many different forms its kind has."""
NODE: Final = 20
"""In a form: for each of 13 components its vertices, its ends, the points for a vertex and its
first vertex, four bits each. Ends are the vertices on the rim."""
ALIKE: Final = 33
"""In a form: for each of 13 components which others have its terrain, a bit each."""
FORM: Final = 46

BITS = 8
NEVER = 2**BITS - 1
"""The pattern that is on no side of any tile of the deck."""

Pattern = tuple[int, ...]


def pack_forms(tiles: Sequence[Tile]) -> IntArray:
    """Return the records of all forms of some kinds of tiles: ``int32[4 * len(tiles), FORM]``.

    Raises
    ------
    InvalidInput
        If the tiles have more than 254 different sides.
    """
    patterns = _number_patterns(tiles)
    forms = np.zeros((len(tiles) * SIDES, FORM), np.int64)
    for kind, tile in enumerate(tiles):
        turns = sum(1 for _ in tile.rotations())
        for quarters in range(SIDES):
            form = forms[SIDES * kind + quarters]
            _fill(form, tile.rotated(quarters).relabeled(), turns, patterns)
    return forms.astype(np.uint32).view(np.int32)


def side_mask(side: int) -> int:
    """Return the bits of a side in a word."""
    return ((1 << BITS) - 1) << (BITS * side)


def _number_patterns(tiles: Iterable[Tile]) -> dict[Pattern, int]:
    """Return the number of every pattern, from 1: three terrains, clockwise."""
    patterns: dict[Pattern, int] = {}
    for tile in tiles:
        for side in range(SIDES):
            patterns.setdefault(tile.side(side), len(patterns) + 1)
    if len(patterns) >= NEVER:
        raise InvalidInput(
            f"carcassonne: the tiles have {len(patterns)} different sides, "
            f"the rules can tell {NEVER - 1} apart"
        )
    return patterns


def _fill(
    form: npt.NDArray[np.int64], tile: Tile, turns: int, patterns: dict[Pattern, int]
) -> None:
    """Write the record of a tile as it lies; its components are numbered by first vertices."""
    form[COMPONENT : COMPONENT + VERTICES] = tile.components
    for side in range(SIDES):
        form[WORD] |= patterns[tile.side(side)] << (BITS * side)
        beyond = (side + SIDES // 2) % SIDES
        form[DEMAND + side] = patterns.get(tile.side(side)[::-1], NEVER) << (BITS * beyond)
    count = max(tile.components) + 1
    form[COUNT] = count
    form[TURNS] = turns
    for component in range(count):
        first = tile.components.index(component)
        vertices = tile.components.count(component)
        ends = tile.components[:RIM].count(component)
        points = POINTS[tile.terrains[first]]
        form[NODE + component] = vertices | ends << 4 | points << 8 | first << 12
        alike = {
            tile.components[vertex]
            for vertex in range(VERTICES)
            if tile.terrains[vertex] == tile.terrains[first]
        }
        form[ALIKE + component] = sum(1 << other for other in alike - {component})
