"""Flood for people who play: the next step, moves by pointing, reasons against a move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludograph.counting import counted
from ludograph.games.flood.notation import COLOR_NAMES
from ludograph.games.flood.position import FloodPosition
from ludograph.games.interaction import Interaction


class FloodInteraction(Interaction[FloodPosition]):
    """What people read when they are to move, and how they choose a move."""

    written_as = "a color, or pass"

    def tasks(self, position: FloodPosition) -> Sequence[str]:  # noqa: ARG002
        """Return that a color is to be chosen."""
        return ("Choose a color that touches your zone",)

    def pointed(self, position: FloodPosition, move: int) -> tuple[tuple[int, ...], ...]:
        """Return all vertices of the color; nothing for ``pass``, which is typed."""
        same = np.flatnonzero(position.colors == move).tolist()
        return (tuple(same),) if same else ()

    def marked(self, position: FloodPosition, move: int) -> tuple[int, ...]:
        """Return the vertices of the color that touch the zone of the seat to move."""
        board, zones = position.board, position.zones
        same = np.flatnonzero(position.colors == move).tolist()
        return tuple(
            vertex for vertex in same if (zones[board.neighbors_of(vertex)] == position.turn).any()
        )

    def action(self, position: FloodPosition, move: int) -> str:
        """Return the color with the number of vertices that it wins; otherwise the default."""
        seat = position.turn
        if seat is None or not 0 <= move < position.color_count:
            return super().action(position, move)
        won = counted(int(position.gains(seat)[move]), "cell")
        return f"{COLOR_NAMES[move].capitalize()}: take {won}"

    def objection(self, position: FloodPosition, cells: Sequence[int]) -> str:
        """Return why the color of a vertex cannot be chosen; empty if it can."""
        seat, color = position.turn, int(position.colors[cells[-1]])
        if seat is None or position.is_legal(color):
            return ""
        name = COLOR_NAMES[color]
        if color == position.color_of_zone(seat):
            return f"Your zone is {name} already"
        if color in position.forbidden(seat):
            return f"{name.capitalize()} is forbidden to you"
        for other in range(position.seats):
            if position.touches(seat, other) and position.color_of_zone(other) == color:
                why = "it is the color of a zone that touches yours"
                return f"{name.capitalize()} is forbidden: {why}"
        return f"Nothing {name} touches your zone"

    def called(self, position: FloodPosition, move: int) -> str:
        """Return a color by its number, as C players have it, and its name; otherwise nothing."""
        if 0 <= move < position.color_count:
            return f"color {move} ({COLOR_NAMES[move]})"
        return super().called(position, move)

    def reason_against(self, position: FloodPosition, move: int) -> str:
        """Return why a move is not legal for the seat whose turn it is."""
        seat = position.turn
        assert seat is not None
        if move == position.color_count:
            return "nobody passes who plays alone"
        if not 0 <= move < position.color_count:
            return f"the colors are 0 to {position.color_count - 1}"
        if move == position.color_of_zone(seat):
            return "its zone has that color already"
        if move in position.forbidden(seat):
            return f"forbidden to it: {', '.join(forbidden(position, seat))}"
        for other in range(position.seats):
            if position.touches(seat, other) and position.color_of_zone(other) == move:
                return f"it is the color of the zone of seat {other}, which touches its own"
        return "it gains nothing, no vertex of that color touches its zone"

    def pieces(self, position: FloodPosition) -> Sequence[int]:
        """Return all colors."""
        return range(position.color_count)

    def arranged(self, position: FloodPosition, fills: Sequence[int]) -> FloodPosition:
        """Return the start of a game on a board that is painted so."""
        game = position.game
        values = {**game.values_of(position), "coloring": list(fills)}
        found: FloodPosition = game.position(position.board, seats=position.seats, **values)
        return found


def forbidden(position: FloodPosition, seat: int) -> list[str]:
    """Return the names of the colors that are forbidden to a seat."""
    return [COLOR_NAMES[color] for color in sorted(position.forbidden(seat))]
