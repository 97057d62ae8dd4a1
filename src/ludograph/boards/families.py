"""The families of boards by name, for command lines and forms."""

from __future__ import annotations

from types import MappingProxyType
from typing import Protocol

from ludograph.boards.board import Board
from ludograph.boards.hexagonal import hexagonal
from ludograph.boards.penrose import penrose
from ludograph.boards.square import donut, hatched, square, torus
from ludograph.boards.tilings import dodeca_hexa_tetra, full_hexa, octo_tetra
from ludograph.boards.triangular import triangles, triangular
from ludograph.errors import InvalidInput


class Family(Protocol):
    """A function from a size to a board; the height is the width unless given."""

    def __call__(self, width: int, /, height: int | None = None) -> Board:
        """Return the board of this size, or raise InvalidInput when there is none."""
        ...


FAMILIES: MappingProxyType[str, Family] = MappingProxyType(
    {
        "square": square,
        "donut": donut,
        "hatched": hatched,
        "torus": torus,
        "hexagonal": hexagonal,
        "triangular": triangular,
        "full-hexa": full_hexa,
        "octo-tetra": octo_tetra,
        "dodeca-hexa-tetra": dodeca_hexa_tetra,
        "penrose": penrose,
    }
)
"""Every family by its name. One-letter names mean different boards in different games, so each game
defines its own."""


def family(name: str) -> Family:
    """Return the family of this name.

    Raises
    ------
    InvalidInput
        If no family has this name; the error lists the valid names.
    """
    if name not in FAMILIES:
        raise InvalidInput(f"board: no family is called {name!r}; choose {', '.join(FAMILIES)}")
    return FAMILIES[name]


def vertex_count(name: str, width: int, height: int | None = None) -> int:
    """Return an upper bound of the vertices of a family's board, without making the board.

    Square boards with holes have fewer vertices; all others have exactly this number.

    Examples
    --------
    >>> vertex_count("hexagonal", 99_999_999)
    9999999800000001
    >>> vertex_count("triangular", 4)
    96
    """
    height = width if height is None else height
    return triangles(width, height) if name == "triangular" else width * height
