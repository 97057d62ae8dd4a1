"""``ludograph warm-up``: everything is compiled now, and nobody waits for it later."""

from __future__ import annotations

import os

import click

from ludograph.cli.lists import GameName
from ludograph.cli.program import Command, NoResult, option
from ludograph.cli.progress import progress
from ludograph.cli.texts import amount

PRUNED_DAYS = 90
EPILOG = """\
Examples:
  ludograph warm-up                 all games, on all cores
  ludograph warm-up hex flood -j 1  these two, one after the other
"""


@click.command("warm-up", cls=Command, epilog=EPILOG, short_help="Compile all now, wait never.")
@click.argument("games", metavar="[GAME]...", nargs=-1, type=GameName())
@option("Options", "-j", "--jobs", type=click.IntRange(1, 256), help="Processes; one per core.")
@option("Options", "-q", "--quiet", is_flag=True, help="Show no progress.")
def warm_up(games: tuple[str, ...], jobs: int | None, quiet: bool) -> None:
    """Compile what the strategies and playouts of some games need, of all if none is named.

    Machine code is kept in the folder $LUDOGRAPH_CACHE, by default among the user's caches; kernels
    that nobody has used for 90 days are removed from it.
    """
    from ludograph.games.registry import names
    from ludograph.referee.warming import compile_all, jobs_of
    from ludograph.rules import cache
    from ludograph.rules.announcer import announcer

    chains = [jobs_of(name) for name in games or names()]
    total = sum(map(len, chains))
    seconds = 0.0
    faults = []
    with announcer.silent(), progress(total, "parts", shown=not quiet) as advance:
        for done in compile_all(chains, min(len(chains), jobs or len(os.sched_getaffinity(0)))):
            seconds += done.seconds
            if done.fault:
                faults.append(f"{done.job.player} of {done.job.game}: {done.fault}")
            advance(f"{done.job.game} {done.job.player}")
    removed = cache.prune(PRUNED_DAYS)
    if faults:
        raise NoResult("; ".join(faults))
    if not quiet:
        click.echo(f"{amount(total, 'part')} are ready ({seconds:.0f} s of processor time).")
        click.echo(f"Kept in {cache.folder()}" + (f"; {removed} old removed." if removed else "."))
