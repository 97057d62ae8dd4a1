"""The strategies of Amazons: the generic searches, with constants of its own for ``mcts``."""

from dataclasses import replace
from functools import partial

from ludograph.games.searching import GENERIC, MctsPlayer, mcts_options
from ludograph.search.mcts import SearchOptions

SUMMARY = "Monte Carlo tree search with an evaluation of territory"
TUNED = SearchOptions(margin_weight=1.0)  # leaves have chances to win, not results
make = partial(MctsPlayer, tuned=TUNED)
MCTS = replace(GENERIC["mcts"], make=make, summary=SUMMARY, options=mcts_options(c=0.1))

STRATEGIES = {**GENERIC, "mcts": MCTS}
"""The strategies by name."""
