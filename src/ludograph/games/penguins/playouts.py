"""Values of positions of Penguins for searches.

Alpha-beta search uses the evaluation of the position itself. Monte Carlo search plays a few random
plies first. Random players waste most of their fish, so the results of games played to the end say
less about a position than the territories do. Lorentz found the same for Amazons, another game of
territory ("Amazons discover Monte-Carlo", 2008).
"""

from __future__ import annotations

from ludograph.games.penguins.evaluation import MOBILITY, TERRITORY, add_mobility
from ludograph.games.penguins.rules import UNPLACED
from ludograph.games.penguins.search_setup import PenguinsSearchSetup
from ludograph.games.penguins.tile_sets import add_territory_of_sets
from ludograph.rules import OVER, TURN, Rng, Scores, State, contract, implements
from ludograph.search.mcts.hints import leaf_value

PLIES = 2
"""The random moves before the evaluation; unplaced penguins are placed before them."""


@implements(contract.evaluate, PenguinsSearchSetup)
def search_evaluate(setup: PenguinsSearchSetup, state: State, out: Scores) -> None:
    """Write the same values as the evaluation of the game; O(tiles) if the board has tile sets."""
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
