"""Ice that is set up tile by tile, with the penguins that stand on it at the beginning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.games.penguins.position import PenguinsPosition
from ludograph.games.penguins.scene import PENGUINS, player_colors


def pieces(position: PenguinsPosition) -> Sequence[int]:
    """Return one to three fish, and a penguin of each seat."""
    return range(1, PENGUINS + position.seats)


def arranged(position: PenguinsPosition, fills: Sequence[int]) -> PenguinsPosition:
    """Return the position with these fish; under a penguin is one, and they were placed in turn.

    Raises
    ------
    InvalidInput
        If a player has too many penguins, or more than come before those of others.
    """
    own = [
        [tile for tile, fill in enumerate(fills) if fill == PENGUINS + seat]
        for seat in range(position.seats)
    ]
    counts = [len(tiles) for tiles in own]
    if counts != sorted(counts, reverse=True) or counts[0] - counts[-1] > 1:
        names = ", ".join(
            f"{count} of {swatch.name}"
            for count, swatch in zip(counts, player_colors(position.seats), strict=True)
        )
        raise InvalidInput(f"penguins are placed in turn, one of each player: here are {names}")
    if counts[0] > position.setup.penguins:
        raise InvalidInput(f"each player has {position.setup.penguins} penguins")
    fish = np.where(np.asarray(fills) >= PENGUINS, 1, np.asarray(fills))
    found: PenguinsPosition = position.game.position(
        position.board, seats=position.seats, penguins=position.setup.penguins, fish=fish
    )
    for turn in range(sum(counts)):
        found.play(own[turn % found.seats][turn // found.seats])
    if found.is_over:
        raise InvalidInput("no penguin could move, the game would be over")
    return found
