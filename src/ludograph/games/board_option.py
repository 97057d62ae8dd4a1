"""A board as an option: the name of a family with a size, or a file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludograph.games.options import OptionType, Unexpected, Whole

if TYPE_CHECKING:
    from ludograph.boards import Board

SIZE = re.compile(r"(?P<width>[0-9]{1,9})(?:x(?P<height>[0-9]{1,9}))?", re.ASCII)
"""The size of a board: ``12`` or ``12x9``."""


SMALL = ("1", "2", "3", "5", "2x5")
"""Sizes of boards for the tests of a player; not every family has all of them."""


def family(name: str, width: int, height: int | None) -> Board:
    """Return a board of one of the families of :mod:`ludograph.boards`."""
    from ludograph import boards

    make = boards.family(name)
    return make(width) if height is None else make(width, height)


def family_count(name: str, width: int, height: int | None) -> int:
    """Return the greatest number of vertices of a board of one of these families."""
    from ludograph import boards

    return boards.vertex_count(name, width, height)


CALLED = {
    "square": "squares",
    "full-tetra": "squares",
    "donut": "squares around a hole",
    "hatched": "squares, the letter H",
    "torus": "squares on a torus",
    "hexagonal": "hexagons",
    "full-hexa": "hexagons in columns",
    "triangular": "triangles",
    "octo-tetra": "octagons and squares",
    "dodeca-hexa-tetra": "dodecagons, hexagons and squares",
    "penrose": "Penrose's rhombs",
}
"""The names of families in forms."""

OF_FAMILY = re.compile(r"([a-z-]+)[ :]([0-9]+)(?:x([0-9]+))?")
"""The name of a board of a family, with its width and perhaps its height."""


def board_called(name: str) -> str:
    """Return the name of a board on pages.

    Examples
    --------
    >>> board_called("hexagonal:11")
    '11 × 11 hexagons'
    >>> board_called("full-hexa 8x7")
    '8 × 7 hexagons in columns'
    >>> board_called("Old town")
    'Old town'
    """
    found = OF_FAMILY.fullmatch(name)
    if found is None or found[1] not in CALLED:
        return name
    return f"{found[2]} × {found[3] or found[2]} {CALLED[found[1]]}"


def families_called(families: Iterable[str], chosen: str = "") -> dict[str, str]:
    """Return the names of families in forms; only one family for each name.

    It is the chosen one, else the first.

    Examples
    --------
    >>> families_called(["full-tetra", "square", "torus"])
    {'full-tetra': 'squares', 'torus': 'squares on a torus'}
    """
    offered: dict[str, str] = {}
    for name in families:
        words = CALLED.get(name, name)
        if words not in offered or name == chosen:
            offered[words] = name
    return {name: words for words, name in offered.items()}


def boards_called(title: str) -> str:
    """Return a title with the names of boards on pages.

    Examples
    --------
    >>> boards_called("Hex on hexagonal:5, seed 3")
    'Hex on 5 × 5 hexagons, seed 3'
    >>> boards_called("Hex on Old town")
    'Hex on Old town'
    """
    return OF_FAMILY.sub(lambda found: board_called(found[0]), title)


FROM_FILES = {"undirected": {"directed": "ignore"}, "planar": {"sides": "planar"}}
"""Words before the path of a file, and their options of :func:`ludograph.boards.load`."""


@dataclass(frozen=True)
class BoardType(OptionType):
    """A board: ``hatched:12`` or ``full-hexa:8x7`` of a game's families, or a file.

    The path of a file may begin with ``undirected:``, ``planar:`` or both.

    Attributes
    ----------
    families
        The names of the families; a size alone means the first.
    make
        Returns the board of a family, a width and a height, which is None if it was not given.
    most
        The greatest number of vertices in the game; None for the limit of boards. Larger boards are
        never made.
    count
        Returns the greatest number of vertices of a board, from the arguments of ``make``.
    """

    families: tuple[str, ...]
    make: Callable[[str, int, int | None], Board] = family
    most: int | None = None
    count: Callable[[str, int, int | None], int] = family_count
    metavar = "BOARD"
    deferred = True
    recorded = False
    is_board = True

    @property
    def expected(self) -> str:
        """The valid values."""
        names = ", ".join(self.families)
        return f"a family with a size, as in {self.families[0]}:12 ({names}), or a file"

    @property
    def trials(self) -> tuple[str, ...]:
        """Small boards of all families, and some that are not squares."""
        return tuple(f"{name}:{size}" for name in self.families for size in SMALL)

    def reads(self, text: str) -> bool:
        """Tell whether a text names a file, and not a family with a size, or only a size."""
        name, colon, rest = text.partition(":")
        size = SIZE.fullmatch(rest if colon else name)
        return size is None or bool(colon and name not in self.families)

    def parse(self, text: str) -> Board:
        """Return the board of a text.

        Raises
        ------
        InvalidInput
            If there is no board of this size, or the file has a fault.
        Unexpected
            If the text is no board, or one that is too large for the game.
        """
        name, colon, rest = text.partition(":")
        size = SIZE.fullmatch(rest if colon else name)
        if name in self.families and colon and size:
            return self._made(name, size)
        if size and not colon:
            return self._made(self.families[0], size)
        if (colon and name in FROM_FILES) or Path(text).suffix or os.path.isfile(text):
            return self._bounded(self._loaded(text))
        raise Unexpected(self.expected)

    def _loaded(self, text: str) -> Board:
        from ludograph import boards

        asked: dict[str, Any] = {}
        word, colon, rest = text.partition(":")
        while colon and word in FROM_FILES:
            asked |= FROM_FILES[word]
            text = rest
            word, colon, rest = text.partition(":")
        return boards.load(text, **asked)

    def _made(self, name: str, size: re.Match[str]) -> Board:
        height = size["height"]
        return self._sized(name, int(size["width"]), None if height is None else int(height))

    def _sized(self, name: str, width: int, height: int | None) -> Board:
        if self.most is not None and self.count(name, width, height) > self.most:
            raise Unexpected(self._small_enough())
        return self.make(name, width, height)

    def _bounded(self, board: Board) -> Board:
        if self.most is not None and board.n > self.most:
            raise Unexpected(self._small_enough())
        return board

    def _small_enough(self) -> str:
        return f"a board of at most {self.most} vertices"

    def check(self, value: Any) -> Board:
        """Return a board: the given one, that of a text, or one of the first family with a size."""
        from ludograph.boards import Board

        if isinstance(value, Board):
            return self._bounded(value)
        if isinstance(value, str):
            return self.parse(value)
        return self._sized(self.families[0], Whole(1, 10**9).check(value), None)
