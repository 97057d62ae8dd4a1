"""Runs a tournament: enters it in its store, plays it, shows its standing, writes its tables."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludograph.arena.playing import play_plan
from ludograph.arena.store import Store
from ludograph.arena.tables import Standing, standings
from ludograph.arena.tournament import Tournament, play_tournament
from ludograph.arena.tournament.openings import chosen_openings
from ludograph.cli.executors import (
    check_executor_options,
    choose_executor,
    enter_in,
    tell_beginning,
)
from ludograph.cli.game_options import chosen
from ludograph.cli.isolation import isolation_for
from ludograph.cli.program import Interrupted
from ludograph.cli.progress import compiling_in, on_terminal
from ludograph.cli.shared_options import RUN_AGAIN, format_of
from ludograph.cli.tournament.report import report_of, write
from ludograph.errors import HostFailure
from ludograph.formatting import counted, duration, points_text
from ludograph.games.declaration import Declaration, Values
from ludograph.players.isolation import Isolation
from ludograph.players.preparing import title
from ludograph.players.spec import parse_player
from ludograph.referee.options import MatchOptions, series_clocks
from ludograph.referee.player_factory import built
from ludograph.rules.announcer import announcer
from ludograph.views.table import Columns, Table, left

if TYPE_CHECKING:
    from rich.table import Table as RichTable

    from ludograph.arena import FinishedGame, Results
    from ludograph.arena.store import Store
    from ludograph.arena.tournament import Tournament


def run(
    game: Declaration,
    players: Sequence[str],
    variants: Sequence[Values],
    *,
    seats: int | None,
    seed: int | None,
    clock: str | None,
    openings: str | None,
    jobs: int | None,
    cluster: str | None,
    scale_clocks: bool,
    isolation: str | None,
    memory: int | None,
    store: str | None,
    quiet: bool,
    as_json: bool,
    as_csv: bool,
    markdown: bool,
    **schedule: Any,
) -> None:
    """Check the arguments together, then play.

    Parameters
    ----------
    variants
        The game's options; several if starts differ in more than their seed.
    schedule
        Further arguments of a :class:`Tournament`.
    """
    form = format_of(as_json, as_csv, markdown)
    check_executor_options(jobs=jobs, cluster=cluster, scale_clocks=scale_clocks)
    seats = checked_seats(game, players, seats)
    rules = game.game()
    specs = [parse_player(text, rules, seats) for text in players]
    if any(spec.kind == "human" for spec in specs):
        raise click.UsageError("a human plays one game at a time, so not in a tournament")
    libraries = any(spec.kind == "library" for spec in specs)
    defaults = dict(game.with_libraries or {}) if libraries else None
    options = [chosen(game, given, defaults) for given in variants]
    clocks = series_clocks(clock, specs)

    def make_position(variant: int, seed: int) -> Any:
        return rules.position(seats=seats, seed=seed, **options[variant])

    starts = [make_position(variant, seed or 0) for variant in range(len(options))]
    titles = [
        start.title(game.title(values)) for start, values in zip(starts, options, strict=True)
    ]
    suite = None if openings is None else chosen_openings(openings, starts, specs)
    more = f" and {len(titles) - 1} more" if len(titles) > 1 else ""
    seeded = "" if seed is None else f", seed {seed}"
    begun = "" if openings is None else f", openings {Path(openings).name}"
    held = (
        Isolation.chosen(isolation, memory)  # the workers check their own isolation
        if cluster is not None
        else isolation_for(specs, isolation, memory, quiet=quiet or form != "text")
    )
    if cluster is None:  # workers of a cluster compile C sources themselves
        specs = [built(spec, rules, held) for spec in specs]
    run_tournament(
        Tournament(
            make_position,
            specs,
            seats=seats,
            variants=len(options),
            seed=seed,
            match_options=MatchOptions.checked(
                clock=clocks[0], foreign_clock=clocks[1], isolation=held
            ),
            openings=suite,
            title=f"{titles[0]}{more}{seeded}{begun}",
            **schedule,
        ),
        Running(store, jobs, form, quiet, cluster, scale_clocks),
    )


def checked_seats(game: Declaration, players: Sequence[str], given: int | None) -> int:
    """Return the number of seats; raise UsageError if the game or the players do not allow it."""
    low, high = game.seats
    if high < 2:
        raise click.UsageError(f"{game.name} is a game for one, so there are no tournaments")
    seats = given or max(low, 2)
    if not max(low, 2) <= seats <= high:
        wanted = f"{high}" if max(low, 2) == high else f"{max(low, 2)} to {high}"
        raise click.UsageError(f"{game.name} has {wanted} seats, got --seats {seats}")
    if len(players) < seats:
        raise click.UsageError(
            f"name {seats} players at least, as in 'ludograph tournament {game.name} my.py random'"
        )
    return seats


@dataclass(frozen=True, slots=True)
class Running:
    """The executor and the output of a tournament.

    Attributes
    ----------
    jobs
        The number of games at a time; None: the number of cores.
    form
        ``text``, ``json``, ``csv`` or ``markdown``.
    cluster
        The address of a scheduler whose workers play; None: this machine does.
    scale_clocks
        Whether clocks are longer on machines of the cluster that are slower than this one.
    """

    store: str | None
    jobs: int | None = None
    form: str = "text"
    quiet: bool = False
    cluster: str | None = None
    scale_clocks: bool = False


def run_tournament(tournament: Tournament, how: Running) -> None:
    """Play the missing games of a tournament, and write its tables."""
    announcer.prepare(title(tournament.game, list(tournament.specs.values())))
    with Store(how.store) as store:
        number, tournament = enter_in(store, tournament, shown=not how.quiet)
        games = store.played(number)
        goes_on = not tournament.is_over(games)
        if goes_on:
            store.lock(number)  # an error comes before the compilation
    if goes_on:
        games = _play(tournament, number, how, games)
    declaration = {**tournament.declaration, "asked": tournament.games}
    with Store(how.store) as store:
        report = report_of(store, number, declaration, tournament.wanted(games))
    write(report, how.form)
    _tell_forfeits(games)


def _play(tournament: Tournament, number: int, how: Running, before: Results) -> Results:
    """Play the missing games; processes are forked while the store is closed."""
    shown = not how.quiet and how.form == "text"
    total = tournament.total
    if shown:
        tell_beginning(tournament, len(before))
    standing = LiveStanding(total, before)
    executor = choose_executor(
        play_plan,
        tournament.prepare,
        tournament.check_files,
        jobs=how.jobs,
        cluster=how.cluster,
        scale_clocks=how.scale_clocks,
        left=None if total is None else total - len(before),
        quiet=how.quiet,
    )
    try:
        with live(standing, shown=shown) as draw, executor, Store(how.store) as store:

            def count(game: FinishedGame) -> None:
                standing.add(game)
                draw()

            store.lock(number)
            standing.begin()
            games = play_tournament(tournament, number, store, executor, count)
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted after {_progress_text(standing)}") from None
    except HostFailure as error:
        raise HostFailure(f"{error}; {_progress_text(standing)}") from None
    if shown:
        speed = f"{counted(standing.now, 'game')} now, {standing.speed:.3g} a second"
        of = f" of {how.cluster}" if how.cluster else ""
        click.echo(f"{speed} on {counted(executor.threads, 'core')}{of}", err=True)
    return games


def _progress_text(standing: LiveStanding) -> str:
    of = f" of {standing.total}" if standing.total is not None else ""
    games = "1 game" if standing.count == 1 and not of else f"{standing.count}{of} games"
    return f"{games}; {RUN_AGAIN}"


def _tell_forfeits(games: Results) -> None:
    if len(games) and ((games.forfeits > 0).sum(1) >= games.seats - 1).all():
        forfeits = counted(len(games), "game")
        click.echo(
            f"all {forfeits} ended by forfeits; 'ludograph results games' lists them", err=True
        )


ROWS = 12
"""The most rows of the table."""

REFRESHES = 4
"""The most updates of the table per second."""


class LiveStanding:
    """The counts of games, points and forfeits while games are played."""

    def __init__(self, total: int | None, games: Results) -> None:
        self.lines = {line.player: line for line in standings(games)}
        self.total, self.count, self.now = total, len(games), 0
        self.begin()

    def begin(self) -> None:
        """Measure games per second from now on."""
        self.now, self._began = 0, time.monotonic()

    def add(self, game: FinishedGame) -> None:
        """Count a game."""
        self.count += 1
        self.now += 1
        for seat, points in zip(game.seats, game.points, strict=True):
            line = self.lines.setdefault(seat.player, Standing(seat.player))
            line.games += 1
            line.points += points
            if seat.forfeit:
                line.forfeits[seat.forfeit] += 1

    @property
    def speed(self) -> float:
        """Games per second of this run."""
        return self.now / max(time.monotonic() - self._began, 1e-9)

    def line(self) -> str:
        """Return the number of games, the speed and the remaining time, in words."""
        of = f" of {self.total}" if self.total is not None else ""
        text = f"{self.count}{of} games, {self.speed:.3g} a second"
        if self.total is not None and self.now:
            left = (self.total - self.count) / self.speed
            text += f", {duration(left)} left"
        return text


@contextlib.contextmanager
def live(standing: LiveStanding, *, shown: bool) -> Iterator[Callable[[], None]]:
    """Show the table while games are played, if standard error is a terminal.

    Yields
    ------
    A function to call after each game.
    """
    if not shown or not on_terminal():
        yield lambda: None
        return
    from rich.console import Console
    from rich.live import Live

    said = ""
    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as screen:
        last = 0.0

        def draw(force: bool = False) -> None:
            nonlocal last
            if force or time.monotonic() - last > 1 / REFRESHES:
                last = time.monotonic()
                screen.update(_picture(standing, said), refresh=True)

        def hear(text: str) -> None:
            nonlocal said
            said = text
            draw(force=True)

        draw(force=True)
        with compiling_in(hear):
            yield draw


def _picture(standing: LiveStanding, said: str) -> RichTable:
    order = sorted(standing.lines.values(), key=lambda line: -line.score)
    rows = []
    for line in order[:ROWS]:
        share, forfeits = f"{100 * line.score:.1f} %", line.forfeits.total()
        rows.append([line.player, line.games, points_text(line.points), share, forfeits])
    columns: Columns = [left("player"), "games", "points", "share", "forfeits"]
    return Table(columns, rows).rich(said or standing.line())
