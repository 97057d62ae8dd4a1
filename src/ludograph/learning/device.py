"""A network that JAX computes, as the evaluator of batched searches: for self-play on a GPU.

The formulas are those of :mod:`ludograph.learning.model`; the network's own machine code
(:class:`~ludograph.search.network.NetworkEvaluator`) gives the same answers up to rounding. Each
shape of a batch is compiled by itself, which takes seconds; so batches are filled up to a few of
them.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ludograph.formatting import counted
from ludograph.games.blocks import usable_cores
from ludograph.learning.model import Parameters, outputs
from ludograph.learning.samples import Batch, Surface
from ludograph.rules import Moves, compiled
from ludograph.rules.announcer import announcer
from ludograph.rules.batch import AllScores, States
from ludograph.rules.features import Features
from ludograph.rules.observer import Arrays
from ludograph.search.network import NetworkShape
from ludograph.search.network.evaluator import count_of

FEWEST_ROWS = 64
"""Batches are filled up to this number of rows, or its double, and so on."""

FEWEST_PLACES = 256
"""Moves, and the vertices that they touch, are cut to this number, or its double, and so on."""

COMPILING = frozenset(
    f"/jax/core/compile/{part}_duration" for part in ("jaxpr_to_mlir_module", "backend_compile")
)
"""What JAX calls the times of its compilations."""

_spent = dict.fromkeys(COMPILING, 0.0)


def _note(event: str, seconds: float, **_: Any) -> None:
    if event in COMPILING:
        _spent[event] += seconds


jax.monitoring.register_event_duration_secs_listener(_note)


def compile_seconds() -> float:
    """Return for how many seconds Numba and JAX have compiled in this process."""
    return announcer.spent + sum(_spent.values())


def computes_on_gpu() -> bool:
    """Tell whether JAX computes on a GPU."""
    device = jax.config.jax_default_device or jax.devices()[0]
    return bool(device.platform != "cpu")


def machine() -> str:
    """Return the machine in words: ``2 cores``, or with the name of a GPU."""
    cores = counted(usable_cores(), "core")
    return f"{cores}, {jax.devices()[0].device_kind}" if computes_on_gpu() else cores


class DeviceNetwork:
    """A network on the device where JAX computes, for all boards and threads."""

    def __init__(self, shape: NetworkShape, parameters: Parameters) -> None:
        self.shape, self.parameters = shape, jax.device_put(parameters)

    def evaluator(self, surface: Surface, *, by_code: bool) -> DeviceEvaluator:
        """Return the evaluator of positions on a board."""
        return DeviceEvaluator(self, surface, by_code=by_code)


class DeviceEvaluator:
    """Evaluates positions of one board: ``evaluate`` of a batched search with ``touches=True``.

    Parameters
    ----------
    by_code
        Whether an action is the code of a move, see :class:`~ludograph.rules.observer.Observer`.
    """

    def __init__(self, network: DeviceNetwork, surface: Surface, *, by_code: bool) -> None:
        self.network, self.by_code = network, by_code
        inside = int(surface.mask.sum())
        self.related = jax.device_put(surface.related[:, :inside, :inside])

    def __call__(self, observations: Arrays) -> tuple[Features, AllScores]:
        """Return logits, ``float32[rows, actions]``, and values, ``float64[rows, seats]``."""
        moves, ends = observations["moves"], observations["ends"]
        rows, actions = observations["action_mask"].shape
        counts = np.zeros(rows, np.int32)
        most, entries = extent(moves, ends, counts)
        size = size_for(rows, FEWEST_ROWS, None)
        width = size_for(most, FEWEST_PLACES, moves.shape[1])
        entries = size_for(entries, FEWEST_PLACES, observations["touched"].shape[1])
        logits, values = predicted_rows(
            self.network.parameters,
            self.related,
            *(rows_up_to(observations[name], size) for name in ("vertices", "game")),
            *(rows_up_to(observations[name][:, :width], size) for name in ("kinds", "ends")),
            rows_up_to(observations["touched"][:, :entries], size),
            rows_up_to(counts, size),
            slots=self.network.shape.slots,
        )
        policy = np.zeros((rows, actions), np.float32)
        spread(np.asarray(logits), moves, counts, self.by_code, policy)
        seen = np.asarray(values)[:rows].astype(np.float64)
        return policy, seen if self.network.shape.values > 1 else np.concatenate([seen, -seen], 1)


@compiled
def extent(moves: States, ends: States, counts: Moves) -> tuple[int, int]:
    """Count the moves of each row; return the most moves, and the most vertices they touch."""
    most, entries = 0, 0
    for row in range(moves.shape[0]):
        counts[row] = count_of(moves[row])
        most = max(most, counts[row])
        if counts[row]:
            entries = max(entries, ends[row, counts[row] - 1])
    return most, entries


@compiled
def spread(logits: Features, moves: States, counts: Moves, by_code: bool, policy: Features) -> None:
    """Write the logits of moves, in their order, as those of actions."""
    for row in range(policy.shape[0]):
        for place in range(counts[row]):
            policy[row, moves[row, place] if by_code else place] = logits[row, place]


def size_for(number: int, fewest: int, most: int | None) -> int:
    """Return the padded size for a number.

    Examples
    --------
    >>> size_for(70, 64, None), size_for(70, 64, 100)
    (128, 100)
    """
    size = fewest
    while size < number:
        size *= 2
    return size if most is None else min(size, most)


def rows_up_to(array: Any, rows: int) -> Any:
    """Return an array with rows of zeros behind it."""
    if array.shape[0] == rows:
        return array
    found = np.zeros((rows, *array.shape[1:]), array.dtype)
    found[: array.shape[0]] = array
    return found


def predict_rows(  # noqa: PLR0913  # the arrays of an observation, by their names
    parameters: Parameters,
    related: Any,
    vertices: Any,
    game: Any,
    kinds: Any,
    ends: Any,
    touched: Any,
    counts: Any,
    *,
    slots: int,
) -> tuple[Any, Any]:
    """Return logits, ``float32[rows, moves]``, and values, ``float32[rows, values]``.

    Parameters
    ----------
    related
        ``float32[relations, n, n]``, as in :class:`~ludograph.learning.samples.Batch`.
    vertices, game, kinds, ends, touched
        The arrays of an observation, a row for each position.
    counts
        ``int32[rows]``: the number of legal moves.
    """
    rows, n, _ = vertices.shape
    moves, width = kinds.shape[1], touched.shape[1]
    real = jnp.arange(moves)[None] < counts[:, None]
    last = jnp.max(jnp.where(real, ends, 0), axis=1, keepdims=True)
    ends = jnp.where(real, ends, last)
    begins = jnp.concatenate([jnp.zeros((rows, 1), ends.dtype), ends[:, :-1]], axis=1)
    sizes = ends - begins
    place = jnp.arange(width)
    own = jax.vmap(lambda row: jnp.searchsorted(row, place, side="right"))(ends)
    used = own < moves
    own = jnp.minimum(own, moves - 1)
    inside = place[None] - jnp.take_along_axis(begins, own, axis=1)
    slot = jnp.clip(inside, 0, slots - 1)
    shared = jnp.maximum(jnp.take_along_axis(sizes, own, axis=1) - (slots - 1), 1)
    row = jnp.arange(rows)[:, None]
    batch = Batch(
        vertices=vertices[None],
        game=game[None],
        related=related[None],
        mask=jnp.ones((1, n), jnp.float32),
        owners=jnp.repeat(jnp.arange(rows), moves),
        kinds=jnp.where(real, kinds, 0).reshape(-1),
        logarithms=jnp.log1p(sizes.astype(jnp.float32)).reshape(-1),
        entry_moves=jnp.where(used, row * moves + own, rows * moves).reshape(-1),
        entry_places=jnp.where(used, (row * n + touched) * slots + slot, 0).reshape(-1),
        entry_shares=jnp.where(slot == slots - 1, 1.0 / shared, 1.0).reshape(-1),
    )
    found = outputs(parameters, batch)
    return jnp.where(real, found.logits.reshape(rows, moves), 0.0), found.values


predicted_rows = jax.jit(predict_rows, static_argnames=("slots",))
