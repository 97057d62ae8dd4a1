"""The program that plays groups of games on a machine of a cluster, one process for each core.

A worker of the cluster starts it, like the one that plays tournaments. JAX is not needed: without a
GPU for it, the network's own machine code evaluates positions.
"""

from __future__ import annotations

import socket
from dataclasses import replace
from functools import cache

from ludograph.arena.executor.cluster.process import check_rules, serve, unpickled
from ludograph.errors import InvalidInput, LudographError
from ludograph.learning.groups import GameGroup, choose_device, play_timed
from ludograph.learning.samples import Samples


def outcome_of(data: bytes) -> tuple[Samples, float] | InvalidInput:
    """Play a pickled group; return its positions and the processor time, or the error."""
    try:
        version, group = unpickled(data)
        start, _ = group.starts[0]
        check_rules(start.game, version)
        return play_timed(for_this_machine(group))
    except LudographError as error:
        return InvalidInput(f"{socket.gethostname()}: {error}")


def for_this_machine(group: GameGroup) -> GameGroup:
    """Return a group without the parameters for JAX if JAX has no GPU here."""
    return group if group.parameters is None or has_gpu() else replace(group, parameters=None)


@cache
def has_gpu() -> bool:
    """Tell whether JAX is installed and finds a GPU; if so, it computes there."""
    try:
        choose_device("gpu")
    except (ImportError, RuntimeError):
        return False
    return True


if __name__ == "__main__":
    serve(outcome_of)
