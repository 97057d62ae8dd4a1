"""``ludograph warm-up``: compilation of all rules before the first game."""

from __future__ import annotations

import os

import click

from ludograph.cli.games import GameName
from ludograph.cli.option_types import JOBS
from ludograph.cli.program import Command, NoResult, argument, option, options
from ludograph.cli.progress import progress, waiting
from ludograph.cli.shared_options import ISOLATION_OPTIONS
from ludograph.cli.texts import safe
from ludograph.formatting import counted
from ludograph.games.registry import game, names
from ludograph.players.spec import parse_player

PRUNED_DAYS = 90
EPILOG = """\
Examples:
  ludograph warm-up                 all games, on all cores
  ludograph warm-up hex flood -j 1  these two games, on one core
  ludograph warm-up my_bot.py       the kernels in a player's own file
  ludograph warm-up my_bot.py hex   the same, for this game
"""


class GameOrFile(GameName):
    """The name of a game, or a player's Python file."""

    metavar = "GAME"

    def parse(self, text: str) -> str:
        """Return the name of a file, unchanged, or of a game."""
        return text if is_file(text) else super().parse(text)


def is_file(text: str) -> bool:
    """Tell whether a word names a player's Python file, with or without the name of a class."""
    return text.endswith(".py") or ".py:" in text


@click.command(
    "warm-up",
    cls=Command,
    epilog=EPILOG,
    short_help="Compile all rules now, so that games start at once.",
)
@argument("words", metavar="[GAME|FILE]...", nargs=-1, type=GameOrFile())
@option("Options", "-j", "--jobs", type=JOBS, help="Number of processes (default: one per core).")
@option("Options", "-q", "--quiet", is_flag=True, help="Show no progress.")
@options(ISOLATION_OPTIONS)
def warm_up(
    words: tuple[str, ...],
    jobs: int | None,
    quiet: bool,
    isolation: str | None,
    memory: int | None,
) -> None:
    """Compile the rules, strategies and playouts of games (default: of all games).

    If you name a player's Python file, only the kernels of this file are compiled, in isolation, as
    before its first match. They are compiled for the games that you name, or for the game that the
    player plays.

    Machine code is kept in the folder $LUDOGRAPH_CACHE (default: in your cache folder). Kernels
    that were not used for 90 days are removed. Kernels of players are kept in a folder beside it.
    """
    files = [word for word in words if is_file(word)]
    games = [word for word in words if not is_file(word)]
    if not files:
        compile_games(games, jobs, quiet=quiet)
    for file in files:
        compile_player(file, games, isolation, memory, quiet=quiet)


def compile_player(
    file: str, games: list[str], isolation: str | None, memory: int | None, *, quiet: bool
) -> None:
    """Compile the kernels in a player's file for these games, or for the game that it plays."""
    from ludograph.cli.executors import isolation_for
    from ludograph.cli.player.check import found_game
    from ludograph.hosting.player_kernels import rehearsals, rehearse

    for one in (
        map(game, games) if games else [found_game(file, None, example=f"warm-up {{}} {file}")]
    ):
        spec = parse_player(file, one)
        level = isolation_for([spec], isolation, memory, quiet=quiet)
        with waiting(f"preparing {spec.label} for {one.name}", shown=not quiet):
            for start in one.samples():
                found = rehearse(spec, start, 0, level)
                if found is not None and found.fault:
                    raise NoResult(f"{spec.label}, {one.name}: {found.fault}")
        kernels = counted(sum(each.kernels for each in rehearsals(spec)), "kernel")
        if not quiet:
            click.echo(safe(f"{spec.label} is ready for {one.name}: {kernels} of its own."))


def compile_games(games: list[str], jobs: int | None, *, quiet: bool) -> None:
    """Compile all kernels of these games, or of all games if the list is empty."""
    from ludograph.referee.warm_up import compile_all, jobs_of
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
        click.echo(f"{counted(total, 'part')} are ready ({seconds:.0f} s of processor time).")
        click.echo(f"Kept in {cache.folder()}" + (f"; {removed} old removed." if removed else "."))
