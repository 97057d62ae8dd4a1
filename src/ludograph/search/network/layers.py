"""The layers of a graph network, and the shapes that they must have.

The network, with ``h`` the features of the vertices and ``pool(h)`` their mean and their greatest
values over all vertices, side by side:

- ``h = relu(vertices @ vertex_in + game @ game_in + bias_in)``;
- in each layer, with ``x = norm(h)``, ``h += relu(x @ body[0] + sum over relations r of
  mean_r(x) @ body[1 + r] + pool(x) @ pooled + body_bias)``, where ``mean_r(x)`` is the mean over
  the vertices that a vertex is related to;
- ``norm(h)`` divides the features of each vertex by the root of their mean square (Zhang, Sennrich:
  "Root mean square layer normalization", 2019): without it learning is slow, and fails at the rates
  that learn quickly;
- the moves and the values read ``f = norm(h)`` after the last layer;
- the logit of a move is ``relu(sum over slots s of mean_s(f) @ touch[s] + pool(f) @ policy_pooled +
  kind[its kind] + log(1 + its vertices) * counted) @ policy_out``. Slot ``s`` is the vertex that
  the move touches at that place; the last slot is the mean over all further ones;
- the values are ``tanh(relu(pool(f) @ hidden + hidden_bias) @ value_out + value_bias)``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludograph.errors import InvalidInput
from ludograph.formatting import described, one_line
from ludograph.rules.products import LANES, Floats

MOST_CHANNELS, MOST_LAYERS, MOST_HIDDEN, MOST_SLOTS = 512, 64, 1024, 3
MOST_FEATURES = 1 << 12
"""Of a vertex or of a game, and kinds of moves."""

MOST_SEATS = 64

RELATIONS = ("neighbors", "lines")
"""The relations of vertices: ``neighbors`` by an edge; ``lines`` if one is on a straight line from
the other, as queens and rooks move."""

NORM_FLOOR = 1e-5
"""Added to a mean square before the division."""

GREATEST = 65504
"""The greatest number of half precision; with numbers up to it no sum of a network overflows."""

MOVE_CHANNELS = LANES
"""Features of a move."""


@dataclass(frozen=True)
class NetworkShape:
    """The sizes of a network.

    Attributes
    ----------
    vertex_features, game_features, kinds
        Of the game, see :class:`~ludograph.rules.features.ObservationInfo`.
    seats
        Of the game, 2 or more.
    slots
        The number of vertices of a move whose order counts, from 1 to 3.
    channels
        Features of a vertex inside the network, a multiple of 16.
    layers
        The number of rounds of messages.
    hidden
        Numbers between the pooled vertices and the values.
    relations
        Some of :data:`RELATIONS`.

    Raises
    ------
    InvalidInput
        If a size is out of its range.
    """

    vertex_features: int
    game_features: int
    kinds: int
    seats: int
    slots: int = 1
    channels: int = 32
    layers: int = 6
    hidden: int = 32
    relations: tuple[str, ...] = ("neighbors",)

    def __post_init__(self) -> None:
        """Raise InvalidInput if a size is out of its range."""
        ranges = {
            "vertex_features": (1, MOST_FEATURES),
            "game_features": (0, MOST_FEATURES),
            "kinds": (1, MOST_FEATURES),
            "seats": (2, MOST_SEATS),
            "slots": (1, MOST_SLOTS),
            "channels": (LANES, MOST_CHANNELS),
            "layers": (1, MOST_LAYERS),
            "hidden": (1, MOST_HIDDEN),
        }
        for name, (least, most) in ranges.items():
            size = getattr(self, name)
            if isinstance(size, bool) or not isinstance(size, int) or not least <= size <= most:
                raise InvalidInput(
                    f"{name} of a network must be a whole number from {least} to {most}, "
                    f"got {described(size)}"
                )
        if self.channels % LANES:
            raise InvalidInput(
                f"channels of a network must be a multiple of {LANES}, got {self.channels}"
            )
        known = [name for name in RELATIONS if name in self.relations]
        if not known or list(self.relations) != known:
            raise InvalidInput(
                f"relations of a network must be some of {', '.join(RELATIONS)}, in this order, "
                f"got {one_line(', '.join(map(str, self.relations))) or 'none'}"
            )

    @property
    def values(self) -> int:
        """The number of values: one for two seats, as the other seat's follows from it."""
        return 1 if self.seats == 2 else self.seats


