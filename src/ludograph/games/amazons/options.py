"""The options of Amazons."""

from ludograph.games.board_option import BoardType, any_board
from ludograph.games.declaration import Declaration, Help
from ludograph.games.options import Form, Option, Whole

MOST_TILES = 1290
"""The most tiles: codes of moves are below their third power, and must fit into 31 bits."""

DECLARATION = Declaration(
    name="amazons",
    summary="slide a queen and shoot an arrow, until the opponent cannot move",
    home="ludograph.games.amazons.game:amazons",
    order=5,
    strategies=("mcts", "minimax", "net", "random"),
    options=(
        Option(
            "board",
            BoardType(("square",), most=MOST_TILES, others=any_board),
            "square:10",
            "family and size, or a file with the sides of the cells",
            form=Form(sizes=(6, 8, 10)),
        ),
        Option(
            "queens",
            Whole(1, 500),
            4,
            "queens of each player",
            form=Form(summary="for each player"),
        ),
    ),
    solving={"board": "square:4", "queens": 1},
    steps=(
        "random",
        "mcts:sims=50,random=0.8",
        "mcts:sims=50,random=0.6",
        "mcts:sims=50,random=0.3",
        "mcts:sims=50",
        "mcts:sims=200",
        "mcts:sims=400",
    ),
    trials=({"board": "square:6", "queens": "2"}, {"board": "hexagonal:4", "queens": "2"}),
    anchors=("mcts:sims=50", "random", "mcts:sims=400"),
    help=Help(
        """A queen slides in a straight line over free cells. From its new cell it shoots an arrow
    in a straight line, too; the arrow blocks the cell where it lands. On squares a line may be
    diagonal. A move is written as in d1-d7/g7: from, to, arrow.""",
        """\
  ludograph amazons mcts:time=1 minimax:time=1             the usual board
  ludograph amazons --board square:6 mcts minimax:depth=1  a small one
  ludograph amazons --board penrose:9 mcts random          lines that bend
  ludograph amazons -r 100 --board full-hexa:7 --queens 3 mcts minimax
""",
        (
            "In each turn, move one of your queens any distance in a straight line over free "
            "tiles. On squares, the line may be a diagonal.",
            "From its new tile the queen shoots an arrow, also in a straight line over free tiles. "
            "The arrow blocks the tile where it lands.",
            "The player who cannot move loses.",
        ),
        "Queens and arrows move along lines: edges that continue straight ahead in the drawing.",
    ),
)
