"""The presentation of Hex to spectators: the picture, and sentences about events."""

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
        """Yield the vertex of each move's stone; an empty tuple for ``swap``."""
        return ((move,) if move < position.board.n else () for move in position.history)

    def seat_facts(self, position: HexPosition, seat: int) -> SeatFacts:
        """Return the present color of a seat: ``black`` or ``white``."""
        return SeatFacts(color=COLOR_NAMES[position.color(seat)])

    def announce(self, position: HexPosition, move: int) -> str:
        """Return the text of a move: the cell of a stone, or the effect of a swap."""
        if move == position.swap:
            return "swaps colors and takes the opening stone"
        return self.describe_move(position, move)

    def result(self, position: HexPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return a sentence with the winner, its color and the number of moves."""
        seat = outcome.winner
        if seat is None:
            return (
                f"A draw: the board is full after {position.ply} moves and no borders are joined."
            )
        color = COLOR_NAMES[position.color(seat)]
        return f"{names[seat]} (seat {seat}, {color}) wins after {position.ply} moves."
