"""The interaction of people with Hex: the next step, moves by pointing, illegal moves."""

from __future__ import annotations

from collections.abc import Sequence

from ludograph.errors import InvalidInput
from ludograph.games.hex.layouts import COLOR_NAMES
from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.presentation import FREE_FILL, STONE_FILL, stone_on
from ludograph.games.hex.setup import BLACK, NOBODY, WHITE
from ludograph.games.vertex_game import VertexInteraction
from ludograph.views import Sketch

PIECES = (FREE_FILL, STONE_FILL + BLACK, STONE_FILL + WHITE)


class HexInteraction(VertexInteraction[HexPosition]):
    """The texts for the person to move, and the choice of a move by pointing at cells."""

    written_as = "a free cell, or swap to take the opening stone"

    def tasks(self, position: HexPosition) -> Sequence[str]:
        """Return the task: to put a stone, with the color's aim, or to swap if this is legal."""
        more = ", or swap" if position.may_swap else ""
        color = COLOR_NAMES[position.color(position.turn or 0)]
        return (f"Put a stone to join the {color} borders{more}",)

    def action(self, position: HexPosition, move: int) -> str:
        """Return the text of a move: the effect of a swap, or the default for a cell."""
        if move == position.swap:
            return "Swap: take the opening stone and its color"
        return super().action(position, move)

    def put(self, position: HexPosition, move: int) -> Sequence[Sketch]:
        """Return the stone of a move."""
        if move == position.swap:
            return ()
        return (stone_on(position.board, move, position.color(position.turn or 0)),)

    def why_not_cells(self, position: HexPosition, cells: Sequence[int]) -> str:
        """Return why a stone on the last of some vertices is illegal; empty if it is legal."""
        vertex = cells[-1]
        owner = position.borders[vertex]
        if owner != NOBODY:
            return (
                f"That is {COLOR_NAMES[owner]}'s border; stones go on the cells between the borders"
            )
        if position.stones[vertex] != NOBODY:
            return f"{position.text(vertex)} is taken"
        return ""

    def called(self, position: HexPosition, move: int) -> str:
        """Return a vertex by its number, which C players use, and its coordinates."""
        if not 0 <= move < position.board.n:
            return super().called(position, move)
        if position.size and position.borders[move] == NOBODY:
            return f"vertex {move} ({position.text(move)})"
        return f"vertex {move}"

    def why_not_move(self, position: HexPosition, move: int) -> str:
        """Return the reason why a move is illegal for the seat to move."""
        if move == position.swap:
            return (
                "only the first stone can be swapped, at move 2"
                if position.pie
                else "this game is played without the pie rule"
            )
        if not 0 <= move < position.board.n:
            return f"the vertices are 0 to {position.board.n - 1}"
        owner = position.borders[move]
        if owner != NOBODY:
            return f"it is a border cell of {COLOR_NAMES[owner]}"
        return f"it is occupied by {_stone(position, int(position.stones[move]))}"

    def pieces(self, position: HexPosition) -> Sequence[int]:  # noqa: ARG002
        """Return the contents of cells with which people set up a board: free, black, white."""
        return PIECES

    def arranged(self, position: HexPosition, fills: Sequence[int]) -> HexPosition:
        """Return the position with the stones ``fills``, played by black and white in turn.

        Raises
        ------
        InvalidInput
            If there are too many stones of a color, or if a side has won.
        """
        black, white = (
            [vertex for vertex, fill in enumerate(fills) if fill == STONE_FILL + color]
            for color in (BLACK, WHITE)
        )
        if not 0 <= len(black) - len(white) <= 1:
            raise InvalidInput(
                "black begins, so black must have as many stones as white or one more, not "
                f"{len(black)} to {len(white)}"
            )
        found = position.copy()
        for place in range(len(black) + len(white)):
            if found.is_over:
                break
            found.push((black, white)[place % 2][place // 2])
        if found.is_over:
            raise InvalidInput("a side has joined its borders already, so the game would be over")
        return found


def _stone(position: HexPosition, color: int) -> str:
    """Return the owner and the color of a stone; the opening has its own words.

    A stone of black counts as the opening while it is black's only stone.
    """
    seat = position.seat(color)
    own = seat == position.turn
    whose = "its own" if own else f"seat {seat}'s"
    placed = position.ply - int(position.swapped)
    if color != BLACK or placed > 2:
        return f"{whose} stone, {COLOR_NAMES[color]}"
    if position.swapped:
        opening = "the opening" if own else "its own opening"
        return f"{opening}, which seat 1 has taken"
    return f"{whose} opening, {COLOR_NAMES[color]}"
