"""The families of boards by name, for command lines and forms.

A family is a function from a width and a height to a board, under :func:`board_family`, in a module
of the folder ``tilings``. All commands, pages and games read the rest from there.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from operator import mul
from typing import TypeVar

from ludograph.boards import tilings
from ludograph.boards.board import Board
from ludograph.errors import InvalidInput

Maker = TypeVar("Maker", bound=Callable[..., Board])


@dataclass(frozen=True)
class Family:
    """A family of boards.

    Attributes
    ----------
    name
        Its name on command lines.
    called
        Its cells in the words of pages, as in ``hexagons in columns``.
    make
        The function from a size to a board, which a family also is itself.
    count
        Returns an upper bound of the vertices of a board of a width and a height.
    """

    name: str
    called: str
    make: Callable[..., Board]
    count: Callable[[int, int], int]

    def __call__(self, width: int, /, height: int | None = None) -> Board:
        """Return the board of this size; raise InvalidInput if there is none."""
        return self.make(width, height)

    def vertex_count(self, width: int, height: int | None = None) -> int:
        """Return an upper bound of the vertices of a board, without making the board.

        Examples
        --------
        >>> from ludograph import boards
        >>> boards.FAMILIES["hexagonal"].vertex_count(99_999_999)
        9999999800000001
        >>> boards.FAMILIES["triangular"].vertex_count(4)
        96
        """
        return self.count(width, width if height is None else height)


FAMILIES: dict[str, Family] = {}
"""Every family by its name. One-letter names mean different boards in different games, so each game
defines its own."""

SYNONYMS = {"full-tetra": "square"}
"""Further names of families, from courses."""


def board_family(called: str, count: Callable[[int, int], int] = mul) -> Callable[[Maker], Maker]:
    """Declare a function as a family of boards: ``full_hexa`` makes those of ``full-hexa``.

    Parameters
    ----------
    called
        Its cells in the words of pages, as in ``hexagons in columns``.
    count
        Returns an upper bound of the vertices of a board of a width and a height.
    """

    def declare(make: Maker) -> Maker:
        name = make.__name__.replace("_", "-")
        FAMILIES[name] = Family(name, called, make, count)
        return make

    return declare


def known(name: str) -> Family | None:
    """Return the family of this name, which may be a course's; None if there is none."""
    return FAMILIES.get(SYNONYMS.get(name, name))


def family(name: str) -> Family:
    """Return the family of this name.

    Raises
    ------
    InvalidInput
        If no family has this name; the error lists the valid names.
    """
    found = known(name)
    if found is None:
        raise InvalidInput(f"board: no family is called {name!r}; choose {', '.join(FAMILIES)}")
    return found


for _module in pkgutil.iter_modules(tilings.__path__, f"{tilings.__name__}."):
    import_module(_module.name)
