"""A ladder while a command runs it: what is said, and how it ends."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ludograph.cli.ladder.file import read_ladder
from ludograph.cli.program import Interrupted
from ludograph.cli.texts import amount, safe
from ludograph.cli.tournament.progress import Standing, live
from ludograph.cli.tournament.running import jobs_here

if TYPE_CHECKING:
    from ludograph.arena.executor import Executor
    from ludograph.arena.finished import FinishedGame
    from ludograph.arena.ladder import Ladder, LadderFolder


def run_ladder(
    folder: LadderFolder,
    *,
    games: int | None,
    duration: float | None,
    once: bool,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Play a ladder until a limit is reached, or somebody stops it."""
    from ludograph.arena.executor import LocalProcesses
    from ludograph.arena.ladder import LadderRun, Limits
    from ludograph.arena.ladder.declaration import under_names
    from ludograph.arena.ladder.journal import Journal
    from ludograph.cli.isolation import holding
    from ludograph.players.isolation.levels import Isolation
    from ludograph.rules.announcer import announcer

    ladder = read_ladder(folder)
    announcer.prepare(f"the built-in players of {ladder.game.name}")
    count = jobs_here(jobs, games)
    with folder.locked():
        journal = Journal(folder.log)
        standing = Standing(games, ())

        def say(line: str) -> None:
            journal.add(safe(line))
            if not quiet:
                click.echo(safe(line), err=True)

        def ended(game: FinishedGame) -> None:
            standing.add(under_names(game).played)
            draw()

        def make_executor(drawn: Ladder) -> Executor:
            return LocalProcesses(drawn.play, count, drawn.prepare)

        until = None if duration is None else time.monotonic() + duration
        if not quiet:
            click.echo(heading(ladder), err=True)
        asked = ladder.isolation or Isolation.chosen()
        ladder = replace(ladder, isolation=holding(asked, quiet=quiet))
        try:
            with live(standing, shown=not quiet) as draw:
                LadderRun(ladder, make_executor, say, ended).run(Limits(games, until, once))
        except KeyboardInterrupt:
            raise Interrupted(f"stopped after {_far(standing)}; the same command goes on") from None
    if not quiet:
        click.echo(_far(standing), err=True)


def heading(ladder: Ladder) -> str:
    """Return what is played."""
    return safe(f"ladder {ladder.folder.path}: {ladder.title}")


def _far(standing: Standing) -> str:
    return amount(standing.count, "game")
