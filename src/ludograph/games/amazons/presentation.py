"""Amazons for spectators: the scene of a position, and events in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ludograph.games.amazons import notation
from ludograph.games.amazons.interaction import tiles
from ludograph.games.amazons.position import AmazonsPosition
from ludograph.games.amazons.scene import amazons_scene
from ludograph.games.outcome import Outcome
from ludograph.games.presentation import Presentation, SeatFacts
from ludograph.views import Scene

COLORS = ("white", "black")
"""The colors of the queens, by seat."""


class AmazonsPresentation(Presentation[AmazonsPosition]):
    """The scene of a position, and sentences about moves, seats and results."""

    def scene(self, position: AmazonsPosition) -> Scene:
        """Return the scene of a position."""
        return amazons_scene(position)

    def cell_names(self, position: AmazonsPosition) -> Mapping[int, str]:
        """Return the names of the tiles, such as ``a1``."""
        return {tile: notation.tile_text(position.setup, tile) for tile in range(position.board.n)}

    def ways(self, position: AmazonsPosition) -> Iterator[Sequence[int]]:
        """Yield for each move the tile of its arrow."""
        return ((move % position.board.n,) for move in position.history)

    def seat_facts(self, position: AmazonsPosition, seat: int) -> SeatFacts:  # noqa: ARG002
        """Return the color of a seat's queens."""
        return SeatFacts(color=COLORS[seat])

    def announce(self, position: AmazonsPosition, move: int) -> str:
        """Return a move in words: the queen's slide, and the arrow's tile."""
        start, end, arrow = (
            notation.tile_text(position.setup, tile) for tile in tiles(position, move)
        )
        return f"moves a queen from {start} to {end}, arrow at {arrow}"

    def result(self, position: AmazonsPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return the winner and the number of moves, as a sentence."""
        who = outcome.winner or 0
        return f"{names[who]} (seat {who}, {COLORS[who]}) wins after {position.ply} moves."
