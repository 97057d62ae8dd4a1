"""Hill, which is Flood with another goal: who first takes the middle of the board wins."""

from ludograph.games.declaration import Help
from ludograph.games.flood.options import DECLARATION as FLOOD

DECLARATION = FLOOD.variant(
    "hill",
    summary="name a color, and take the middle of the board first",
    home="hill.game:hill",
    seats=(2, 16),
    solving={"board": "square:3", "colors": 4},
    help=Help(
        "Moves are those of Flood; who first takes the middle of the board wins.",
        "  ludograph hill --board square:9 mcts random  a middle at the same distance from both\n",
        (
            "Every cell has a color. Your zone is the cell where you start, and all of its color "
            "that hangs together with it.",
            "Choose a color: your whole zone takes it, and all that it touches of that color joins "
            "it. Or pass.",
            "Whose zone first holds the middle of the board, marked ^, wins.",
        ),
    ),
)
