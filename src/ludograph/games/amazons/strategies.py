"""Amazons' strategies: the generic searches, and one that looks a single move ahead."""

from dataclasses import replace
from functools import partial

from ludograph.games.searching import GENERIC, MctsPlayer, MinimaxPlayer, mcts_options
from ludograph.games.strategy import Strategy

EXPLORATION = 0.3
"""What Monte-Carlo search does best with in this game."""

PATIENCE = 10
"""Visits before a node of its tree gets children, of which there are a thousand at first."""

MCTS = replace(
    GENERIC["mcts"],
    make=partial(MctsPlayer, patience=PATIENCE),
    summary="Monte-Carlo tree search that judges by territory",
    options=mcts_options(EXPLORATION),
)
GREEDY = Strategy("greedy", "most territory after its move", partial(MinimaxPlayer, depth=1))
STRATEGIES = {**GENERIC, "mcts": MCTS, "greedy": GREEDY}
"""The strategies by name."""
