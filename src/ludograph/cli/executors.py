"""Executors of many games: the cores of this machine, or the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple

import click

from ludograph.arena.executor import Executor, cores, local_executor
from ludograph.arena.executor.cluster.executor import ClusterExecutor
from ludograph.arena.executor.local import Play
from ludograph.arena.executor.protocol import Game, Key
from ludograph.arena.playing import Playable
from ludograph.counting import counted


class ChosenExecutor(NamedTuple, Generic[Key, Game]):
    """An executor, and a function that describes it when all games are played."""

    executor: Executor[Key, Game]
    sentence: Callable[[], str]


def choose_executor(
    plan: Playable[Key, Game],
    play: Play[Key, Game],
    prepare: Callable[[], None],
    *,
    jobs: int | None,
    cluster: str | None,
    same_clocks: bool,
    left: int | None,
    quiet: bool,
) -> ChosenExecutor[Key, Game]:
    """Return the executor of games: the workers of a cluster, or the cores of this machine.

    Parameters
    ----------
    play
        Plays a game of the plan on this machine.
    prepare
        Called before processes are forked on this machine.
    jobs, cluster, same_clocks
        The options of the command line.
    left
        The number of games to play; None if it is not known.
    """
    if cluster is not None:
        return choose_cluster(plan, cluster, same_clocks=same_clocks, quiet=quiet)
    jobs = jobs_here(jobs, left)
    executor = local_executor(play, jobs, prepare)
    return ChosenExecutor(executor, lambda: counted(jobs, "core"))


def cluster_executor(
    plan: Playable[Key, Game], address: str, *, same_clocks: bool, quiet: bool
) -> ClusterExecutor[Key, Game]:
    """Return an executor on a cluster; it writes to standard error why games are delayed."""

    def say(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    return ClusterExecutor(plan, address, scaling=not same_clocks, tell=say)


def choose_cluster(
    plan: Playable[Key, Game], address: str, *, same_clocks: bool, quiet: bool
) -> ChosenExecutor[Key, Game]:
    """Return the workers of a cluster as the executor of games."""
    executor = cluster_executor(plan, address, same_clocks=same_clocks, quiet=quiet)

    def sentence() -> str:
        text = f"{counted(executor.threads, 'core')} of {address}"
        factors = executor.factors.values()
        if factors:
            text += f", clocks multiplied by {min(factors):g} to {max(factors):g}"
        return text

    return ChosenExecutor(executor, sentence)


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
