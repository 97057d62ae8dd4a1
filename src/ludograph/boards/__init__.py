"""Boards: the graphs on which games are played, with their drawings.

>>> from ludograph import boards
>>> boards.hatched(12)
<Board 'hatched 12x12': 112 vertices, 192 edges>
"""

from __future__ import annotations

from ludograph.boards.board import MAX_VERTICES, Board
from ludograph.boards.build import from_edges
from ludograph.boards.families import FAMILIES, Family, board_family, family
from ludograph.boards.files import from_data, load, save, to_data
from ludograph.boards.graphs import from_networkx
from ludograph.boards.sides import OUTSIDE, Sides, all_lines
from ludograph.boards.symmetries import symmetries
from ludograph.boards.tilings.hexagonal import hexagonal
from ludograph.boards.tilings.penrose import penrose
from ludograph.boards.tilings.regular import dodeca_hexa_tetra, full_hexa, octo_tetra
from ludograph.boards.tilings.square import donut, hatched, square, torus
from ludograph.boards.tilings.triangular import triangular

__all__ = [
    "FAMILIES",
    "MAX_VERTICES",
    "OUTSIDE",
    "Board",
    "Family",
    "Sides",
    "all_lines",
    "board_family",
    "dodeca_hexa_tetra",
    "donut",
    "family",
    "from_data",
    "from_edges",
    "from_networkx",
    "full_hexa",
    "hatched",
    "hexagonal",
    "load",
    "octo_tetra",
    "penrose",
    "save",
    "square",
    "symmetries",
    "to_data",
    "torus",
    "triangular",
]
