"""A graph network: the value and the likely moves of any position of any game on any graph.

A network reads the same features as learners (:mod:`ludograph.rules.features`): those of the
vertices and of the game, and the vertices that each move touches. Messages pass along the edges of
the board, and from all vertices to each one. So one network plays on boards of any size and of any
shape. It runs in machine code: only learning needs more packages (:mod:`ludograph.learning`).

``layers``
    The trained numbers, and their shapes.
``forward``
    A network on a board: how vertices are related, and memory to work in. From features to logits
    of moves and to values; :class:`~ludograph.search.mcts.MonteCarlo` uses it to evaluate its
    leaves.
``evaluator``
    Evaluates batches of positions for :class:`~ludograph.search.batched.searches.BatchedSearch`.
``file``
    The file of a network.
"""

from ludograph.search.network.evaluator import NetworkEvaluator
from ludograph.search.network.file import TrainedNetwork, digest_of, read_network, write_network
from ludograph.search.network.forward import GraphNetwork, check_features, place_network
from ludograph.search.network.layers import (
    Layers,
    NetworkShape,
    check_layers,
    layer_shapes,
    random_layers,
)

__all__ = [
    "GraphNetwork",
    "Layers",
    "NetworkEvaluator",
    "NetworkShape",
    "TrainedNetwork",
    "check_features",
    "check_layers",
    "digest_of",
    "layer_shapes",
    "place_network",
    "random_layers",
    "read_network",
    "write_network",
]
