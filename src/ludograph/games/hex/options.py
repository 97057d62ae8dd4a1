"""The options of Hex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludograph.errors import InvalidInput
from ludograph.games.board_option import BoardType
from ludograph.games.declaration import Declaration, Help, Values
from ludograph.games.options import Alias, Flag, Form, Option, Whole, Word

if TYPE_CHECKING:
    from ludograph.boards import Board

CELLS = {"h": "hexagonal", "c": "square", "t": "triangular"}
"""The shapes of cells by their letters in the course's subject."""

SIZE = 11

WIDEST = 999
"""The most cells in a row of a board."""


def make_board(name: str, width: int, height: int | None) -> Board:
    """Return a board with the borders of Hex, with ``width`` cells in a row.

    Parameters
    ----------
    name
        The shape of the cells, a value of ``CELLS``.
    height
        None or the width.

    Raises
    ------
    InvalidInput
        If the height is not the width, or if the board would be too large.
    """
    from ludograph.games.hex.layouts import hex_board

    if height not in (None, width):
        raise InvalidInput(f"hex: the height of a board must be its width, got {width}x{height}")
    letter = next(letter for letter, shape in CELLS.items() if shape == name)
    return hex_board(width + 1 if name != "triangular" else width, letter)


def resolve(given: Values) -> Values:
    """Replace the options for width, size and shape of the cells by one for the board.

    Raises
    ------
    InvalidInput
        If there is a board as well, or if these options exclude each other.
    """
    rest = dict(given)
    width, size, shape = (rest.pop(name, None) for name in ("width", "size", "type"))
    if width is None and size is None and shape is None:
        return rest
    if "board" in rest:
        raise InvalidInput("--board has its own size, so leave out -m, --size and -t")
    if width is not None and size is not None:
        raise InvalidInput("-m is --size plus 1, so give only one of them")
    shape = shape or "hexagonal"
    if shape == "triangular":
        if size is not None:
            raise InvalidInput("--size is for -t h and -t c; -m is the side of triangles' board")
        return {**rest, "board": f"{shape}:{width or SIZE + 1}"}
    return {**rest, "board": f"{shape}:{size or (width or SIZE + 1) - 1}"}


def title(values: Values) -> list[str]:
    """Return the parts of a game's title: ``no pie rule``, unless the pie rule holds."""
    return [] if values["pie"] else ["no pie rule"]


DECLARATION = Declaration(
    name="hex",
    summary="join your two borders with a path of your stones",
    home="ludograph.games.hex.game:hex",
    order=3,
    strategies=("connex", "mcts", "minimax", "net", "random", "resistance"),
    options=(
        Option(
            "board",
            BoardType(tuple(CELLS.values()), make_board, (WIDEST + 2) ** 2),
            f"hexagonal:{SIZE}",
            "kind of cells and number in a row, as in hexagonal:11, square:9 or triangular:6; "
            "or a file with the marks 'black' and 'white'",
            form=Form(sizes=(7, 9, 11, 13, 14, 19), phone=9),
        ),
        Option(
            "pie",
            Flag(),
            True,
            "play without the pie rule",
            form=Form(
                "Pie rule",
                "the second player may take the opening stone and its color, which is fairer",
            ),
        ),
    ),
    aliases=(
        Alias("size", Whole(1, WIDEST), None, "cells in a row, without the borders"),
        Alias("width", Whole(2, WIDEST + 1), None, "cells in a row, plus 1 for a border", "m"),
        Alias(
            "type",
            Word(tuple(CELLS.values()), CELLS),
            None,
            "kind of cells: h hexagons, c squares, t triangles",
            "t",
        ),
    ),
    resolve=resolve,
    title=title,
    speaks=("htp",),
    formats=("sgf",),
    solving={"board": "hexagonal:5"},
    anchors=("mcts:sims=100,network=off", "random", "connex"),
    steps=(
        "random",
        *(f"connex:random={share}" for share in (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)),
        "connex",
        "mcts:sims=100,network=off",
        "mcts:sims=300,network=off",
        "mcts:sims=2000,network=off",
        "mcts:sims=200",
        "mcts:sims=1000",
    ),
    openings=("near-even",),
    marks=("black", "white"),
    trials=tuple(
        {"board": board, "pie": pie}
        for board in ("hexagonal:7", "square:6", "triangular:4")
        for pie in ("true", "false")
    ),
    help=Help(
        """Black joins top and bottom, and moves first. The second player may answer with the move
    'swap': it takes the first stone and the color black.""",
        """\
  ludograph hex --board hexagonal:11 mcts:time=1 random  the usual board
  ludograph hex -m 6 -t t ./player1.so my.py             triangular cells, a C and a Python player
  ludograph hex -r 100 --size 7 mcts random              a hundred games, seats exchanged
  ludograph hex mcts:time=1 'htp: ./program'             a program that speaks HTP
""",
        (
            "You take turns to put a stone of your color on any free cell. Stones are never moved "
            "or taken.",
            "Each player joins two sides of the board, which have that player's color. On the "
            "usual boards these are the top and the bottom for black, the left and the right for "
            "white.",
            "The first player who joins both sides of their color by a chain of stones wins.",
            "With the pie rule, the second player may swap in the first turn: this player takes "
            "the opening stone and its color. So do not open with your best cell.",
        ),
        "Mark the vertices of black's two borders black and those of white's two borders white. "
        "Borders stand around the vertices on which you play: nobody plays on a marked vertex. "
        "The vertices of one border are joined by edges, and those of a corner belong to one "
        "border only.",
    ),
)
