"""How Monte-Carlo search judges a leaf of Carcassonne: by the evaluation.

Random players close next to nothing on purpose, and what they close says little of who can.
"""

from __future__ import annotations

from ludograph.games.carcassonne.setup import CarcassonneSetup
from ludograph.rules import Rng, Scores, State, contract, implements


@implements(contract.assess, CarcassonneSetup)
def carcassonne_assess(setup: CarcassonneSetup, state: State, rng: Rng, out: Scores) -> None:  # noqa: ARG001
    contract.evaluate(setup, state, out)
