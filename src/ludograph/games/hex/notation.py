"""Moves of Hex as text: a vertex by its coordinates or its number, or ``swap``."""

from __future__ import annotations

import re

from ludograph.errors import IllegalMove
from ludograph.games.hex.setup import NEVER, NOBODY, HexSetup

SWAP = "swap"

_CELL = re.compile(r"([a-z]{1,4})([1-9][0-9]{0,7})")
_NUMBER = re.compile(r"v(0|[1-9][0-9]{0,8})")


def move_text(setup: HexSetup, move: int) -> str:
    """Return the text of a move, such as ``a1``, ``v17`` or ``swap``.

    On boards of hexagonal and square cells the letter is the column and the number is the row, both
    counted without the border; ``a1`` is at the top left. On other boards the text is ``v`` and the
    number of the vertex.

    Raises
    ------
    IllegalMove
        If the code is that of a border vertex, or not a code of this game.
    """
    vertices = setup.owners.size
    if move == vertices and setup.swap_ply != NEVER:
        return SWAP
    if not 0 <= move < vertices:
        raise IllegalMove(f"hex: no move has the code {move}")
    if setup.owners[move] != NOBODY:
        raise IllegalMove(f"hex: vertex {move} belongs to a border")
    if setup.columns:
        row, column = divmod(int(move), setup.columns)
        return f"{letters(column - 1)}{row}"
    return f"v{move}"


def parse_move(setup: HexSetup, text: str) -> int:
    """Return the code of a move; case and blanks around the text do not matter.

    Raises
    ------
    IllegalMove
        If the text is not a vertex between the borders, or if it is a swap without the pie rule.
    """
    word = text.strip().lower()
    vertices = setup.owners.size
    if word == SWAP:
        if setup.swap_ply == NEVER:
            raise IllegalMove("hex: this game is played without the pie rule, nobody can swap")
        return vertices
    vertex = cell(setup.columns, word) if setup.columns else number(word)
    if 0 <= vertex < vertices and setup.owners[vertex] == NOBODY:
        return vertex
    first, last = move_text(setup, setup.free[0]), move_text(setup, setup.free[-1])
    raise IllegalMove(
        f"hex: there is no cell {text[:40]!r} to play on; they are called {first} to {last}"
    )


def cell(columns: int, word: str) -> int:
    """Return the vertex with coordinates such as ``c5``, or -1.

    ``columns`` is the number of columns of the board, including the borders.
    """
    found = _CELL.fullmatch(word)
    if not found:
        return -1
    column, row = number_of(found[1]) + 1, int(found[2])
    return row * columns + column if column < columns and row < columns else -1


def number(word: str) -> int:
    """Return the vertex of a text such as ``v17``, or -1."""
    found = _NUMBER.fullmatch(word)
    return int(found[1]) if found else -1


def letters(column: int) -> str:
    """Return the name of a column, counted from 0: a to z, then aa, ab and so on."""
    text = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        text = chr(ord("a") + letter) + text
    return text


def number_of(name: str) -> int:
    """Return the number of a column, from 0, given its name."""
    column = 0
    for letter in name:
        column = 26 * column + ord(letter) - ord("a") + 1
    return column - 1
