"""Executors of many games: the cores of this machine, or the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable

import click

from ludograph.arena.executor import Executor, cores, local_executor
from ludograph.arena.executor.cluster.connection import check_address
from ludograph.arena.executor.cluster.executor import ClusterExecutor
from ludograph.arena.executor.local import Play
from ludograph.arena.executor.protocol import Game, Key
from ludograph.arena.playing import Playable
from ludograph.counting import counted


def check_executor_options(*, jobs: int | None, cluster: str | None, scale_clocks: bool) -> None:
    """Raise UsageError or InvalidInput for options that no run can have, before files are made."""
    if cluster is not None and jobs is not None:
        raise click.UsageError(
            "-j is for this machine; workers of a --cluster have their own number"
        )
    if scale_clocks and cluster is None:
        raise click.UsageError("--scale-clocks is for --cluster")
    if cluster is not None:
        check_address(cluster)


def choose_executor(
    plan: Playable[Key, Game],
    play: Play[Key, Game],
    prepare: Callable[[], None],
    *,
    jobs: int | None,
    cluster: str | None,
    scale_clocks: bool,
    left: int | None,
    quiet: bool,
) -> Executor[Key, Game]:
    """Return the executor of games: the workers of a cluster, or the cores of this machine.

    Parameters
    ----------
    play
        Plays a game of the plan on this machine.
    prepare
        Called before processes are forked on this machine.
    jobs, cluster, scale_clocks
        The options of the command line.
    left
        The number of games to play; None if it is not known.
    """
    if cluster is not None:
        return cluster_executor(plan, cluster, scale_clocks=scale_clocks, quiet=quiet)
    return local_executor(play, jobs_here(jobs, left), prepare)


def cluster_executor(
    plan: Playable[Key, Game], address: str, *, scale_clocks: bool, quiet: bool
) -> ClusterExecutor[Key, Game]:
    """Return an executor on a cluster; it writes to standard error what happens to workers."""

    def say(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    return ClusterExecutor(plan, address, scaling=scale_clocks, tell=say)


def jobs_here(requested: int | None, left: int | None) -> int:
    """Return the number of games to play at a time, at most the number of cores and of games."""
    most = cores()
    if requested is not None and requested > most:
        click.echo(
            f"-j {requested}: this machine has {counted(most, 'core')}, so only {most} at a time",
            err=True,
        )
    jobs = min(requested or most, most)
    return jobs if left is None else max(1, min(jobs, left))
