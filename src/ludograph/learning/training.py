"""Steps of an optimizer: AdamW, a warm-up, clipped gradients, and the mean of recent parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
import optax

from ludograph.errors import InvalidInput
from ludograph.learning.model import Losses, Parameters, loss
from ludograph.learning.samples import Batch, Targets
from ludograph.search.network.layers import NetworkShape

WARM_UP = 100
"""Steps until the full rate."""

WEIGHT_DECAY = 1e-4

CLIPPED = 1.0
"""The greatest norm of a gradient."""

MEMORY = 0.999
"""The weight of the old mean of recent parameters in a step, after many steps."""


@dataclass(eq=False)
class Training:
    """The state of learning.

    Attributes
    ----------
    parameters, mean
        The learned parameters; and the mean of recent ones, which plays better.
    optimizer_state
        The state of optax.
    steps
        The number of steps so far.
    """

    shape: NetworkShape
    optimizer: Any
    parameters: Parameters
    mean: Parameters
    optimizer_state: Any
    steps: int
    compiled: Any

    @classmethod
    def begun(cls, shape: NetworkShape, first: Parameters, *, rate: float) -> Training:
        """Return the state before the first step, with the parameters to begin with."""
        schedule = optax.linear_schedule(rate / WARM_UP, rate, WARM_UP)
        optimizer = optax.chain(
            optax.clip_by_global_norm(CLIPPED), optax.adamw(schedule, weight_decay=WEIGHT_DECAY)
        )
        parameters = {name: jax.numpy.asarray(array) for name, array in first.items()}

        def step(
            parameters: Parameters, mean: Parameters, state: Any, memory: Any, batch: Any
        ) -> tuple[Parameters, Parameters, Any, Losses]:
            (_, parts), gradient = jax.value_and_grad(loss, has_aux=True)(parameters, *batch)
            updates, state = optimizer.update(gradient, state, parameters)
            parameters = optax.apply_updates(parameters, updates)
            mean = optax.incremental_update(parameters, mean, 1.0 - memory)
            return parameters, mean, state, parts

        return cls(
            shape,
            optimizer,
            parameters,
            parameters,
            optimizer.init(parameters),
            0,
            jax.jit(step),
        )

    def step(self, batch: Batch, targets: Targets) -> Losses:
        """Learn from a batch; return the losses before the step."""
        memory = np.float32(min(MEMORY, (1 + self.steps) / (10 + self.steps)))
        self.parameters, self.mean, self.optimizer_state, parts = self.compiled(
            self.parameters, self.mean, self.optimizer_state, memory, (batch, targets)
        )
        self.steps += 1
        return parts

    def arrays(self) -> dict[str, Any]:
        """Return all that :meth:`restore` needs, as arrays by name."""
        leaves = jax.tree_util.tree_leaves(self.optimizer_state)
        found = {f"optimizer.{number}": np.asarray(leaf) for number, leaf in enumerate(leaves)}
        found |= {f"parameters.{name}": np.asarray(each) for name, each in self.parameters.items()}
        found |= {f"mean.{name}": np.asarray(each) for name, each in self.mean.items()}
        return {**found, "steps": np.array(self.steps)}

    def restore(self, arrays: dict[str, Any]) -> None:
        """Restore the state from stored arrays.

        Raises
        ------
        InvalidInput
            If they do not fit this network.
        """
        wanted = self.arrays()
        for name, array in wanted.items():
            kept = arrays.get(name)
            if kept is None or kept.shape != array.shape or kept.dtype != array.dtype:
                raise InvalidInput(f"it has no array {name} as this network needs it")

        def loaded(prefix: str, names: Sequence[str]) -> dict[str, Any]:
            return {name: jax.numpy.asarray(arrays[f"{prefix}.{name}"]) for name in names}

        leaves, tree = jax.tree_util.tree_flatten(self.optimizer_state)
        kept = [jax.numpy.asarray(arrays[f"optimizer.{place}"]) for place in range(len(leaves))]
        self.optimizer_state = jax.tree_util.tree_unflatten(tree, kept)
        self.parameters = loaded("parameters", list(self.parameters))
        self.mean = loaded("mean", list(self.mean))
        self.steps = int(arrays["steps"])
