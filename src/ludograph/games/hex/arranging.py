"""Positions that are set up stone by stone, rather than played."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.errors import InvalidInput
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.scene import FREE_FILL, STONE_FILL
from ludograph.games.hex.setup import BLACK, WHITE

PIECES = (FREE_FILL, STONE_FILL + BLACK, STONE_FILL + WHITE)


def arranged(position: HexPosition, fills: Sequence[int]) -> HexPosition:
    """Return the position with these stones: black and white were put down in turn.

    Raises
    ------
    InvalidInput
        If there are too many stones of a color, or a side has won.
    """
    black, white = (
        [vertex for vertex, fill in enumerate(fills) if fill == STONE_FILL + color]
        for color in (BLACK, WHITE)
    )
    if not 0 <= len(black) - len(white) <= 1:
        raise InvalidInput(
            "black begins, and has as many stones as white or one more; here are "
            f"{len(black)} and {len(white)}"
        )
    found = position.copy()
    for place in range(len(black) + len(white)):
        if found.is_over:
            break
        found.push((black, white)[place % 2][place // 2])
    if found.is_over:
        raise InvalidInput("a side has joined its borders already, the game would be over")
    return found
