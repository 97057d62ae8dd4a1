"""The game in an HTP engine: stones of either color in any order, on a board of Hex."""

from __future__ import annotations

from typing import NamedTuple

from ludograph.games.hex.position import HexPosition
from ludograph.games.hex.setup import BLACK, NOBODY, WHITE
from ludograph.games.interop import Refused
from ludograph.games.registry import game
from ludograph.rules import OVER, PLY, TURN
from ludograph.rules.answers import play_at

SWAP_PIECES, SWAP_SIDES, RESIGN = "swap-pieces", "swap-sides", "resign"
SPECIAL = (SWAP_PIECES, SWAP_SIDES, RESIGN)


class Entry(NamedTuple):
    """A move of the history: a vertex, or one of ``SPECIAL``."""

    color: int
    vertex: int
    special: str = ""


class HtpTable:
    """A board and the moves on it.

    Parameters
    ----------
    size
        The number of columns and of rows.
    pie
        Whether the first stone may be answered by ``swap-pieces``.
    """

    def __init__(self, size: int, pie: bool) -> None:
        self.size, self.pie = size, pie
        self.fresh: HexPosition = game("hex").position(size, pie=pie)
        self.history: list[Entry] = []

    def position(self, color: int | None = None) -> HexPosition:
        """Return the board with its stones, for a color to move: seat 0 is black.

        The swap is legal only if there is one black stone and white is to move. All positions of a
        table share a setup, by which a search recognizes its game.
        """
        stones = self.stones()
        position = self.fresh.copy()
        state = position.state
        for vertex, owner in stones.items():
            if state[TURN] != OVER:
                state[TURN] = owner
                play_at(position.setup, state, vertex)
        if state[TURN] != OVER and color is not None:
            state[TURN] = color
        swaps = sum(entry.special in (SWAP_PIECES, SWAP_SIDES) for entry in self.history)
        state[PLY] += swaps
        if state[PLY] == 1 and not (color == WHITE and BLACK in stones.values()):
            state[PLY] = 2  # the rules need the ply
        return position

    def plain(self, color: int) -> HexPosition:
        """Return the same position without the pie rule."""
        return self.position(color).without_pie()

    def stones(self) -> dict[int, int]:
        """Return the color on each vertex, in the order in which the stones came."""
        stones: dict[int, int] = {}
        for entry in self.history:
            if entry.special == SWAP_PIECES:
                stones = {self.mirrored(vertex): 1 - owner for vertex, owner in stones.items()}
            elif not entry.special:
                stones[entry.vertex] = entry.color
        return stones

    def mirrored(self, vertex: int) -> int:
        """Return the vertex with row and column exchanged."""
        row, column = self.fresh.place(vertex)
        return self.fresh.vertex(column, row)

    def winner(self) -> int | None:
        """Return the color that has won, by a chain or because the other has resigned."""
        for entry in self.history:
            if entry.special == RESIGN:
                return 1 - entry.color
        return self.position().winner

    def add(self, entry: Entry) -> None:
        """Play a move of any color; raise Refused if it is not valid."""
        if self.winner() is not None:
            raise Refused("illegal move: the game is over")
        if entry.special in (SWAP_PIECES, SWAP_SIDES):
            moves = [old for old in self.history if not old.special]
            if len(moves) != 1 or len(self.history) != 1 or moves[0].color == entry.color:
                raise Refused("illegal move: only the first stone can be swapped, and at once")
        elif not entry.special and self.position().stones[entry.vertex] != NOBODY:
            raise Refused("illegal move: the cell is occupied")
        self.history.append(entry)
