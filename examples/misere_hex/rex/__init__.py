"""Rex, which is misere Hex: who joins their two borders loses."""

from ludograph.games.declaration import Help
from ludograph.games.hex.options import DECLARATION as HEX

DECLARATION = HEX.variant(
    "rex",
    summary="do not join your two borders: who does loses",
    home="rex.game:rex",
    solving={"board": "hexagonal:3"},
    help=Help(
        "Hex the other way round: who joins their two borders with a path of stones loses.",
        "  ludograph rex --size 5 mcts random  on a small board\n",
    ),
)
