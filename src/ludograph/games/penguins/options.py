"""The options of Penguins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games.board_option import BoardType
from ludograph.games.declaration import Declaration, Help, Values
from ludograph.games.options import Form, Numbers, Option, Unexpected, Whole, Word

if TYPE_CHECKING:
    from ludograph.boards import Board

TILINGS = ("full-hexa", "full-tetra", "octo-tetra", "dodeca-hexa-tetra", "penrose")
"""The course's names of tilings."""

MOST_TILES = 2**19
"""The most tiles: on larger boards of all families the codes of moves exceed 31 bits."""

NUMBER, LENGTH = Whole(1, 1_000_000), Whole(1, 1_000_000)
LEADING = (
    ("the number of penguins", NUMBER),
    ("the tiling", Word(TILINGS)),
    ("the width", LENGTH),
    ("the height", LENGTH),
)
"""The course's arguments before the players, as named in messages."""


def has_opposite_sides(board: Board) -> bool:
    """Tell whether all tiles have an even number of sides."""
    sides = board.sides
    return sides is not None and all(sides.count(tile) % 2 == 0 for tile in range(board.n))


def leading(words: Sequence[str], given: Values) -> tuple[Values, Sequence[str]]:
    """Read the course's PENGUINS TILING WIDTH HEIGHT before the players, if they are given."""
    if not words or not re.fullmatch("-?[0-9]+", words[0]):
        return given, words
    if "penguins" in given:
        raise InvalidInput("--penguins is the number of penguins, so leave out the first number")
    expected = LEADING[:1] if "board" in given else LEADING
    found = []
    for (what, kind), word in zip(expected, words, strict=False):
        try:
            found.append(kind.parse(word))
        except Unexpected as error:
            raise InvalidInput(f"{what} must be {error}, got {word[:80]!r}") from None
    if len(found) < len(expected):
        raise InvalidInput(
            f"{expected[len(found)][0]} must come next, as in "
            "'ludograph penguins 3 full-hexa 8 7 line random'"
        )
    number, *tiles = found
    more: Values = {"penguins": number}
    if tiles:
        tiling, width, height = tiles
        more["board"] = f"{tiling}:{width}x{height}"
    return {**given, **more}, words[len(expected) :]


def title(values: Values) -> list[str]:
    """Return the number of penguins of each player, in words."""
    number = values["penguins"]
    return [f"{counted(number, 'penguin')} each"]


DECLARATION = Declaration(
    name="penguins",
    summary="slide over ice that melts behind you, and collect most fish",
    home="ludograph.games.penguins.game:penguins",
    order=1,
    strategies=("dissector", "eat", "line", "mcts", "minimax", "net", "random", "slide", "step"),
    seats=(2, 64),
    options=(
        Option(
            "board",
            BoardType(("full-hexa",), most=MOST_TILES, others=has_opposite_sides),
            "full-hexa:8",
            "tiling and size, as in penrose:9x9, or a file with the sides of the tiles",
        ),
        Option(
            "penguins", NUMBER, 3, "penguins of each player", form=Form(summary="for each player")
        ),
        Option(
            "fish",
            Numbers("one for every tile"),
            None,
            "number of fish on each tile, 1 to 3 (default: drawn)",
            form=Form(summary="1 to 3 for every tile, as in 1,3,2,...; drawn if empty", rare=True),
        ),
    ),
    leading=leading,
    leading_metavar="[PENGUINS TILING WIDTH HEIGHT] ",
    title=title,
    solving={"board": "full-hexa:4", "penguins": 1},
    anchors=("line", "step", "random"),
    steps=(
        "random",
        "slide",
        "step",
        "line:random=0.3",
        "line",
        "mcts:sims=30",
        "mcts:sims=200",
        "mcts:sims=1000",
    ),
    trials=(
        {"board": "full-hexa:8", "penguins": "2"},
        {"board": "square:6x7", "penguins": "2"},
        {"board": "octo-tetra:6", "penguins": "2"},
        {"board": "penrose:6", "penguins": "2"},
        {"board": "full-hexa:6", "penguins": "2", "seats": "3"},
    ),
    help=Help(
        """The tilings are full-hexa, full-tetra, octo-tetra, dodeca-hexa-tetra and penrose. As in
    the course, you may write PENGUINS TILING WIDTH HEIGHT before the players, without options.""",
        """\
  ludograph penguins --board full-hexa:8x7 line mcts:time=0.5  watch two strategies
  ludograph penguins 3 full-hexa 8 7 line mcts:time=0.5        the same, as the course writes it
  ludograph penguins 2 penrose 9 9 line minimax my_bot.py      three players
  ludograph penguins -r 100 line random                        a hundred games, seats exchanged
  ludograph penguins --penguins 2 --board ice.json line line   tiles of your own
""",
        (
            "First you take turns to place your penguins, each on a tile with one fish.",
            "Then, in each turn, you move one penguin any distance in a straight line over free "
            "ice.",
            "The tile that a penguin leaves melts, and its fish are yours.",
            "A player who cannot move is out, and the others continue. The player with most fish "
            "wins; the fish under a penguin count for its owner.",
        ),
        "Penguins slide along lines: edges that continue straight ahead in the drawing.",
    ),
)
