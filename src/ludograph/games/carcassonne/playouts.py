"""How Monte-Carlo search judges a leaf of Carcassonne: by the evaluation after the best reply.

Random players close next to nothing on purpose, and what they close says little of who can: so no
games are played to the end. A tile that is dealt is placed where the evaluation is best.
"""

from __future__ import annotations

import numpy as np

from ludograph import rules
from ludograph.games.carcassonne.setup import CarcassonneSetup
from ludograph.rules import TURN, Rng, Scores, State, compiled, contract, implements
from ludograph.search.values import margin


@implements(contract.assess, CarcassonneSetup)
def carcassonne_assess(setup: CarcassonneSetup, state: State, rng: Rng, out: Scores) -> None:  # noqa: ARG001
    if state[TURN] >= 0:
        place_best(setup, state)
    contract.evaluate(setup, state, out)


@compiled(allocates=True)
def place_best(setup: CarcassonneSetup, state: State) -> None:
    """Place the tile that is dealt where the seat to move is most ahead by the evaluation."""
    seat = int(np.int64(state[TURN]))
    moves = np.empty(setup.capacity, np.int32)
    after, best = np.empty_like(state), np.empty_like(state)
    scores = np.empty(setup.seats, np.float64)
    most = -np.inf
    for index in range(rules.legal_moves(setup, state, moves)):
        rules.copy(state, after)
        rules.play(setup, after, int(np.int64(moves[index])))
        rules.evaluate(setup, after, scores)
        lead = margin(scores, seat)
        if lead > most:
            most = lead
            after, best = best, after
    rules.copy(best, state)
