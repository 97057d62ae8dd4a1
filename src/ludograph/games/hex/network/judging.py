"""The weights of moves for a search: by patterns at first, later by the network."""

from __future__ import annotations

import math

from ludograph.games.hex.network.forward import find_features, find_logits, find_worth
from ludograph.games.hex.network.weights import Network
from ludograph.games.hex.patterns.priors import write_priors
from ludograph.games.hex.patterns.strengths import Patterns
from ludograph.games.hex.rules import SWAPPED
from ludograph.games.hex.setup import HexSetup
from ludograph.rules import TURN, Moves, Scores, State, compiled, implements
from ludograph.search.mcts.hints import LIKELIHOODS, weigh


@implements(weigh, HexSetup)
def hex_weigh(
    setup: HexSetup,
    knowledge: Patterns,
    state: State,
    moves: Moves,
    wanted: int,
    out: Scores,
    rewards: Scores,
) -> bool:
    if wanted == LIKELIHOODS:
        write_priors(setup, knowledge, state, moves, out)
        return False
    network = knowledge.network
    color = state[TURN] ^ state[SWAPPED]
    side = find_features(setup, network, state, color)
    find_logits(network, side)
    worth = 1.0 / (1.0 + math.exp(-find_worth(network, side)))
    rewards[state[TURN]] = worth
    rewards[1 - state[TURN]] = 1.0 - worth
    share(network, color, moves, out)
    return True


@compiled
def share(network: Network, color: int, moves: Moves, out: Scores) -> None:
    """Write the probabilities of moves: the softmax of their logits."""
    greatest = -math.inf
    for index in range(moves.size):
        out[index] = network.logits[network.grid_of[color, moves[index]]]
        greatest = max(greatest, out[index])
    total = 0.0
    for index in range(moves.size):
        out[index] = math.exp(out[index] - greatest)
        total += out[index]
    for index in range(moves.size):
        out[index] /= total
