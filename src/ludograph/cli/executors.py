"""Executors of many games: the cores of this machine, or the workers of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import click

from ludograph.arena.executor import Executor, cores
from ludograph.arena.executor.cluster.executor import ClusterExecutor
from ludograph.counting import counted

if TYPE_CHECKING:
    from ludograph.arena.finished_game import FinishedGame
    from ludograph.arena.played_game import GameKey
    from ludograph.arena.playing import Playable


class Place(NamedTuple):
    """An executor, and a function that describes it when all games are played."""

    executor: Executor[GameKey, FinishedGame]
    sentence: Callable[[], str]


def cluster_executor(
    tournament: Playable, address: str, *, same_clocks: bool, quiet: bool
) -> ClusterExecutor:
    """Return an executor on a cluster, which writes to standard error why games are delayed."""

    def say(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    return ClusterExecutor(tournament, address, scaling=not same_clocks, tell=say)


def cluster_place(tournament: Playable, address: str, *, same_clocks: bool, quiet: bool) -> Place:
    """Return a cluster as the place of a tournament's games."""
    executor = cluster_executor(tournament, address, same_clocks=same_clocks, quiet=quiet)

    def sentence() -> str:
        text = f"{counted(executor.threads, 'core')} of {address}"
        factors = executor.factors.values()
        if factors:
            text += f", clocks times {min(factors):g} to {max(factors):g}"
        return text

    return Place(executor, sentence)


def jobs_here(asked: int | None, left: int | None) -> int:
    """Return the number of games to play at a time: at most that of the cores, or of the games."""
    most = cores()
    if asked is not None and asked > most:
        click.echo(f"-j {asked}: {counted(most, 'core')} here, so {most} at a time", err=True)
    jobs = min(asked or most, most)
    return jobs if left is None else max(1, min(jobs, left))
