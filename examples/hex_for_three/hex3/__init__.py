"""Hex for three seats: who joins two opposite sides of a board with six sides wins."""

from ludograph.errors import InvalidInput
from ludograph.games.board_option import BoardType
from ludograph.games.declaration import Declaration, Help
from ludograph.games.options import Option

COLORS = ("red", "green", "blue")
"""The colors of the seats, and the marks of a board that say whose border a vertex is."""


def make_board(name, width, height):
    """Return the hexagon of a width."""
    from hex3.board import hexagon

    if height not in (None, width):
        raise InvalidInput(f"hex3: the sides of a hexagon are equal, got {width}x{height}")
    if width < 1:
        raise InvalidInput(f"hex3: each side of a hexagon has at least one cell, got {width}")
    return hexagon(width)


DECLARATION = Declaration(
    name="hex3",
    summary="join your two sides before two others join theirs",
    home="hex3.game:hex3",
    seats=(3, 3),
    options=(
        Option(
            "board",
            BoardType(("hexagon",), make_board, 10_000),
            "hexagon:5",
            "cells in each side, as in hexagon:5; or a file with the marks 'red', 'green', 'blue'",
        ),
    ),
    solving={"board": "hexagon:2"},
    help=Help(
        "Hex for three: each seat owns two opposite sides of a board with six sides.",
        "  ludograph hex3 --board hexagon:4 mcts random random  on a small board\n",
        (
            "You take turns to put a stone of your color on any free cell. Stones are never moved "
            "or taken.",
            "Who joins both sides of their color by a chain of stones wins.",
            "A seat that cannot join its sides any more is out: its stones stay, and it moves no "
            "more. The last seat that is not out wins.",
        ),
    ),
)
