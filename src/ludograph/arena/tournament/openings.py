"""Openings: moves with which games begin, so that they differ though the board does not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from random import Random
from typing import NamedTuple

from ludograph.documents import read_text
from ludograph.errors import IllegalMove, InvalidInput
from ludograph.games import Position
from ludograph.games.interaction import swap_of
from ludograph.referee.match import check_opening

SIZE_LIMIT = 1 << 20

Moves = tuple[int, ...]


class OpeningSuite(NamedTuple):
    """A suite of openings.

    Attributes
    ----------
    name
        What it is called.
    variants
        The openings of each variant of the game, in the order in which starts take them.
    """

    name: str
    variants: tuple[tuple[Moves, ...], ...]

    def of(self, start: int) -> Moves:
        """Return the opening of a start."""
        own = self.variants[start % len(self.variants)]
        return own[start // len(self.variants) % len(own)]


def find_openings(text: str, starts: Sequence[Position]) -> OpeningSuite:
    """Return the suite that a text means: one of the game's, or a file with an opening a line.

    Parameters
    ----------
    starts
        One of each variant of the game.

    Raises
    ------
    InvalidInput
        If there is no such suite, or an opening in it cannot be played.
    """
    game = starts[0].game
    if text in game.declaration.openings:
        lists = [[(text, line) for line in game.solving.openings(text, start)] for start in starts]
        name = text
    elif os.path.isfile(text):
        lists = [_lines(Path(text))] * len(starts)
        name = Path(text).name
    else:
        known = " or ".join((*game.declaration.openings, "a file with an opening in each line"))
        raise InvalidInput(f"openings of {game.name} are {known}, got {text[:80]!r}")
    return OpeningSuite(
        name,
        tuple(
            tuple(_parsed(where, line, start) for where, line in own)
            for own, start in zip(lists, starts, strict=True)
        ),
    )


MOST_OPENINGS = 1000


def first_moves(start: Position) -> tuple[Moves, ...]:
    """Return the game's own suites of one move by turns with all other first moves.

    Nothing where the game has C players that cannot begin behind a move, or begins with chance.
    """
    game = start.game
    if start.is_chance or start.is_over:
        return ()
    swap = swap_of(start)
    others = [move for move in start.legal_moves() if move != swap]
    programs = game.interop.library
    if programs is not None:
        try:
            programs.check_opening(start, others[:1])
        except InvalidInput:
            return ()
    Random("first moves").shuffle(others)
    even = [moves[0] for moves in _even(start) if len(moves) == 1]
    rest = [move for move in others if move not in even][:MOST_OPENINGS]
    if not even:
        return tuple((move,) for move in rest)
    return tuple((move,) for pair in zip(cycle(even), rest, strict=False) for move in pair)


def _even(start: Position) -> list[Moves]:
    """Return the openings of all suites that the game has for this start."""
    found: list[Moves] = []
    for suite in start.game.declaration.openings:
        with suppress(InvalidInput):  # none for this board
            found += [
                _parsed(suite, line, start) for line in start.game.solving.openings(suite, start)
            ]
    return found


def _lines(path: Path) -> list[tuple[str, str]]:
    """Return the openings of a file, each with where it stands."""
    text = read_text(path, "file of openings", SIZE_LIMIT)
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    found = [(f"{path}, line {n}", line) for n, line in enumerate(lines, 1) if line]
    if not found:
        raise InvalidInput(f"{path}: there are no openings in it")
    return found


def _parsed(where: str, line: str, start: Position) -> Moves:
    board, moves = start.copy(), []
    try:
        for word in line.split():
            moves.append(board.parse(word))
            check_opening(board, moves[-1:])
            board.push(moves[-1])
    except (IllegalMove, InvalidInput) as error:
        raise InvalidInput(f"{where}: {error}") from None
    if board.is_over:
        raise InvalidInput(f"{where}: the game is over after this opening")
    return tuple(moves)
