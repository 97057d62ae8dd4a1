"""Hex for people who watch: the picture, and events in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ludograph.games.hex.boards.layouts import COLOR_NAMES
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.scene import hex_scene
from ludograph.games.hex.setup import NOBODY
from ludograph.games.outcome import Outcome
from ludograph.games.presentation import Presentation, SeatFacts
from ludograph.views import Scene


class HexPresentation(Presentation[HexPosition]):
    """The picture of a position, and sentences about moves, seats and results."""

    def scene(self, position: HexPosition) -> Scene:
        """Return the picture of a position."""
        return hex_scene(position)

    def cell_names(self, position: HexPosition) -> Mapping[int, str]:
        """Return the names of the cells between the borders, such as ``c5``."""
        playable = np.flatnonzero(position.borders == NOBODY).tolist()
        return {vertex: position.text(int(vertex)) for vertex in playable}

    def ways(self, position: HexPosition) -> Iterator[Sequence[int]]:
        """Yield the vertex of each stone; nothing for ``swap``."""
        return ((move,) if move < position.board.n else () for move in position.history)

    def seat_facts(self, position: HexPosition, seat: int) -> SeatFacts:
        """Return the color that a seat plays now: ``black`` or ``white``."""
        return SeatFacts(color=COLOR_NAMES[position.color(seat)])

    def announce(self, position: HexPosition, move: int) -> str:
        """Return the cell of a stone; what a swap means, which exchanges the colors."""
        if move == position.swap:
            return "swaps colors, and has the opening stone now"
        return self.describe_move(position, move)

    def result(self, position: HexPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return who won with which color, and when."""
        seat = outcome.winner
        if seat is None:
            return (
                f"A draw: the board is full after {position.ply} moves and no borders are joined."
            )
        color = COLOR_NAMES[position.color(seat)]
        return f"{names[seat]} (seat {seat}, {color}) wins after {position.ply} moves."
