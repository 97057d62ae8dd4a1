"""The graph network as a function that JAX differentiates.

Its formulas are in :mod:`ludograph.search.network.layers`.

Beside policy and values, the network learns to predict the end of the game, vertex by vertex: the
observation of the seat to move there (KataGo's ownership, for any game: Wu, "Accelerating self-play
learning in Go", 2019). That head is not exported; it improves the layers below.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ludograph.errors import InvalidInput
from ludograph.learning.samples import Batch, Targets
from ludograph.rules.features import Features
from ludograph.search.network.layers import (
    NORM_FLOOR,
    Layers,
    NetworkShape,
    check_layers,
    random_layers,
)

Parameters = dict[str, Any]
"""The arrays of :class:`~ludograph.search.network.layers.Layers` by name, and those of the head
that is not exported: ``final_out``, ``[channels, vertex_features]``, and ``final_bias``."""

FINAL_WEIGHT = 0.5
"""The weight of the end of the game in the loss; policy and values have 1."""

MESSAGE_GAIN = 8.0
"""The factor of the weights of messages. A condition such as "one neighbor is mine" takes large
weights, because a mean over neighbors changes little with one of them, and AdamW moves a parameter
by no more than its rate in a step. On positions of Hex 5 x 5 the policy was as good after 500 steps
as without it after 1,500."""

LEAK = 0.1
"""The slope of units below 0 in learning."""

LOWEST = -1e30


class Outputs(NamedTuple):
    """The network's outputs for a batch."""

    logits: Any
    """``float32[moves]``"""
    values: Any
    """``float32[parts * rows, values]``"""
    finals: Any
    """``float32[parts, rows, n, vertex_features]``: logits."""


class Losses(NamedTuple):
    """The distances of the network from its targets; means over a batch."""

    policy: Any
    """The Kullback-Leibler divergence of its policy from the target, in nats."""
    value: Any
    """The squared error."""
    final: Any
    """The cross-entropy, in nats for each number."""


def first_parameters(shape: NetworkShape, seed: int) -> Parameters:
    """Return random parameters of an untrained network."""
    return {
        **random_layers(shape, seed)._asdict(),
        "final_out": np.zeros((shape.channels, shape.vertex_features), np.float32),
        "final_bias": np.zeros(shape.vertex_features, np.float32),
    }


def exported(shape: NetworkShape, parameters: Parameters) -> Layers:
    """Return parameters as the layers of a network for play.

    Raises
    ------
    InvalidInput
        If one contains a number outside half precision.
    """
    arrays = {name: np.asarray(array) for name, array in parameters.items()}
    try:
        return check_layers(shape, {**arrays, "body": arrays["body"] * gains_of(shape)})
    except InvalidInput as error:
        raise InvalidInput(f"learning failed, begin again with a lower rate: {error}") from None


def parameters_of(shape: NetworkShape, layers: Layers, seed: int) -> Parameters:
    """Return the parameters whose export gives these layers; the other head is untrained."""
    first = first_parameters(shape, seed)
    return {**first, **layers._asdict(), "body": layers.body / gains_of(shape)}


def gains_of(shape: NetworkShape) -> Features:
    """Return the factors of the weights of a vertex, and of messages, in an export."""
    gains = np.full((1 + len(shape.relations), 1, 1), MESSAGE_GAIN, np.float32)
    gains[0] = 1.0
    return gains


