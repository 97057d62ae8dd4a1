"""``ludograph warm-up``: compilation of all rules before the first game."""

from __future__ import annotations

import os

import click

from ludograph.cli.games import GameName
from ludograph.cli.option_types import JOBS
from ludograph.cli.program import Command, NoResult, argument, option
from ludograph.cli.progress import progress
from ludograph.formatting import counted
from ludograph.games.registry import names

PRUNED_DAYS = 90
EPILOG = """\
Examples:
  ludograph warm-up                 all games, on all cores
  ludograph warm-up hex flood -j 1  these two games, on one core
"""


@click.command(
    "warm-up",
    cls=Command,
    epilog=EPILOG,
)
@argument("games", metavar="[GAME]...", nargs=-1, type=GameName())
@option("Options", "-j", "--jobs", type=JOBS, help="Number of processes (default: one per core).")
@option("Options", "-q", "--quiet", is_flag=True, help="Show no progress.")
def warm_up(games: tuple[str, ...], jobs: int | None, quiet: bool) -> None:
    """Compile all rules now, so that games start at once (default: of all games).

    Strategies and playouts are compiled, too.

    Machine code is kept in the folder $LUDOGRAPH_CACHE (default: in your cache folder). Kernels
    that were not used for 90 days are removed. Kernels of players' files are compiled before their
    first match, and kept in a folder beside it.
    """
    from ludograph.referee.warm_up import compile_all, jobs_of
    from ludograph.rules import cache

    chains = [jobs_of(name) for name in games or names()]
    total = sum(map(len, chains))
    seconds = 0.0
    faults = []
    with progress(total, "parts", shown=not quiet) as advance:
        for done in compile_all(chains, min(len(chains), jobs or len(os.sched_getaffinity(0)))):
            seconds += done.seconds
            if done.fault:
                faults.append(f"{done.job.player} of {done.job.game}: {done.fault}")
            advance(f"{done.job.game} {done.job.player}")
    removed = cache.prune(PRUNED_DAYS)
    if faults:
        raise NoResult("; ".join(faults))
    if not quiet:
        click.echo(f"{counted(total, 'part')} are ready ({seconds:.0f} s of processor time).")
        click.echo(f"Kept in {cache.folder()}" + (f"; {removed} old removed." if removed else "."))
