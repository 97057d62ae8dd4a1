"""Which games programs that speak HTP can play."""

from __future__ import annotations

from ludograph.errors import InvalidInput
from ludograph.games import Position
from ludograph.games.hex.layouts import recognize


def check_board(position: Position) -> None:
    """Raise InvalidInput unless a game is Hex on the usual board, of any size."""
    layout = recognize(position.board) if position.game.name == "hex" else None
    if layout is None or layout.draws:
        raise InvalidInput(
            "hex: programs that speak HTP play on hexagonal cells, as in 'ludograph hex -t h', "
            f"this board is {position.board.name!r}"
        )
