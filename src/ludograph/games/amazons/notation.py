"""Moves of Amazons as text: from, to and the arrow, ``d1-d7/g7`` on squares or ``12-17/20``."""

from __future__ import annotations

import re

from ludograph.errors import IllegalMove
from ludograph.games.amazons.setup import AmazonsSetup

_TILE = "([a-z][1-9][0-9]{0,3}|0|[1-9][0-9]{0,3})"
_MOVE = re.compile(f"{_TILE}-{_TILE}/{_TILE}")


def move_text(setup: AmazonsSetup, move: int) -> str:
    """Return the text of a move; raise IllegalMove if no lines lead so on the empty board."""
    n = setup.offsets.size - 1
    if not 0 <= move < n**3:
        raise IllegalMove(f"amazons: no move has the code {move}")
    source, target, arrow = move // (n * n), move // n % n, move % n
    for start, end in ((source, target), (target, arrow)):
        if end not in in_line(setup, start):
            raise IllegalMove(
                f"amazons: no straight line leads from {tile_text(setup, start)} "
                f"to {tile_text(setup, end)}"
            )
    return "{}-{}/{}".format(*(tile_text(setup, tile) for tile in (source, target, arrow)))


def parse_move(setup: AmazonsSetup, text: str) -> int:
    """Return the code of a move; case and outer blanks do not matter.

    Raises
    ------
    IllegalMove
        If it is none, or no lines lead so on the empty board.
    """
    found = _MOVE.fullmatch(text.strip().lower())
    n = setup.offsets.size - 1
    names = {tile_text(setup, tile): tile for tile in range(n)}
    if not found:
        example = "d1-d7/g7" if setup.columns else "12-17/20"
        raise IllegalMove(
            f"amazons: {text[:40]!r} is no move; it is written from-to/arrow, as in {example}"
        )
    for name in found.groups():
        if name not in names:
            raise IllegalMove(
                f"amazons: there is no tile {name}; they are called {', '.join(list(names)[:2])} "
                f"to {tile_text(setup, n - 1)}"
            )
    source, target, arrow = (names[name] for name in found.groups())
    move = (source * n + target) * n + arrow
    move_text(setup, move)
    return move


def tile_text(setup: AmazonsSetup, tile: int) -> str:
    """Return ``a1`` for the lower left tile of a grid and so on; elsewhere a tile's number."""
    if not setup.columns:
        return str(tile)
    row, column = divmod(tile, setup.columns)
    rows = (setup.offsets.size - 1) // setup.columns
    return f"{chr(ord('a') + column)}{rows - row}"


def in_line(setup: AmazonsSetup, tile: int) -> list[int]:
    """Return the tiles to which lines lead from a tile on the empty board."""
    first, last = setup.lines[setup.offsets[tile]], setup.lines[setup.offsets[tile + 1]]
    tiles: list[int] = setup.tiles[first:last].tolist()
    return tiles
