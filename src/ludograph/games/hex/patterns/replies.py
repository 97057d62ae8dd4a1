"""How often a playout answers at a place around the last move, by what its neighbors are.

A *reply* is one of the twelve places around the last move, as the color that answers sees it; the
rest of the time any vertex is played. What is kept in ``replies.npz`` is, for each ring of six
neighbors, the share of searches in which a reply was wanted, of those in which its vertex was free;
but only of replies that also win more random games than any vertex does.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from ludograph.games.hex.patterns.features import PLACES, RING
from ludograph.games.hex.playouts import SLOTS
from ludograph.games.hex.setup import BLACK, EXACTLY_ONE, HexSetup

UNIT = 1 / 250
"""Of the shares that are kept."""

ANY_VERTEX = -1

CODES = 1 << 12
"""Own stones around the last move, a bit each, and the free vertices six bits higher."""

Floats = npt.NDArray[np.float64]


@cache
def shares() -> Floats:
    """Return how often each reply is given: ``float64[RING, PLACES]``, each row 1 at most."""
    with (files(__package__) / "replies.npz").open("rb") as file, np.load(file) as kept:
        return kept["shares"] * UNIT


def with_bridges(shares: Floats) -> Floats:
    """Return the shares, but always completed bridges where some are intruded into."""
    found = shares.copy()
    for code, gaps in enumerate(gaps_of_rings()):
        if gaps:
            found[code] = 0.0
            found[code, gaps] = 1 / len(gaps)
    return found


@cache
def gaps_of_rings() -> list[list[int]]:
    """Return, for each ring, the free places between two own stones."""
    rings = []
    for code in range(RING):
        digits = [code // 3**place % 3 for place in range(6)]
        rings.append(
            [
                place
                for place in range(6)
                if digits[place] == 0 and digits[place - 1] == digits[(place + 1) % 6] == 1
            ]
        )
    return rings


def make_replies(setup: HexSetup) -> npt.NDArray[np.int8]:
    """Return what playouts on a board draw from; empty where the cells are not hexagonal."""
    return table_of_replies() if setup.joined == EXACTLY_ONE else setup.replies


@cache
def table_of_replies() -> npt.NDArray[np.int8]:
    """Return what playouts draw from: ``int8[2 * CODES * SLOTS]``.

    By the color that answers and what is around the last move: the places of as many replies as
    slots in ``HexSetup.steps``, or ``ANY_VERTEX``.
    """
    drawn = slots_of(with_bridges(shares()))
    table = np.full((2, CODES, SLOTS), ANY_VERTEX, np.int8)
    for color, places in enumerate((range(6), range(5, -1, -1))):
        points = [(place if color == BLACK else (4 - place) % 6) + 12 for place in range(6)]
        steps = np.array([*places, *points, ANY_VERTEX])
        for code in range(RING):
            digits = [code // 3**place % 3 for place in places]
            stones = sum(1 << side for side in range(6) if digits[side] == 1)
            free = sum(1 << side for side in range(6) if digits[side] == 0)
            table[color, stones | free << 6] = steps[drawn[code]]
    return table.ravel()


def slots_of(shares: Floats) -> npt.NDArray[np.int64]:
    """Return replies as often as their shares say, ``PLACES`` for none: ``int64[RING, SLOTS]``."""
    whole = np.column_stack([shares, 1 - shares.sum(axis=1)]) * SLOTS
    counts = np.floor(whole + 1e-9).astype(int)
    for row, rest in zip(counts, whole - counts, strict=True):
        row[np.argsort(-rest, kind="stable")[: SLOTS - row.sum()]] += 1
    return np.array([np.repeat(np.arange(PLACES + 1), row) for row in counts])
