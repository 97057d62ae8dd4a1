"""Leaf values of Penguins for Monte Carlo search: a few random plies, then the territory.

Random players waste most of what they could eat, so games that they play to the end say less of a
position than who gets where first (Lorentz: "Amazons discover Monte-Carlo", 2008, found the same of
Amazons, a game of territory like this one).
"""

from __future__ import annotations

from ludograph.games.penguins.evaluation import add_territory
from ludograph.games.penguins.rules import UNPLACED
from ludograph.games.penguins.setup import PenguinsSetup
from ludograph.rules import OVER, TURN, Rng, Scores, State, contract, implements
from ludograph.search.mcts.hints import leaf_value

PLIES = 2
"""Moves played before a look at the territory; all penguins are placed first."""

WEIGHT = 1.0
"""What a fish of the territory is worth: then the values are those of scores at the end."""


@implements(leaf_value, PenguinsSetup)
def penguins_leaf_value(setup: PenguinsSetup, state: State, rng: Rng, out: Scores) -> None:
    plies = PLIES + state[UNPLACED]
    while state[TURN] != OVER and plies > 0:
        contract.play(setup, state, contract.sample_move(setup, state, rng))
        plies -= 1
    contract.scores(setup, state, out)
    if state[TURN] != OVER:
        add_territory(setup, state, WEIGHT, out)
