"""What an HTP engine knows of a game: stones of either color in any order, on a board of Hex."""

from __future__ import annotations

from typing import NamedTuple

from ludograph import rules
from ludograph.games import Position
from ludograph.games.hex import hex
from ludograph.games.hex.rules import CELLS, WINNER
from ludograph.games.hex.setup import BLACK, WHITE
from ludograph.rules import OVER, TURN

SWAP_PIECES, SWAP_SIDES, RESIGN = "swap-pieces", "swap-sides", "resign"
SPECIAL = (SWAP_PIECES, SWAP_SIDES, RESIGN)


class Entry(NamedTuple):
    """A move of the history: a vertex, or one of ``SPECIAL``."""

    color: int
    vertex: int
    special: str = ""


class Refused(Exception):
    """A command that cannot be obeyed; the message is the protocol's answer."""


class Table:
    """A board and the moves on it.

    Parameters
    ----------
    size
        Columns and rows that can be played on.
    pie
        Whether the first stone may be answered by ``swap-pieces``.
    """

    def __init__(self, size: int, pie: bool) -> None:
        self.size, self.pie = size, pie
        board = hex.board(size)
        self.fresh = hex.position(board, pie=pie)
        self.plain = hex.position(board, pie=False) if pie else self.fresh
        self.history: list[Entry] = []

    def position(self, color: int | None = None) -> Position:
        """Return the board with its stones, for a color to move: seat 0 is black.

        Only where a search could ask may the swap be legal: one black stone and white to move.
        """
        stones = self.stones()
        swapped = any(entry.special == SWAP_PIECES for entry in self.history)
        opening = not stones or (list(stones.values()) == [BLACK] and color == WHITE)
        start = self.fresh if not swapped and (opening or len(stones) > 1) else self.plain
        position = start.copy()
        state = position.state
        for vertex, owner in stones.items():
            if state[TURN] != OVER:
                state[TURN] = owner
                rules.play(position.setup, state, vertex)
        if state[TURN] != OVER and color is not None:
            state[TURN] = color
        return position

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
        """Return the vertex whose row is the column of another, and the other way round."""
        row, column = divmod(vertex, self.size + 2)
        return column * (self.size + 2) + row

    def winner(self) -> int | None:
        """Return the color that has won, by a chain or because the other has resigned."""
        for entry in self.history:
            if entry.special == RESIGN:
                return 1 - entry.color
        found = int(self.position().state[WINNER])
        return found if found >= 0 else None

    def add(self, entry: Entry) -> None:
        """Play a move of any color; raise Refused if it is none."""
        if self.winner() is not None:
            raise Refused("illegal move: the game is over")
        if entry.special in (SWAP_PIECES, SWAP_SIDES):
            moves = [old for old in self.history if not old.special]
            if len(moves) != 1 or len(self.history) != 1 or moves[0].color == entry.color:
                raise Refused("illegal move: only the first stone can be swapped, and at once")
        elif not entry.special and self.position().state[CELLS + entry.vertex] < 0:
            raise Refused("illegal move: the cell is occupied")
        self.history.append(entry)
