"""Amazons' strategies: the generic searches, Monte-Carlo tree search with constants of its own."""

from dataclasses import replace

from ludograph.games.searching import GENERIC, mcts_options

SUMMARY = "Monte-Carlo tree search that judges by territory"
MCTS = replace(GENERIC["mcts"], summary=SUMMARY, options=mcts_options(c=0.3))

STRATEGIES = {**GENERIC, "mcts": MCTS}
"""The strategies by name."""
