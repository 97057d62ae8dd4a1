"""Flood for spectators: the scene of a position, and events in words."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.formatting import counted
from ludograph.games.flood.interaction import forbidden
from ludograph.games.flood.position import FloodPosition
from ludograph.games.outcome import Outcome
from ludograph.games.played import PASS
from ludograph.games.presentation import Presentation, SeatFacts, scores_of_others
from ludograph.views import CellLook, Scene
from ludograph.views.colors import distinct, soft


class FloodPresentation(Presentation[FloodPosition]):
    """The picture of a position, and sentences about moves, seats and results."""

    def scene(self, position: FloodPosition) -> Scene:
        """Return the picture of a position."""
        return flood_scene(position)

    def seat_facts(self, position: FloodPosition, seat: int) -> SeatFacts:
        """Return the forbidden colors of a seat, if there are any."""
        names = forbidden(position, seat)
        return SeatFacts(terms={"forbidden": names}) if names else SeatFacts()

    def ending(self, position: FloodPosition) -> str:
        """Return that all seats have passed, if the last moves are passes."""
        last = position.history[-position.seats :]
        return "All have passed" if {position.text(move) for move in last} == {PASS} else ""

    def result(self, position: FloodPosition, outcome: Outcome, names: Sequence[str]) -> str:
        """Return a sentence with the winner and the cells, or with the moves of a solo game."""
        if position.seats == 1:
            moves = counted(position.ply, "move")
            if outcome.scores[0] < -position.ply:
                return f"{names[0]} is stuck after {moves}: only forbidden colors are left."
            return f"{names[0]} solves the board in {moves}."
        seats = [f"{name} (seat {seat})" for seat, name in enumerate(names)]
        scores = [int(score) for score in outcome.scores]
        if outcome.winner is None:
            even = outcome.winners
            who = " and ".join(seats[seat] for seat in even)
            return f"A draw between {who}, {counted(scores[even[0]], 'cell')} each."
        winner = outcome.winner
        if scores[winner] == position.board.n:
            return f"{seats[winner]} wins by capture."
        others = scores_of_others(scores, winner)
        return f"{seats[winner]} wins, {counted(scores[winner], 'cell')} to {others}."


ZONE_INKS = ("#111111", "#ffffff", "#7f1d1d", "#1e3a8a")
"""The colors of the borders around zones, by seat; pictures dash the third and the fourth."""


def flood_scene(position: FloodPosition) -> Scene:
    """Return the picture: vertices in their colors, zones with borders, seats on start vertices."""
    board, seats = position.board, position.seats
    labels = {vertex: str(seat) for seat, vertex in enumerate(position.starts)}
    return Scene(
        positions=board.positions,
        outline_offsets=board.outline_offsets,
        outline_points=board.outline_points,
        fills=position.colors,
        palette=soft(position.color_count),
        labels=labels,
        groups=position.zones,
        group_colors=tuple(ZONE_INKS[seat % len(ZONE_INKS)] for seat in range(seats)),
        links=board.edges() if board.links else None,
        look=CellLook(position.colors, distinct(position.color_count), labels),
    )
