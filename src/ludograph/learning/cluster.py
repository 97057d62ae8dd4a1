"""Self-play on a cluster: groups of games are sent as orders to the workers of a Dask scheduler.

The games of a group depend only on the group. So a group whose worker is lost is played again by
another one, with the same result.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ludograph.arena.executor.cluster.connection import SchedulerConnection
from ludograph.learning.groups import GameGroup, PlayGroups
from ludograph.learning.samples import Samples

PROGRAM = "ludograph.learning.cluster_process"
"""The module that plays groups on machines of a cluster."""


@contextmanager
def on_cluster(address: str, tell: Callable[[str], None] = lambda _: None) -> Iterator[PlayGroups]:
    """Yield a player of groups on the workers of a running scheduler.

    Parameters
    ----------
    address
        The address of the scheduler, as in ``tcp://host:8786``.
    tell
        Called with a sentence when games have to wait.

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
        connection.close([])


def played(
    connection: SchedulerConnection, groups: Sequence[GameGroup]
) -> Iterator[tuple[Samples, float]]:
    """Yield the positions of each group, and their processor time."""
    futures = [connection.submit(order_of(group), module=PROGRAM) for group in groups]
    try:
        for future in futures:
            outcome = pickle.loads(connection.wait_for(future))
            if isinstance(outcome, Exception):
                raise outcome
            yield outcome
    finally:
        connection.client.cancel(futures, force=True)


def order_of(group: GameGroup) -> bytes:
    """Return a group in pickled form, with the version of its game's rules."""
    start, _ = group.starts[0]
    return pickle.dumps((start.game.version, replace(group, threads=1)))
