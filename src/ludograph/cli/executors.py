"""Runs of many games: their executor, the isolation of players, the beginning in a store."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from ludograph.arena.executor import Executor, Failure, OnOutput, Result, cores, local_executor
from ludograph.arena.playing import GamePlan
from ludograph.arena.tournament import Tournament, enrolled, remarks_on_new
from ludograph.cli.texts import safe
from ludograph.formatting import counted
from ludograph.hosting.sandbox.sandbox import check_isolation
from ludograph.players.isolation import Isolation, Level
from ludograph.players.spec import PlayerSpec
from ludograph.referee.player_factory import is_foreign

if TYPE_CHECKING:
    from ludograph.arena.cluster.executor import ClusterExecutor
    from ludograph.arena.store import Store

Play = Callable[[GamePlan, OnOutput | None], Result | Failure]


@dataclass(frozen=True, slots=True)
class Machines:
    """Where a command plays games: on cores of this machine, or on a cluster.

    Attributes
    ----------
    jobs
        The number of games at a time here; None: the number of cores.
    cluster
        The address of a scheduler whose workers play; None: this machine does.
    quiet
        Whether standard error says nothing about workers.
    """

    jobs: int | None = None
    cluster: str | None = None
    quiet: bool = False

    def __post_init__(self) -> None:
        """Raise UsageError or InvalidInput for options that no run can have."""
        if self.cluster is not None and self.jobs is not None:
            raise click.UsageError(
                "-j is for this machine; workers of a --cluster have their own number"
            )
        if self.cluster is not None:
            from ludograph.arena.cluster.executor import check_address

            check_address(self.cluster)

    def executor(
        self,
        play: Play[Result],
        prepare: Callable[[], None],
        check_files: Callable[[], None],
        left: int | None,
    ) -> Executor[GamePlan, Result]:
        """Return the executor of games.

        Parameters
        ----------
        play
            Plays a game; pickled for a cluster.
        prepare
            Called before processes are forked on this machine.
        check_files
            Called when the files of a player were read for a cluster; raises InvalidInput if they
            are not those that are to play.
        left
            The number of games to play; None if it is not known.
        """
        if self.cluster is None:
            return local_executor(play, jobs_here(self.jobs, left), prepare)
        return self.on_cluster(play, check_files)

    def on_cluster(
        self,
        play: Play[Result],
        check_files: Callable[[], None] = lambda: None,
        tell: Callable[[str], None] | None = None,
    ) -> ClusterExecutor[Result]:
        """Return an executor on the cluster.

        Parameters
        ----------
        tell
            Called with a line when workers are lost; None: it is written to standard error.
        """
        from ludograph.arena.cluster.executor import ClusterExecutor

        assert self.cluster is not None
        return ClusterExecutor(
            play,
            self.cluster,
            check_files=check_files,
            tell=tell or ((lambda _: None) if self.quiet else partial(click.echo, err=True)),
        )


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


def isolation_for(
    players: Sequence[PlayerSpec], level: str | None, memory: int | None, *, quiet: bool
) -> Isolation:
    """Return the isolation of players; write its level if the user may not know it.

    On a terminal the level is written whenever players have files; elsewhere, if it is weaker than
    ``strict`` and was not given by name.

    Raises
    ------
    InvalidInput
        If this machine has no isolation, or not the given level.
    """
    wanted = Isolation.chosen(level, memory)
    if not any(map(is_foreign, players)):
        return wanted
    return holding(wanted, quiet=quiet)


def holding(wanted: Isolation, *, quiet: bool) -> Isolation:
    """Return the isolation of players' files on this machine; write its level, too.

    Raises
    ------
    InvalidInput
        If this machine has no isolation, or not the given level.
    """
    level = check_isolation(wanted.level)
    if not quiet and (sys.stderr.isatty() or (wanted.level is None and level is not Level.STRICT)):
        more = "" if level is Level.STRICT else "; see 'ludograph doctor'"
        click.echo(f"players' files: isolation {level}{more}", err=True)
    return Isolation(level, wanted.memory)
