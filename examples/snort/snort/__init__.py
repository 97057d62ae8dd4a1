"""Snort: claim vertices of a graph, never next to the opponent's; who cannot move loses."""

from ludograph.games.board_option import BoardType
from ludograph.games.declaration import Declaration, Help
from ludograph.games.options import Option

DECLARATION = Declaration(
    name="snort",
    summary="claim vertices, never next to the opponent's",
    home="snort.game:snort",
    options=(
        Option(
            "board",
            BoardType(("square", "torus", "hexagonal", "penrose")),
            "square:5",
            "a family with a size, as in torus:5, or a file",
        ),
    ),
    solving={"board": "square:3"},
    help=Help(
        "Two players take turns to claim a vertex; who cannot move loses.",
        "  ludograph snort --board torus:5 mcts random  on a board without an edge\n",
    ),
)