class Layers(NamedTuple):
    """The trained numbers: all ``float32``, with the shapes of :func:`layer_shapes`."""

    vertex_in: Floats
    game_in: Floats
    bias_in: Floats
    body: Floats
    pooled: Floats
    body_bias: Floats
    touch: Floats
    kind: Floats
    counted: Floats
    policy_pooled: Floats
    policy_out: Floats
    hidden: Floats
    hidden_bias: Floats
    value_out: Floats
    value_bias: Floats


def layer_shapes(shape: NetworkShape) -> dict[str, tuple[int, ...]]:
    """Return the shape of each field of :class:`Layers`.

    Examples
    --------
    >>> layer_shapes(NetworkShape(7, 3, 2, seats=2, layers=4))["body"]
    (4, 2, 32, 32)
    """
    c, deep, wide = shape.channels, shape.layers, MOVE_CHANNELS
    return {
        "vertex_in": (shape.vertex_features, c),
        "game_in": (shape.game_features, c),
        "bias_in": (c,),
        "body": (deep, 1 + len(shape.relations), c, c),
        "pooled": (deep, 2 * c, c),
        "body_bias": (deep, c),
        "touch": (shape.slots, c, wide),
        "kind": (shape.kinds, wide),
        "counted": (wide,),
        "policy_pooled": (2 * c, wide),
        "policy_out": (wide,),
        "hidden": (2 * c, shape.hidden),
        "hidden_bias": (shape.hidden,),
        "value_out": (shape.hidden, shape.values),
        "value_bias": (shape.values,),
    }


def check_layers(shape: NetworkShape, arrays: Mapping[str, np.ndarray]) -> Layers:
    """Return arrays as the layers of a network of this shape.

    Raises
    ------
    InvalidInput
        If one is missing, has another type or shape, or has a number outside half precision.
    """
    found = []
    for name, wanted in layer_shapes(shape).items():
        if name not in arrays:
            raise InvalidInput(f"the network has no array {name}")
        array = arrays[name]
        if array.dtype not in (np.float16, np.float32) or array.shape != wanted:
            raise InvalidInput(
                f"the network's array {name} must be float16 or float32 of shape {wanted}, "
                f"it is {array.dtype} of shape {array.shape}"
            )
        layer = np.array(array, np.float32, order="C")
        if not (np.abs(layer) <= GREATEST).all():
            raise InvalidInput(
                f"the network's array {name} holds a number that is not from {-GREATEST} to "
                f"{GREATEST}"
            )
        found.append(layer)
    return Layers(*found)


def random_layers(shape: NetworkShape, seed: int) -> Layers:
    """Return random layers of an untrained network."""
    rng = np.random.default_rng(seed)
    arrays: dict[str, Any] = {}
    for name, size in layer_shapes(shape).items():
        if len(size) == 1 or name == "value_out":
            arrays[name] = np.zeros(size, np.float32)
            if name == "policy_out":
                arrays[name] = rng.standard_normal(size).astype(np.float32) * 0.1
            continue
        inputs = size[-2] * (size[-3] if name == "body" else 1)
        scale = 1.0 / np.sqrt(max(inputs, 1))
        if name in ("body", "pooled"):
            scale /= np.sqrt(shape.layers)
        arrays[name] = (rng.standard_normal(size) * scale).astype(np.float32)
    return check_layers(shape, arrays)