def outputs(parameters: Parameters, batch: Batch) -> Outputs:
    """Return what the network says of a batch."""
    at = parameters
    parts, rows, n, _ = batch.vertices.shape
    inside = batch.mask[:, None, :, None]
    count = batch.mask.sum(axis=1)[:, None, None]

    def pooled(features: Any) -> Any:
        mean = (features * inside).sum(axis=2) / count
        greatest = jnp.where(inside > 0, features, LOWEST).max(axis=2)
        return jnp.concatenate([mean, greatest], axis=-1)

    base = batch.game @ at["game_in"] + at["bias_in"]
    total = jax.nn.relu(batch.vertices @ at["vertex_in"] + base[:, :, None])
    for layer in range(at["body"].shape[0]):
        body, features = at["body"][layer], normalized(total)
        sums = features @ body[0]
        for relation in range(batch.related.shape[1]):
            mean = jnp.einsum("puv,prvc->pruc", batch.related[:, relation], features)
            sums = sums + mean @ (MESSAGE_GAIN * body[1 + relation])
        base = pooled(features) @ at["pooled"][layer] + at["body_bias"][layer]
        total = total + jax.nn.relu(sums + base[:, :, None])
    features = normalized(total)
    pool = pooled(features).reshape(parts * rows, -1)
    units = rectified(pool @ at["hidden"] + at["hidden_bias"])
    return Outputs(
        logits=move_logits(at, batch, features.reshape(parts * rows * n, -1), pool),
        values=jnp.tanh(units @ at["value_out"] + at["value_bias"]),
        finals=features @ at["final_out"] + at["final_bias"],
    )


def normalized(total: Any) -> Any:
    """Return features divided by the root of their mean square, vertex by vertex."""
    square = (total * total).mean(axis=-1, keepdims=True)
    return total * jax.lax.rsqrt(square + NORM_FLOOR)


def rectified(numbers: Any) -> Any:
    """Return numbers with 0 for negative ones; units that are always 0 still learn.

    Without this slope all units after the pool became 0 for all positions of Hex 5 x 5 after some
    hundred steps, and the value stayed the same from then on.
    """
    below = LEAK * jnp.minimum(numbers, 0.0)
    return jax.nn.relu(numbers) + below - jax.lax.stop_gradient(below)


def move_logits(at: Parameters, batch: Batch, features: Any, pool: Any) -> Any:
    """Return the logits of all moves.

    Parameters
    ----------
    features, pool
        ``float32[parts * rows * n, channels]``, ``float32[parts * rows, 2 * channels]``.
    """
    moves = batch.kinds.shape[0]
    wide = at["touch"].shape[-1]
    projected = jnp.einsum("vc,scw->vsw", features, at["touch"]).reshape(-1, wide)
    entries = projected[batch.entry_places] * batch.entry_shares[:, None]
    sums = jax.ops.segment_sum(entries, batch.entry_moves, moves + 1)[:moves]
    base = (pool @ at["policy_pooled"])[jnp.minimum(batch.owners, pool.shape[0] - 1)]
    sums = sums + base + at["kind"][batch.kinds] + batch.logarithms[:, None] * at["counted"]
    return jax.nn.relu(sums) @ at["policy_out"]


def losses(found: Outputs, batch: Batch, targets: Targets) -> Losses:
    """Return the distances of the network from its targets."""
    rows = targets.weights.shape[0]
    greatest = jax.ops.segment_max(found.logits, batch.owners, rows + 1)
    shifted = found.logits - jax.lax.stop_gradient(greatest)[batch.owners]
    total = jax.ops.segment_sum(jnp.exp(shifted), batch.owners, rows + 1)
    logarithms = shifted - jnp.log(total)[batch.owners]
    wanted = targets.policy
    known = jnp.log(jnp.maximum(wanted, 1e-30))
    terms = jnp.where(wanted > 0, wanted * (known - logarithms), 0.0)
    by_row = jax.ops.segment_sum(terms, batch.owners, rows + 1)[:rows]
    weight = jnp.maximum(targets.weights.sum(), 1e-9)
    final = jnp.clip(targets.finals, 0.0, 1.0)
    entropy = jax.nn.softplus(found.finals) - final * found.finals
    inside = jnp.broadcast_to(batch.mask[:, None, :, None], entropy.shape)
    return Losses(
        policy=(by_row * targets.weights).sum() / weight,
        value=jnp.mean((found.values - targets.values) ** 2),
        final=(entropy * inside).sum() / inside.sum(),
    )


def loss(parameters: Parameters, batch: Batch, targets: Targets) -> tuple[Any, Losses]:
    """Return the total loss, which training minimizes, and its parts."""
    parts = losses(outputs(parameters, batch), batch, targets)
    return parts.policy + parts.value + FINAL_WEIGHT * parts.final, parts
