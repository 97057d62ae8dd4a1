"""Moves of Amazons as text: from, to and the arrow, ``d1-d7/g7`` on squares or ``12-17/20``."""

import re
from functools import lru_cache

from ludograph.errors import IllegalMove
from ludograph.games.amazons.setup import AmazonsSetup


def move_text(setup: AmazonsSetup, move: int) -> str:
    """Return the text of a move; raise IllegalMove if its lines do not exist on the empty board."""
    n = setup.offsets.size - 1
    if not 0 <= move < n**3:
        raise IllegalMove(f"amazons: no move has the code {move}")
    source, target, arrow = move // (n * n), move // n % n, move % n
    names = tile_names(setup.columns, n)
    for start, end in ((source, target), (target, arrow)):
        first, last = setup.lines[setup.offsets[start]], setup.lines[setup.offsets[start + 1]]
        # A page needs the texts of two thousand moves: a list of twenty is faster than its array.
        if end not in setup.tiles[first:last].tolist():
            ends = f"from {names[start]} to {names[end]}"
            raise IllegalMove(f"amazons: no straight line leads {ends}")
    return f"{names[source]}-{names[target]}/{names[arrow]}"


def parse_move(setup: AmazonsSetup, text: str) -> int:
    """Return the code of a move; case and outer blanks are ignored.

    Raises
    ------
    IllegalMove
        If the text is no move, or its lines do not exist on the empty board.
    """
    n = setup.offsets.size - 1
    names = {name: tile for tile, name in enumerate(tile_names(setup.columns, n))}
    found = re.fullmatch(r"(\w+)-(\w+)/(\w+)", text.strip().lower())
    if not found or not names.keys() >= set(found.groups()):
        example = "d1-d7/g7" if setup.columns else "12-17/20"
        raise IllegalMove(
            f"amazons: {text[:40]!r} is not a move here; write from-to/arrow, as in {example}"
        )
    source, target, arrow = (names[name] for name in found.groups())
    move_text(setup, (source * n + target) * n + arrow)  # raises if a line does not exist
    return (source * n + target) * n + arrow


def tile_text(setup: AmazonsSetup, tile: int) -> str:
    """Return the name of a tile: ``a1`` and so on from the lower left of a grid, else a number."""
    return tile_names(setup.columns, setup.offsets.size - 1)[tile]


@lru_cache(maxsize=64)
def tile_names(columns: int, tiles: int) -> tuple[str, ...]:
    """Return the names of all tiles of a board; a board with columns is a grid."""
    if not columns:
        return tuple(map(str, range(tiles)))
    places = (divmod(tile, columns) for tile in range(tiles))
    return tuple(f"{chr(ord('a') + column)}{tiles // columns - row}" for row, column in places)
