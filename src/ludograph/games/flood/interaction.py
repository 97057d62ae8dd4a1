"""The interaction of people with Flood: the next step, moves by pointing, illegal moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludograph.formatting import counted
from ludograph.games.flood.notation import COLOR_NAMES
from ludograph.games.flood.position import FloodPosition
from ludograph.games.interaction import Interaction


class FloodInteraction(Interaction[FloodPosition]):
    """The texts for the person to move, and the choice of a move by pointing at cells."""

    written_as = "a color, or pass"

    def tasks(self, position: FloodPosition) -> Sequence[str]:  # noqa: ARG002
        """Return the only task: to choose a color."""
        return ("Choose a color that touches your zone",)

    def pointed(self, position: FloodPosition, move: int) -> tuple[tuple[int, ...], ...]:
        """Return all vertices of the color; nothing for ``pass``, which people type."""
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
        """Return the text of a color with its gain in cells; for other moves the default text."""
        seat = position.turn
        if seat is None or not 0 <= move < position.color_count:
            return super().action(position, move)
        won = counted(int(position.gains(seat)[move]), "cell")
        return f"{COLOR_NAMES[move].capitalize()}: take {won}"

    def why_not_cells(self, position: FloodPosition, cells: Sequence[int]) -> str:
        """Return why the color of the last of some vertices is illegal; empty if it is legal."""
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
        return f"No {name} cell touches your zone"

    def called(self, position: FloodPosition, move: int) -> str:
        """Return a color by its number, which C players use, and its name, else the default."""
        if 0 <= move < position.color_count:
            return f"color {move} ({COLOR_NAMES[move]})"
        return super().called(position, move)

    def why_not_move(self, position: FloodPosition, move: int) -> str:
        """Return the reason why a move is illegal for the seat to move."""
        seat = position.turn
        assert seat is not None
        if move == position.color_count:
            return "a player alone cannot pass"
        if not 0 <= move < position.color_count:
            return f"the colors are 0 to {position.color_count - 1}"
        if move == position.color_of_zone(seat):
            return "its zone has that color already"
        if move in position.forbidden(seat):
            return f"forbidden to it: {', '.join(forbidden(position, seat))}"
        for other in range(position.seats):
            if position.touches(seat, other) and position.color_of_zone(other) == move:
                return f"it is the color of the zone of seat {other}, which touches its own"
        return "it gains nothing, no cell of that color touches its zone"

    def pieces(self, position: FloodPosition) -> Sequence[int]:
        """Return the numbers of all colors, with which people paint a board."""
        return range(position.color_count)

    def arranged(self, position: FloodPosition, fills: Sequence[int]) -> FloodPosition:
        """Return the start of a game with the colors ``fills``, one for each vertex."""
        game = position.game
        values = {**game.values_of(position), "coloring": list(fills)}
        found: FloodPosition = game.position(position.board, seats=position.seats, **values)
        return found


def forbidden(position: FloodPosition, seat: int) -> list[str]:
    """Return the names of the colors that are forbidden to a seat."""
    return [COLOR_NAMES[color] for color in sorted(position.forbidden(seat))]
