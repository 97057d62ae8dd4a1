"""Runs of many games: their executor, and their beginning in a store."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ludograph.arena.executor import Executor, cores, local_executor
from ludograph.arena.executor.protocol import Failure, OnOutput, Result
from ludograph.arena.playing import GamePlan
from ludograph.arena.tournament import Tournament, enrolled, remarks_on_new
from ludograph.cli.texts import safe
from ludograph.formatting import counted

if TYPE_CHECKING:
    from ludograph.arena.executor.cluster.executor import ClusterExecutor
    from ludograph.arena.store import Store


def check_executor_options(*, jobs: int | None, cluster: str | None, scale_clocks: bool) -> None:
    """Raise UsageError or InvalidInput for options that no run can have, before files are made."""
    if cluster is not None and jobs is not None:
        raise click.UsageError(
            "-j is for this machine; workers of a --cluster have their own number"
        )
    if scale_clocks and cluster is None:
        raise click.UsageError("--scale-clocks is for --cluster")
    if cluster is not None:
        from ludograph.arena.executor.cluster.connection import check_address  # noqa: PLC0415

        check_address(cluster)


def choose_executor(
    play: Callable[[GamePlan, OnOutput | None], Result | Failure],
    prepare: Callable[[], None],
    check_files: Callable[[], None],
    *,
    jobs: int | None,
    cluster: str | None,
    scale_clocks: bool,
    left: int | None,
    quiet: bool,
) -> Executor[GamePlan, Result]:
    """Return the executor of games: the workers of a cluster, or the cores of this machine.

    Parameters
    ----------
    play
        Plays a game; pickled for a cluster.
    prepare
        Called before processes are forked on this machine.
    check_files
        Called when the files of a player were read for a cluster; raises InvalidInput if they are
        not those that are to play.
    jobs, cluster, scale_clocks
        The options of the command line.
    left
        The number of games to play; None if it is not known.
    """
    if cluster is None:
        return local_executor(play, jobs_here(jobs, left), prepare)
    return cluster_executor(play, cluster, check_files, scale_clocks=scale_clocks, quiet=quiet)


def cluster_executor(
    play: Callable[[GamePlan, OnOutput | None], Result | Failure],
    address: str,
    check_files: Callable[[], None] = lambda: None,
    *,
    scale_clocks: bool,
    quiet: bool,
) -> ClusterExecutor[Result]:
    """Return an executor on a cluster; it writes to standard error what happens to workers."""
    from ludograph.arena.executor.cluster.executor import ClusterExecutor  # noqa: PLC0415

    def say(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    return ClusterExecutor(play, address, check_files=check_files, scaling=scale_clocks, tell=say)


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


def enter_in(store: Store, tournament: Tournament, *, shown: bool) -> tuple[int, Tournament]:
    """Enter a tournament in a checked store; return its number, and it with the store's seed.

    Parameters
    ----------
    shown
        Whether standard error says why a new one does not continue an earlier one like it.
    """
    store.check_pages()
    known = {kept.key for kept in store.tournaments()}
    number, tournament = enrolled(store, tournament)
    if tournament.key not in known and shown:
        for remark in remarks_on_new(store, tournament, number):
            click.echo(safe(remark), err=True)
    return number, tournament


def tell_beginning(tournament: Tournament, before: int) -> None:
    """Write how many games were played before, and the clock of players' files."""
    if before:
        of = f" of {tournament.total}" if tournament.total is not None else ""
        click.echo(f"{counted(before, 'game')}{of} were played before", err=True)
    clock = tournament.match_options.foreign_clock
    if clock:
        click.echo(f"players in files get {clock} per move (change with --clock)", err=True)
