"""Moves of Flood as text: the name of a color, or ``pass``."""

from __future__ import annotations

from ludograph.errors import IllegalMove
from ludograph.games.flood.setup import FloodSetup
from ludograph.views.colors import distinct

COLOR_NAMES: tuple[str, ...] = tuple(swatch.name for swatch in distinct(32))
"""The names of the colors by number. The first eight are the colors of the C interface, in its
order."""

PASS = "pass"


def move_text(setup: FloodSetup, move: int) -> str:
    """Return the text of a move: ``blue`` for color 0, ..., ``pass`` for their number.

    Raises
    ------
    IllegalMove
        If no move has this code.
    """
    if move == setup.color_count:
        return PASS
    if 0 <= move < setup.color_count:
        return COLOR_NAMES[move]
    raise IllegalMove(f"flood: no move has the code {move}; they run from 0 to {setup.color_count}")


def parse_move(setup: FloodSetup, text: str) -> int:
    """Return the code of a move; case and blanks around the text do not matter.

    Raises
    ------
    IllegalMove
        If the game has no move with this name.
    """
    word = text.strip().lower()
    if word == PASS:
        return setup.color_count
    if word in COLOR_NAMES[: setup.color_count]:
        return COLOR_NAMES.index(word)
    raise IllegalMove(
        f"flood: no move is called {text[:40]!r}; "
        f"moves are {', '.join(COLOR_NAMES[: setup.color_count])} and {PASS}"
    )
