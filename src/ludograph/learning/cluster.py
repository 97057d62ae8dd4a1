"""Self-play on a cluster: groups of games are sent as orders to the workers of a Dask scheduler.

The games of a group depend only on the group. So a group whose worker is lost is played again by
another one, with the same result. A worker does not need JAX: without a GPU for it, the network's
own machine code evaluates positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache

from ludograph.arena.executor.cluster.connection import SchedulerConnection
from ludograph.arena.executor.cluster.process import order_of
from ludograph.learning.groups import GameGroup, PlayGroups, choose_device, play_timed
from ludograph.learning.samples import Samples


@contextmanager
def on_cluster(address: str, tell: Callable[[str], None] = lambda _: None) -> Iterator[PlayGroups]:
    """Yield a player of groups on the workers of a running scheduler.

    Parameters
    ----------
    address
        The address of the scheduler, as in ``tcp://host:8786``.
    tell
        Called with a sentence when workers are lost, or games have to wait.

    Raises
    ------
    InvalidInput
        If it is no address of a scheduler, Dask is not installed, or a worker cannot play.
    HostFailure
        If the scheduler cannot be reached or goes away, or a group is lost twice.
    """
    connection = SchedulerConnection(address, tell)
    connection.open()
    try:
        yield PlayGroups(lambda groups: played(connection, groups))
    finally:
        connection.close()


def played(
    connection: SchedulerConnection, groups: Sequence[GameGroup]
) -> Iterator[tuple[Samples, float]]:
    """Yield the positions of each group, and their processor time."""
    found: dict[int, tuple[Samples, float]] = {}
    try:
        for number, group in enumerate(groups):
            connection.submit(number, order_for(group))
        for number in range(len(groups)):
            while number not in found:
                found.update(connection.ended())
            yield found.pop(number)
    finally:
        connection.cancel()


def order_for(group: GameGroup) -> bytes:
    """Return the order of a group, which one thread plays."""
    start, _ = group.starts[0]
    return order_of(start.game, play_here, replace(group, threads=1))


def play_here(group: GameGroup) -> tuple[Samples, float]:
    """Play a group on this machine; without a GPU for JAX, by the network's own machine code."""
    if group.parameters is not None and not has_gpu():
        group = replace(group, parameters=None)
    return play_timed(group)


@cache
def has_gpu() -> bool:
    """Tell whether JAX is installed and finds a GPU; if so, it computes there."""
    try:
        choose_device("gpu")
    except (ImportError, RuntimeError):
        return False
    return True
