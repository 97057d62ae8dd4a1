"""The game of Rex: the board and the moves of Hex, and the scores exchanged at the end."""

from ludograph import rules
from ludograph.games.hex.game import Hex
from ludograph.games.hex.rules import hex_key, hex_sample_move, hex_scores
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import implements
from rex import DECLARATION


class RexSetup(HexSetup):
    """The Setup of Hex under a name of its own, for the rules of Rex."""


@implements(rules.scores, RexSetup)
def rex_scores(setup, state, out):
    hex_scores(setup, state, out)
    out[0], out[1] = out[1], out[0]


@implements(rules.key, RexSetup)
def rex_key(setup, state):
    return hex_key(setup, state)


@implements(rules.sample_move, RexSetup)
def rex_sample_move(setup, state, rng):
    return hex_sample_move(setup, state, rng)


rules.register(RexSetup, rex_key, rex_sample_move, otherwise=HexSetup)


class Rex(Hex):
    declaration = DECLARATION
    version = 1
    setup_type = RexSetup


rex = Rex()
