"""A network as the evaluator of a batched search."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludograph.boards import Board
from ludograph.rules import Moves, Setup, compiled
from ludograph.rules.batch import AllScores, States
from ludograph.rules.features import Features
from ludograph.rules.lockstep import LockstepThreads
from ludograph.rules.observer import Arrays, sizes_of
from ludograph.search.network.forward import GraphNetwork, evaluate_features, place_network
from ludograph.search.network.layers import Layers, NetworkShape


class NetworkEvaluator:
    """Evaluates positions of one board: ``evaluate`` of a batched search with ``touches=True``.

    Parameters
    ----------
    shape, layers
        Of the network.
    setup, board
        Of any of the positions; all must have the same board.
    threads
        Threads that evaluate together.

    Raises
    ------
    InvalidInput
        If the network does not fit.
    """

    def __init__(
        self,
        shape: NetworkShape,
        layers: Layers,
        setup: Setup,
        board: Board | None,
        *,
        threads: int = 1,
    ) -> None:
        self.networks = [place_network(shape, layers, setup, board) for _ in range(threads)]
        self.by_code = sizes_of(setup).codes > 0
        self.threads = LockstepThreads(threads)

    def __call__(self, observations: Arrays) -> tuple[Features, AllScores]:
        """Return logits, ``float32[rows, actions]``, and values, ``float64[rows, seats]``.

        Parameters
        ----------
        observations
            Of :class:`~ludograph.rules.observer.Observer` with touches.
        """
        rows, actions = observations["action_mask"].shape
        policy = np.zeros((rows, actions), np.float32)
        values = np.zeros((rows, self.networks[0].values.size))
        names = ("vertices", "game", "moves", "kinds", "ends", "touched")
        bounds = np.linspace(0, rows, len(self.networks) + 1).astype(int)

        def work(thread: int) -> None:
            part = slice(bounds[thread], bounds[thread + 1])
            seen: list[Any] = [observations[name][part] for name in names]
            vertices, game, moves, kinds, ends, touched = seen
            evaluate_all(
                *(self.networks[thread], vertices, game, moves, kinds, ends, touched),
                *(self.by_code, policy[part], values[part]),
            )

        self.threads.run(work, range(len(self.networks)))
        return policy, values


@compiled
def evaluate_all(  # noqa: PLR0913  # the arrays of an observation, by their names
    network: GraphNetwork,
    vertices: Features,
    games: Features,
    moves: States,
    kinds: States,
    ends: States,
    touched: States,
    by_code: bool,
    policy: Features,
    values: AllScores,
) -> None:
    """Write logits and values of positions, a row each."""
    for row in range(policy.shape[0]):
        count = count_of(moves[row])
        evaluate_features(
            network, vertices[row], games[row], kinds[row, :count], ends[row, :count], touched[row]
        )
        for place in range(count):
            policy[row, moves[row, place] if by_code else place] = network.logits[place]
        for seat in range(network.values.size):
            values[row, seat] = network.values[seat]


@compiled
def count_of(moves: Moves) -> int:
    """Return the number of moves before the first -1."""
    for place in range(moves.size):
        if moves[place] < 0:
            return place
    return int(moves.size)
