"""Makes a ladder, plays it until a limit or Ctrl-C, and shows its secret."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.arena.executor import LocalProcesses
from ludograph.arena.finished_game import GameKey
from ludograph.arena.ladder import LadderFolder, LadderRun, RunLimits, read_state
from ludograph.arena.ladder.running import Journal
from ludograph.arena.ladder.store import check_new_store, kept_store
from ludograph.arena.playing import play_plan
from ludograph.arena.results import NO_RESULTS
from ludograph.arena.store import GameFilter
from ludograph.arena.store.history import label_of
from ludograph.cli.executors import check_executor_options, cluster_executor, jobs_here
from ludograph.cli.isolation import holding
from ludograph.cli.ladder.file import CLOCK, file_text, read_ladder
from ludograph.cli.program import Interrupted
from ludograph.cli.shared_options import RUN_AGAIN
from ludograph.cli.texts import safe
from ludograph.cli.tournament.running import LiveStanding, live
from ludograph.errors import InvalidInput
from ludograph.formatting import counted
from ludograph.games.declaration import Declaration
from ludograph.players.isolation import Isolation
from ludograph.rules.announcer import announcer

if TYPE_CHECKING:
    from ludograph.arena.executor import Executor
    from ludograph.arena.finished_game import FinishedGame
    from ludograph.arena.ladder import Ladder
    from ludograph.arena.playing import GamePlan


def make(
    path: Path,
    game: Declaration,
    given: dict[str, Any],
    *,
    seats: int | None,
    clock: str | None,
    store: str | None,
) -> None:
    """Make the folder of a ladder; remove it again if an option is wrong.

    A store on a server must be reachable and have no games.
    """
    folder = LadderFolder(path)
    if folder.declaration.exists():
        raise InvalidInput(f"{folder.declaration}: there is a ladder already")
    settings = {**(game.with_libraries or {}), **game.resolve(given)}  # C players may join
    text = file_text(
        path,
        game,
        settings,
        clock=clock or CLOCK,
        seats=seats or max(2, game.seats[0]),
        store=store or "",
    )
    new = not path.exists()
    folder.players.mkdir(parents=True, exist_ok=True)
    folder.declaration.write_text(text, encoding="utf-8")
    try:
        made = _read_new(folder)
        check_new_store(made)
    except BaseException:
        folder.declaration.unlink()
        if new:
            folder.players.rmdir()
            path.rmdir()
        raise
    click.echo(f"{folder.declaration}: {made.title}")
    click.echo(f"put players into {folder.players}, then: ludograph ladder run {path}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunArguments:
    """Options of the command line: limits of the run, its executor, its output."""

    games: int | None
    duration: float | None
    once: bool
    jobs: int | None
    cluster: str | None
    scale_clocks: bool
    quiet: bool

    def check(self) -> None:
        """Raise UsageError if options do not fit together."""
        if sum((self.games is not None, self.duration is not None, self.once)) > 1:
            raise click.UsageError("--games, --for and --once exclude each other")
        check_executor_options(jobs=self.jobs, cluster=self.cluster, scale_clocks=self.scale_clocks)


def run_ladder(folder: LadderFolder, arguments: RunArguments) -> None:
    """Play a ladder until a limit is reached, or Ctrl-C stops it."""
    arguments.check()
    ladder = read_ladder(folder)
    announcer.prepare(f"the built-in players of {ladder.game.name}")
    count = jobs_here(arguments.jobs, arguments.games)
    with folder.locked():
        journal = Journal(folder.log)
        standing = LiveStanding(arguments.games, NO_RESULTS)

        def say(line: str) -> None:
            journal.add(safe(line))
            if not arguments.quiet:
                click.echo(safe(line), err=True)

        def ended(game: FinishedGame) -> None:
            standing.add(game)
            draw()

        def make_executor(drawn: Ladder) -> Executor[GamePlan, FinishedGame]:
            if arguments.cluster is not None:
                scale_clocks, quiet = arguments.scale_clocks, arguments.quiet
                return cluster_executor(
                    play_plan, arguments.cluster, scale_clocks=scale_clocks, quiet=quiet
                )
            return LocalProcesses(play_plan, count, drawn.prepare)

        until = None if arguments.duration is None else time.monotonic() + arguments.duration
        if not arguments.quiet:
            click.echo(heading(ladder), err=True)
        isolation = ladder.isolation or Isolation.chosen()
        if arguments.cluster is None:  # workers of a cluster check their own isolation
            isolation = holding(isolation, quiet=arguments.quiet)
        ladder = replace(ladder, isolation=isolation)
        try:
            with live(standing, shown=not arguments.quiet) as draw:
                workers = count if arguments.cluster is None else 0
                LadderRun(ladder, make_executor, say, ended, workers).run(
                    RunLimits(arguments.games, until, arguments.once)
                )
        except KeyboardInterrupt:
            raise Interrupted(f"stopped after {_progress_text(standing)}; {RUN_AGAIN}") from None
    if not arguments.quiet:
        click.echo(_progress_text(standing), err=True)


def _read_new(folder: LadderFolder) -> Ladder:
    """Return the ladder of a file that was just written; errors name the option, not the file."""
    try:
        return read_ladder(folder)
    except InvalidInput as error:
        place = rf"{re.escape(str(folder.declaration))}, line [0-9]+: "
        raise InvalidInput(re.sub(place, "", str(error), count=1)) from None


def secret_text(folder: LadderFolder, game: int | None) -> str:
    """Return the secret of a ladder, or the seed of the chance moves in one game."""
    ladder = read_ladder(folder)
    with kept_store(ladder, read_state(folder)) as store:
        if store is None:
            raise InvalidInput(f"{folder.path}: no game has been played yet")
        games = () if game is None else tuple(store.games(GameFilter(game=game)))
        if game is not None and not games:
            raise InvalidInput(f"{store.name}: there is no game {game}")
        number = games[0].tournament if games else store.number_of(ladder.key)
        kept = None if number is None else store.kept_secret(number)
    if kept is None:
        raise InvalidInput(f"{store.name}: no secret is kept: no game was played with one yet")
    luck = folder.luck(kept)
    if not games:
        return str(luck)
    (one,) = games
    labels = (label_of(s.player, v) for s, v in zip(one.seats, one.versions, strict=True))
    return str(ladder.with_secret(luck).chance_seed(GameKey(one.start, tuple(labels))))


def heading(ladder: Ladder) -> str:
    """Return the line that names a ladder and its game."""
    return safe(f"ladder {ladder.folder.path}: {ladder.title}")


def _progress_text(standing: LiveStanding) -> str:
    return counted(standing.count, "game")
