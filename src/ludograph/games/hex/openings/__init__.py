"""Near-even openings of Hex for usual boards: after them both sides win about equally often.

``scripts/near-even-openings`` has found them by games of our own search against itself. The file
also contains black's share of the wins in these games.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ludograph.errors import InvalidInput

if TYPE_CHECKING:
    from ludograph.games.hex.position import HexPosition


@cache
def known() -> dict[int, dict[str, float]]:
    """Return the openings by the size of the board, with black's share of the wins."""
    text = (files(__package__) / "near_even.json").read_text(encoding="utf-8")
    return {int(size): shares for size, shares in json.loads(text).items()}


def near_even(position: HexPosition) -> list[str]:
    """Return the openings of a board as texts of moves.

    Raises
    ------
    InvalidInput
        If there are no openings for the board.
    """
    found = known().get(position.size) if position.is_standard else None
    if not found:
        sizes = ", ".join(map(str, sorted(known())))
        raise InvalidInput(
            f"hex: near-even openings are for hexagonal boards of {sizes} cells in a row, this "
            f"board is {position.board.name!r}"
        )
    return list(found)
