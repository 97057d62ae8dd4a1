"""Values of positions of Penguins for searches.

Alpha-beta search reads the evaluation of a position as it is. Monte Carlo search plays a few random
plies before. Random players waste most of what they could eat, so games that they play to the end
say less of a position than who gets where first (Lorentz: "Amazons discover Monte-Carlo", 2008,
found the same of Amazons, a game of territory like this one).
"""

from __future__ import annotations

from ludograph.games.penguins.evaluation import MOBILITY, TERRITORY, add_mobility
from ludograph.games.penguins.rules import UNPLACED
from ludograph.games.penguins.search_setup import PenguinsSearchSetup
from ludograph.games.penguins.tile_sets import add_territory_of_sets
from ludograph.rules import OVER, TURN, Rng, Scores, State, contract, implements
from ludograph.search.mcts.hints import leaf_value

PLIES = 2
"""Moves played before a look at the position; all penguins are placed first."""


@implements(contract.evaluate, PenguinsSearchSetup)
def search_evaluate(setup: PenguinsSearchSetup, state: State, out: Scores) -> None:
    """Write what the evaluation of the game says; O(tiles) on a board that has tile sets."""
    base, sets = setup.base, setup.sets
    if sets.near.size == 0:
        contract.evaluate(base, state, out)
        return
    contract.scores(base, state, out)
    if state[TURN] != OVER:
        add_territory_of_sets(base, sets, state, TERRITORY, out)
        add_mobility(base, state, MOBILITY, out)


@implements(leaf_value, PenguinsSearchSetup)
def penguins_leaf_value(setup: PenguinsSearchSetup, state: State, rng: Rng, out: Scores) -> None:
    plies = PLIES + state[UNPLACED]
    while state[TURN] != OVER and plies > 0:
        contract.play(setup.base, state, contract.sample_move(setup.base, state, rng))
        plies -= 1
    search_evaluate(setup, state, out)
