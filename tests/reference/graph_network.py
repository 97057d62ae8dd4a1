"""A graph network, move by move and vertex by vertex, as its formulas say."""

from __future__ import annotations

import numpy as np

from ludograph.search.network import Layers


def relu(numbers):
    return np.maximum(numbers, 0.0)


def pool(features):
    return np.concatenate([features.mean(axis=0), features.max(axis=0)])


def norm(features):
    return features / np.sqrt((features**2).mean(axis=1, keepdims=True) + 1e-5)


def mean_over(features, related):
    rows = [
        features[list(others)].mean(axis=0) if others else features[0] * 0 for others in related
    ]
    return np.array(rows)


def outputs(layers: Layers, relations, vertices, game, moves):
    """Return the logits of moves and the values.

    ``relations`` has for each relation a list by vertex of those that it is related to; ``moves``
    are pairs of a kind and a list of vertices.
    """
    at = {name: layer.astype(np.float64) for name, layer in layers._asdict().items()}
    total = relu(vertices @ at["vertex_in"] + game @ at["game_in"] + at["bias_in"])
    for layer, body in enumerate(at["body"]):
        found = norm(total)
        sums = found @ body[0] + pool(found) @ at["pooled"][layer] + at["body_bias"][layer]
        for related, weights in zip(relations, body[1:], strict=True):
            sums = sums + mean_over(found, related) @ weights
        total = total + relu(sums)
    found = norm(total)
    logits = []
    for kind, touched in moves:
        sums = pool(found) @ at["policy_pooled"] + at["kind"][kind]
        sums = sums + np.log(1 + len(touched)) * at["counted"]
        last = len(at["touch"]) - 1
        for slot, vertex in enumerate(touched[:last]):
            sums = sums + found[vertex] @ at["touch"][slot]
        if touched[last:]:
            sums = sums + found[list(touched[last:])].mean(axis=0) @ at["touch"][last]
        logits.append(relu(sums) @ at["policy_out"])
    units = relu(pool(found) @ at["hidden"] + at["hidden_bias"])
    values = np.tanh(units @ at["value_out"] + at["value_bias"])
    return np.array(logits), np.append(values, -values) if values.size == 1 else values
