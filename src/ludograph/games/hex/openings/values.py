"""The value of each first move of Hex on usual boards: proven, or from a long search.

``scripts/hex-opening-values`` makes the file. Up to 7 x 7 all values are proven; on larger boards
the values of 0 and 100 percent are proven.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludograph.games.hex.position import HexPosition


@cache
def known() -> dict[int, list[float]]:
    """Return black's chances to win after each first move, 0 to 1, by the size of the board.

    The moves are in the order of the rows, and in each row from column a.
    """
    text = (files(__package__) / "values.json").read_text(encoding="utf-8")
    return {
        int(size): [percent / 100 for row in rows for percent in row]
        for size, rows in json.loads(text).items()
    }


def opening_values(position: HexPosition) -> Mapping[int, float]:
    """Return black's chances to win by the vertex of its first stone.

    The result is empty for boards without known values.
    """
    values = known().get(position.size) if position.is_standard else None
    free = position.setup.free
    if values is None or len(values) != free.size:
        return {}
    return dict(zip(free.tolist(), values, strict=True))
