"""A board as an option: the name of a family with a size, or a file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludograph.games.options import OptionType, Unexpected, Whole

if TYPE_CHECKING:
    from ludograph.boards import Board

SIZE = re.compile(r"(?P<width>[0-9]{1,9})(?:x(?P<height>[0-9]{1,9}))?", re.ASCII)
"""The size of a board: ``12`` or ``12x9``."""


SMALL = ("1", "2", "3", "5", "2x5")
"""Sizes of boards for the tests of a player; not every family has all of them."""

TRIED = 6
"""The size of the board that shows whether a family suits a game; every family has it."""

OF_FAMILY = re.compile(r"([a-z-]+)[ :]([0-9]+)(?:x([0-9]+))?")
"""The name of a board of a family, with its width and perhaps its height."""


def family_called(name: str) -> str:
    """Return the cells of a family in words; the name of a game's own family.

    Examples
    --------
    >>> family_called("torus"), family_called("rings")
    ('squares on a torus', 'rings')
    """
    from ludograph.boards import FAMILIES

    return FAMILIES[name].called if name in FAMILIES else name


def boards_called(title: str) -> str:
    """Return a title or the name of a board, with the names of families in words.

    Examples
    --------
    >>> boards_called("Hex on hexagonal:5, seed 3")
    'Hex on 5 × 5 hexagons, seed 3'
    >>> boards_called("full-hexa 8x7")
    '8 × 7 hexagons in columns'
    >>> boards_called("Hex on Old town")
    'Hex on Old town'
    """
    from ludograph.boards import FAMILIES

    def called(found: re.Match[str]) -> str:
        if found[1] not in FAMILIES:
            return found[0]
        return f"{found[2]} × {found[3] or found[2]} {FAMILIES[found[1]].called}"

    return OF_FAMILY.sub(called, title)


FROM_FILES = {"undirected": {"directed": "ignore"}, "planar": {"sides": "planar"}}
"""Words before the path of a file, and their options of :func:`ludograph.boards.load`."""


def any_board(board: Board) -> bool:  # noqa: ARG001
    """Tell that a board suits a game, whichever it is."""
    return True


@cache
def families_for(suits: Callable[[Board], bool]) -> tuple[str, ...]:
    """Return the names of the families of :mod:`ludograph.boards` whose boards suit a game."""
    from ludograph.boards import FAMILIES

    return tuple(name for name, make in FAMILIES.items() if suits(make(TRIED)))


@dataclass(frozen=True)
class BoardType(OptionType):
    """A board: ``hatched:12`` or ``full-hexa:8x7`` of a game's families, or a file.

    The path of a file may begin with ``undirected:``, ``planar:`` or both.

    Attributes
    ----------
    families
        The names of families; a size alone means the first.
    make
        Returns the board of one of these families, a width and a height, which is None if it was
        not given; None for families of :mod:`ludograph.boards`.
    most
        The greatest number of vertices in the game; None for the limit of boards. Larger boards are
        never made.
    others
        Tells whether the boards of a family suit the game, given one of them: then the family is
        offered too. None if ``families`` are all.
    """

    families: tuple[str, ...]
    make: Callable[[str, int, int | None], Board] | None = None
    most: int | None = None
    others: Callable[[Board], bool] | None = None
    metavar = "BOARD"
    deferred = True
    recorded = False
    is_board = True

    @property
    def offered(self) -> tuple[str, ...]:
        """The names of all families of the game."""
        others = () if self.others is None else families_for(self.others)
        return tuple(dict.fromkeys(self.families + others))

    @property
    def expected(self) -> str:
        """The valid values."""
        names = ", ".join(self.offered)
        return f"a family with a size, as in {self.families[0]}:12 ({names}), or a file"

    @property
    def trials(self) -> tuple[str, ...]:
        """Small boards of all families, and some that are not squares."""
        return tuple(f"{name}:{size}" for name in self.offered for size in SMALL)

    def takes(self, name: str) -> bool:
        """Tell whether a family has this name; its boards need not suit the game."""
        from ludograph.boards.families import known

        return name in self.families or (self.others is not None and known(name) is not None)

    def reads(self, text: str) -> bool:
        """Tell whether a text names a file, and not a family with a size, or only a size."""
        name, colon, rest = text.partition(":")
        size = SIZE.fullmatch(rest if colon else name)
        return size is None or bool(colon and not self.takes(name))

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
        if colon and size and self.takes(name):
            return self._made(name, size)
        if size and not colon:
            return self._made(self.families[0], size)
        if self.takes(name) and not os.path.exists(text):
            raise Unexpected(f"a family with a size, as in {name}:12")
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
        from ludograph.boards.families import family, known

        declared, down = known(name), width if height is None else height
        count = declared.count(width, down) if declared else width * down
        if self.most is not None and count > self.most:
            raise Unexpected(self._small_enough())
        return self._bounded(
            self.make(name, width, height) if self.make else family(name)(width, height)
        )

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
