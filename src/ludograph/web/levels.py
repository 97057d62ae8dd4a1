"""How strong opponents are: levels of each game, from beginner to best, as they were measured.

``benchmarks/levels.py`` measures them; games that it has not measured have none.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

FILE = Path(__file__).parent / "levels.json"
FIRST, LAST = "beginner", "best"


class Level(NamedTuple):
    """An opponent.

    Attributes
    ----------
    player
        How it is named on the command line.
    elo
        Its rating, measured from the game's first anchor, at 1000.
    name
        What a form calls it.
    """

    player: str
    elo: int
    name: str


@lru_cache
def measured() -> dict[str, list[dict[str, Any]]]:
    """Return what is in the file: by game, the weakest first."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, list[dict[str, Any]]])


def levels_of(game: str) -> list[Level]:
    """Return the levels of a game, the weakest first.

    Examples
    --------
    >>> levels_of("no such game")
    []
    """
    found = measured().get(game, [])
    words = {0: FIRST, len(found) - 1: LAST}
    return [
        Level(
            one["player"],
            one["elo"],
            f"level {number + 1}{f', {words[number]}' if number in words else ''}",
        )
        for number, one in enumerate(found)
    ]
